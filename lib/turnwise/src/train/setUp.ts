import { show } from "../base/show";
import { advantageOf } from "../rule/advantage";
import { orderOf } from "../rule/order";
import { make } from "../env";
import { asItWas } from "../env/asItWas";
import type { Env } from "../env/env";
import { createPolicy } from "../policy/create";
import type { Policy } from "../policy/policy";
import {
  recipe as recipeOf,
  recipeNeeds,
  type RecipeNameInput,
  type Recipe,
  type RecipeOverrides,
} from "../rule";
import { recipeSchema } from "../rule/schema";
import { withCurrentNames } from "../schema";
import { expectCheckpoint, type Checkpoint } from "./checkpoint";
import { resumedRecipe } from "./resumedRecipe";
import { teacherOf, type TeacherChoice } from "./distil/teacher";
import { readTrainOptions, settingsOf, type ResolvedOptions, type TrainOptions } from "./options";
import type { RetrievedTokens, TrainSettings } from "./settings";

/** Parts of a run. */
export interface Setup {
  readonly env: Env;
  readonly policy: Policy;
  readonly recipe: Recipe;
  /** Policy from which the rule measures divergences; undefined for the policy's own beginning. */
  readonly teacher: Policy | undefined;
  readonly settings: TrainSettings;
  readonly updates: number;
  readonly seed: number;
  readonly signal: AbortSignal | undefined;
  readonly resume: Checkpoint | undefined;
}

/** Checks the options, and makes what they name: environment, recipe and policy, new ones or the checkpoint's. */
export function setUp(given: TrainOptions): Setup {
  const resume = given.resume && expectCheckpoint(given.resume);
  const options = resume ? { ...given, resume } : given;
  const found = readTrainOptions(options, resume ? "resume" : "train");
  const env = environmentOf(found, resume);
  const recipe = resume ? resumedRecipe(resume.recipe, found.recipe) : recipeFrom(found.recipe);
  const settings = settingsOf(found, resume);
  expectCredit(settings.observationTokens, recipe);
  if (settings.observationTokens !== "masked" && recipe.regularizer.observationCoef > 0) {
    throw new RangeError(
      `Cannot train on retrieved tokens: regularizer.observationCoef must be 0 where they have the advantage of the trajectory, got ${recipe.regularizer.observationCoef}.`,
    );
  }
  const { updates, seed, signal } = found;
  const policy = policyOf(found, env, recipe);
  const teacher = teacherOf(resume ? keptTeacher(resume, found.teacher) : found.teacher, {
    env,
    policy,
    recipe,
  });
  if (teacher && settings.observationTokens !== "masked") {
    throw new RangeError(
      'Cannot train with a teacher: retrieved must be "masked", since the teacher gives no probabilities of what the environment writes, got "trained".',
    );
  }
  // Refused before the first update, and not by the evaluation after it.
  if (settings.evalEvery > 0) asItWas("evaluate while training", env, "set evalEvery to 0");
  expectFew(settings);
  expectRoom(settings.groupSize, recipe);
  expectOwnRollout(settings, recipe);
  return { env, policy, recipe, teacher, settings, updates, seed, signal, resume };
}

/** The most trajectories of a batch: more end in the memory's limit, which no program can catch. */
const MOST = 1_000_000;

function expectFew({ groups, groupSize, evalEpisodes }: TrainSettings): void {
  for (const [name, count] of [
    ["groups times groupSize", groups * groupSize],
    ["evalEpisodes", evalEpisodes],
  ] as const)
    if (count > MOST) throw new RangeError(`Cannot train: ${name} must be at most ${MOST}, got ${count}.`);
}

function expectRoom(groupSize: number, { name, demonstrations }: Recipe): void {
  if (!(groupSize <= demonstrations)) return;
  throw new RangeError(
    `Cannot train with recipe ${name}: groupSize must be above its demonstrations, ${demonstrations}, got ${groupSize}.`,
  );
}

/** A teacher's demonstrations come from no engine that could be behind, or draw from a part of its distribution. */
function expectOwnRollout(settings: TrainSettings, { name, demonstrations }: Recipe): void {
  if (demonstrations === 0) return;
  for (const [option, usual] of [
    ["staleness", 0],
    ["topP", 1],
    ["rolloutLogProb", "processed"],
  ] as const) {
    if (settings[option] === usual) continue;
    throw new RangeError(
      `Cannot train with recipe ${name}: ${option} must be ${usual} with demonstrations, which no rollout engine draws, ` +
        `got ${settings[option]}.`,
    );
  }
}

