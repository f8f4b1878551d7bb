import { createRng } from "../../base/rng";
import { show } from "../../base/show";
import { make } from "../../env";
import { compareRecipes, type Recipe } from "../../rule";
import { expectCheckpoint, type Checkpoint } from "../checkpoint";
import { readTrainOptions, settingsOf, type TrainOptions } from "../options";
import { hasOwnFunctions, resumedRecipe } from "../resumedRecipe";
import { recipeFrom } from "../setUp";
import type { KeptCheckpoint, RunStart } from "./keptCheckpoint";

/** One setting in which a stored run and the options differ. */
interface Changed {
  readonly path: string;
  readonly stored: string;
  readonly given: string;
}

export function runStartOf(options: TrainOptions): RunStart {
  const { resume, seed, policy } = options;
  return { from: resume?.update ?? 0, seed: resume ? null : (seed ?? 0), policy: describe(policy) };
}

function describe(policy: TrainOptions["policy"]): unknown {
  if (policy === undefined) return {};
  if (typeof policy === "function") return `function ${policy.name}`;
  if ("sample" in policy) return `a policy "${policy.name}"`;
  return plain(policy);
}

/**
 * @param where the checkpoint's file
 * @throws {RangeError} if the options describe another run than the checkpoint's, with every setting that differs
 */
export function expectSameRun(where: string, kept: KeptCheckpoint, options: TrainOptions): void {
  const changed = differences(kept, options);
  if (changed.length === 0) return;
  const lines = changed.map(({ path, stored, given }) => `  ${path}: stored ${stored}, now ${given}`);
  throw new RangeError(
    `Cannot go on from ${where}: it is of another run. These differ:\n${lines.join("\n")}\n` +
      "Give what is stored to go on, or another folder, or start over here: { again: true } as third argument of trainInFolder " +
      "keeps the old files in a folder next to it.",
  );
}

function differences({ checkpoint, run }: KeptCheckpoint, options: TrainOptions): Changed[] {
  const planned = plannedOf(options);
  const stored = {
    env: storedEnv(checkpoint, options),
    settings: settingsOf(readTrainOptions({ updates: 0 }), checkpoint),
  };
  const start = runStartOf(options);
  return [
    ...differing("", { env: stored.env.id }, { env: planned.env.id }),
    ...differing("envOptions", stored.env.options, planned.env.options),
    ...differingRules(checkpoint.recipe, planned.recipe),
    ...differing("", stored.settings, planned.settings),
    ...(checkpoint.rng === planned.rng
      ? []
      : [{ path: "seed", stored: seedText(run?.seed), given: seedText(start.seed) }]),
    ...(run ? differing("", { policy: run.policy }, { policy: start.policy }) : []),
  ];
}

const seedText = (seed: number | null | undefined): string =>
  seed === undefined ? "another" : seed === null ? "that of a checkpoint" : String(seed);

/** State that a new run of these options would store. */
function plannedOf(options: TrainOptions): Pick<Checkpoint, "env" | "recipe" | "settings" | "rng"> {
  const resume = options.resume && expectCheckpoint(options.resume);
  const found = readTrainOptions(resume ? { ...options, resume } : options, resume ? "resume" : "train");
  const id = found.env ?? resume?.env.id;
  if (id === undefined) throw new TypeError("Cannot train: env must be an id or an environment, got none.");
  const { spec } = typeof id === "object" ? id : make(id, resume ? resume.env.options : found.envOptions);
  return {
    env: spec,
    recipe: resume ? resumedRecipe(resume.recipe, found.recipe) : recipeFrom(found.recipe),
    settings: settingsOf(found, resume),
    rng: resume?.rng ?? createRng(found.seed).split("train").state(),
  };
}

/** The stored world, with the defaults of options that were added to it since. */
function storedEnv({ env }: Checkpoint, options: TrainOptions): Checkpoint["env"] {
  return env.id === options.env ? make(env.id, env.options).spec : env;
}

function differingRules(kept: Recipe, given: Recipe): Changed[] {
  // A file keeps only the labels of custom functions: these are compared when they are handed in again.
  const stored = hasOwnFunctions(kept) ? resumedRecipe(kept, given) : resumedRecipe(kept, undefined);
  return [
    ...differing("recipe", { name: stored.name }, { name: given.name }),
    ...compareRecipes(stored, given).differences.map(({ field, values }) => ({
      path: `recipe.${field}`,
      stored: values[0]!,
      given: values[1]!,
    })),
  ];
}

function differing(path: string, stored: unknown, given: unknown): Changed[] {
  const [before, now] = [leaves(path, plain(stored)), leaves(path, plain(given))];
  return [...new Set([...before.keys(), ...now.keys()])]
    .map((at) => ({ path: at, stored: before.get(at) ?? "nothing", given: now.get(at) ?? "nothing" }))
    .filter(({ stored: old, given: current }) => old !== current);
}

function leaves(path: string, value: unknown): Map<string, string> {
  if (typeof value !== "object" || value === null) return new Map([[path, show(value)]]);
  const below = Object.entries(value).map(([key, inner]) =>
    leaves(path === "" ? key : `${path}.${key}`, inner),
  );
  return new Map(below.flatMap((one) => [...one]));
}

/** As a file gives it back. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null)) as unknown;
