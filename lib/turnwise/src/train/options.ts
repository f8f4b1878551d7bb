import type { AnyText } from "../base/anyText";
import { envInfo, registeredIds, type WorldId } from "../env";
import type { Env } from "../env/env";
import type { Policy, PolicyFactory } from "../policy/policy";
import type { PolicyOptions } from "../policy/create";
import { currentName, recipes, type RecipeNameInput, type Recipe } from "../rule";
import { isCustom } from "../rule/custom/custom";
import { recipeSchema } from "../rule/schema";
import {
  group,
  instance,
  knobsOf,
  optional,
  required,
  resolve,
  whole,
  type Given,
  type Static,
} from "../schema";
import type { Checkpoint } from "./checkpoint";
import { hasOwnFunctions } from "./resumedRecipe";
import type { TeacherChoice } from "./distil/teacher";
import { settingsSchema, type TrainSettings } from "./settings";

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isNameOrObject = (value: unknown): boolean => typeof value === "string" || isObject(value);

/** Options at the start of a run besides its settings. A checkpoint holds it, so it cannot come with one. */
const beginning = {
  recipe: optional(
    instance<Recipe | RecipeNameInput>("a recipe or the name of one", isNameOrObject, {
      help: "The rule, or its name in the table.",
    }),
  ),
  envOptions: optional(
    instance<Readonly<Record<string, unknown>>>("an object", isObject, {
      help: "Options of the environment that env names.",
    }),
  ),
  seed: whole(0, {
    atLeast: 0,
    help: "All randomness of the run is derived from it.",
    slider: { min: 0, max: 20 },
  }),
};

/** Options that may come with a checkpoint. */
const always = {
  env: optional(
    instance<WorldId | AnyText | Env>("an id or an environment", isNameOrObject, {
      help: "An id that make knows, or an environment; the checkpoint's own if there is one.",
    }),
  ),
  policy: optional(
    instance<Policy | PolicyOptions | PolicyFactory>(
      "a policy, the options of one or a function that makes one",
      (value) => isObject(value) || typeof value === "function",
      {
        help:
          "A policy, which training changes in place, or the options of a new one, whose seed is the run's unless they give " +
          "another, or a function (env, { seed }) that makes one. Without it: a table, uniform at the start.",
      },
    ),
  ),
  teacher: optional(
    instance<TeacherChoice>(
      '"optimal" or a policy',
      (value) => value === "optimal" || (isObject(value) && "sample" in value),
      {
        help:
          "The policy from which a rule measures its divergence, instead of the frozen start, or that plays its demonstrations: " +
          'a policy, or "optimal", the exact optimum of a world that can be enumerated. The default of a rule that pays no task ' +
          'reward, or asks for demonstrations, is "optimal".',
      },
    ),
  ),
  updates: required(
    whole(0, {
      atLeast: 0,
      help: "Number of updates, counted from the start of the run, including those before a resumed checkpoint.",
    }),
  ),
  signal: optional(
    instance<AbortSignal>("an AbortSignal", (value) => isObject(value) && "aborted" in value, {
      help: "Stops the run before its next update.",
    }),
  ),
};

/** Every option of `train`: types, defaults, refusals, grids, sliders and the printed table are made from it. */
export const trainSchema = group({
  env: always.env,
  envOptions: beginning.envOptions,
  recipe: beginning.recipe,
  policy: always.policy,
  teacher: always.teacher,
  updates: always.updates,
  seed: beginning.seed,
  ...settingsSchema.properties,
  signal: always.signal,
  resume: optional(
    instance<Checkpoint>("a checkpoint", isObject, {
      help:
        "Goes on from a checkpoint, with its recipe and its settings. A rule with functions of your own comes along again as " +
        "recipe, since a file keeps their labels alone.",
    }),
  ),
});

/** The options of `train`; `optionsTable("train")` lists them with their defaults and ranges. */
export type TrainOptions = Given<typeof trainSchema>;

/** The options of `train` with their defaults. */
export type ResolvedOptions = Static<typeof trainSchema>;

/** Options that may come with a checkpoint. */
export type ResumeOptions = Pick<TrainOptions, keyof typeof always>;

/**
 * Checks all options before any work is done, and fills in the defaults.
 *
 * @param action completes "Cannot ..."
 * @throws {RangeError} if an option is unknown, out of range or would be ignored
 * @throws {TypeError} if an option is missing, has the wrong type or is fixed by the checkpoint
 */