/**
 * The teacher of a run that goes on: a checkpoint keeps the optimum by its name, and of another policy only the numbers.
 *
 * @throws {TypeError} if another kind of teacher is given than the run had
 */
function keptTeacher(
  { teacher: kept }: Checkpoint,
  given: TeacherChoice | undefined,
): TeacherChoice | undefined {
  if (kept === "optimal" && (given === undefined || given === "optimal")) return kept;
  if (kept === undefined && given === undefined) return undefined;
  if (typeof kept === "string" && kept !== "optimal" && typeof given === "object" && given.name === kept)
    return given;
  const current = given === undefined ? "none" : typeof given === "string" ? given : given.name;
  throw new TypeError(
    `Cannot resume: teacher must be that of the checkpoint, ${kept ?? "none"}, given again unless it is "optimal", got ${current}.`,
  );
}

function environmentOf(options: ResolvedOptions, resume: Checkpoint | undefined): Env {
  if (typeof options.env === "object") {
    if (options.envOptions) {
      throw new TypeError(
        "Cannot train: envOptions must come with an id, but env is already an environment.",
      );
    }
    return options.env;
  }
  const id = options.env ?? resume?.env.id;
  if (id === undefined) throw new TypeError("Cannot train: env must be an id or an environment, got none.");
  return make(id, resume ? resume.env.options : options.envOptions);
}

export function recipeFrom(written: Recipe | RecipeNameInput | undefined): Recipe {
  const given = withCurrentNames(recipeSchema, written) as typeof written;
  if (given === undefined) {
    throw new TypeError("Cannot train: recipe must be a rule or the name of one, got none.");
  }
  if (typeof given === "string") return recipeOf(given);
  const { name, ...fields } = given;
  // A record with a name and a few fields is the named rule with these changed, as in a plan.
  return Object.keys(recipeSchema.properties).every((field) => field in given)
    ? given
    : recipeOf(name, fields as RecipeOverrides);
}

function policyOf({ policy: given, seed }: ResolvedOptions, env: Env, recipe: Recipe): Policy {
  const valueHead = recipeNeeds(recipe).value;
  if (typeof given === "function")
    return expectNew(expectPolicy(given(env, { seed, valueHead }), given.name), given.name);
  if (given && "sample" in given) return given;
  return createPolicy(env.spec, { valueHead, seed, ...given });
}

/** Policies that functions have made: one that comes twice would go into the second run already trained. */
const made = new WeakSet<Policy>();

function expectNew(policy: Policy, maker: string): Policy {
  if (made.has(policy)) {
    throw new RangeError(
      `Cannot train: the function ${maker === "" ? "of policy" : maker} must make a new policy for each run, but it returned one ` +
        "that an earlier run has trained. Make it inside the function, or give the policy itself to go on training it.",
    );
  }
  made.add(policy);
  return policy;
}

function expectPolicy(made: unknown, maker: string): Policy {
  if (typeof made === "object" && made !== null && "sample" in made) return made as Policy;
  throw new TypeError(
    `Cannot train: the function ${maker === "" ? "of policy" : maker} must return a policy, ` +
      `got ${made instanceof Promise ? "a promise (leave out async)" : show(made)}.`,
  );
}

/** Tokens of the environment can only get the advantage of a whole trajectory, while all turns move at once. */
function expectCredit(retrieved: RetrievedTokens, { advantage, order }: Recipe): void {
  if (retrieved === "masked") return;
  if (advantageOf(advantage).wholeTrajectory && !orderOf(order).turnByTurn) return;
  throw new RangeError(
    `Cannot train on retrieved tokens: the rule must credit whole trajectories and update all turns at once, ` +
      `got advantage ${advantage.kind} and order ${order.kind}.`,
  );
}

/** Gives an environment that changes with training, such as a curriculum, the state that a checkpoint holds. */
export function restoreEnv(env: Env, { envState }: Checkpoint): void {
  if (envState === undefined) return;
  if (!env.restore) {
    throw new TypeError(
      `Cannot resume: env must be the curriculum that was trained, but the checkpoint holds its state, and ${env.spec.id} takes none.`,
    );
  }
  env.restore(envState);
}