export function readTrainOptions(options: TrainOptions, action = "train"): ResolvedOptions {
  const found = resolve(trainSchema, options, {
    action,
    owner: "the options",
    elsewhere: (name, value) => whereItBelongs(options, name, value),
  });
  if (options.resume) refuseFixed(options, options.resume);
  else {
    refuseIdleEvaluation(found, options);
    refuseIdleStored(found);
  }
  return found;
}

/** The settings of a run: those of the checkpoint, if there is one, else those that were given. */
export function settingsOf(found: ResolvedOptions, resume: Checkpoint | undefined): TrainSettings {
  const kept = resume?.settings ?? pick(found, settingsSchema.properties);
  const settings = resolve(settingsSchema, {}, { action: "resume", owner: "its settings" }, kept);
  return { ...settings, exactEvery: Number(settings.exactEvery) };
}

/** Those of the options that may come with a checkpoint. */
export function withCheckpoint(options: TrainOptions): ResumeOptions {
  return pick(options, always);
}

function pick<X extends object, K extends string>(
  from: X,
  names: Readonly<Partial<Record<K, unknown>>>,
): Pick<X, K & keyof X> {
  const entries = Object.entries(from).filter(
    ([name, value]) => Object.hasOwn(names, name) && value !== undefined,
  );
  return Object.fromEntries(entries) as Pick<X, K & keyof X>;
}

/** `learningRate` is no option of `train`, though many look for it there: says where it belongs, to the rule or to the world. */
export function whereItBelongs(
  { recipe, env }: Pick<TrainOptions, "recipe" | "env">,
  name: string,
  value: unknown,
): string {
  // "update" for "updates" is a slip, though a rule has a field of that name, whose value is no number.
  if (!isObject(value) && isSlip(name)) return "";
  // Without a rule, the words are about GRPO: elsewhere the same name may mean something else, such as the rate of a step reward.
  const named = recipe ?? "grpo";
  const own = typeof named === "string" ? recipes[currentName(named)] : named;
  const inSchema = knobsOf(recipeSchema)
    .find((knob) => knob.path.endsWith(`.${name}`))
    ?.path.split(".");
  const path = (isObject(own) ? pathTo(own, name) : undefined) ?? inSchema;
  if (path !== undefined) {
    const overrides = path.reduceRight((inner, key) => `{ ${key}: ${inner} }`, JSON.stringify(value));
    return `\nIt belongs to the rule: recipe("${own?.name ?? "grpo"}", ${overrides})`;
  }
  const world = typeof env === "string" && registeredIds().includes(env) ? envInfo(env).options : undefined;
  if (world === undefined || !Object.hasOwn(world.properties, name)) return "";
  return `\nIt belongs to the environment: envOptions: { ${name}: ${JSON.stringify(value)} }`;
}

/** Whether one letter more or less makes it an option. */
function isSlip(name: string): boolean {
  const options = Object.keys(trainSchema.properties);
  return options.some((option) => option === `${name}s` || `${option}s` === name);
}

/** The keys that lead to the first property of that name, at any depth. */
function pathTo(row: object, name: string): string[] | undefined {
  for (const [key, value] of Object.entries(row)) {
    if (key === name && key !== "name") return [key];
    const below = isObject(value) && !isCustom(value) ? pathTo(value, name) : undefined;
    if (below) return [key, ...below];
  }
  return undefined;
}

function refuseIdleEvaluation(
  { evalEvery }: ResolvedOptions,
  { evalEpisodes, evalGreedy }: TrainOptions,
): void {
  if (evalEvery > 0 || (evalEpisodes === undefined && evalGreedy === undefined)) return;
  throw new RangeError(
    `Cannot train: evalEpisodes and evalGreedy must come with evalEvery >= 1, got ${evalEvery}.`,
  );
}

function refuseIdleStored({ rolloutLogProb, temperature, topP }: ResolvedOptions): void {
  if (rolloutLogProb === "processed" || temperature !== 1 || topP !== 1) return;
  throw new RangeError(
    'Cannot train: rolloutLogProb "raw" needs a temperature other than 1 or topP below 1, without which raw ' +
      "and processed log-probs are the same, got 1 and 1.",
  );
}

function refuseFixed(options: TrainOptions, { recipe: kept }: Checkpoint): void {
  const { recipe, ...others } = beginning;
  const fixed = { ...others, ...settingsSchema.properties, ...(!hasOwnFunctions(kept) && { recipe }) };
  const given = Object.keys(pick(options, fixed));
  if (given.length === 0) return;
  throw new TypeError(
    `Cannot resume: the checkpoint fixes ${given.join(", ")}. Leave ${given.length > 1 ? "them" : "it"} out.`,
  );
}
