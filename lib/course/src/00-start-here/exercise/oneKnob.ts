import { enumerateReturn } from "turnwise/internal/exact/enumerateReturn";
import { compareRecipes, recipe, type Recipe } from "turnwise/internal/rule/index";
import { train } from "turnwise/internal/train/index";
import { NotYet, Passed } from "../../shared/exercise/verdict";

/** A rule that differs from the recipe of its name in one field and no longer learns. */
export type OneKnobAnswer = Recipe;

const exercise = "oneKnob";
const seeds = [1, 2, 3];
const updates = 80;

/** The mean exact return on LookUp-v0 at the end of short runs; the optimum is 1, and a guess is worth 0. */
async function learned(rule: Recipe): Promise<number> {
  let total = 0;
  for (const seed of seeds) {
    const run = train({ env: "LookUp-v0", policy: { syntaxPrior: 3 }, recipe: rule, updates, seed });
    for await (const _ of run);
    total += enumerateReturn(run.env, run.policy, { gradient: false }).J;
  }
  return total / seeds.length;
}

/**
 * Whether changing one field of a rule that learns LookUp-v0 keeps it from learning.
 *
 * Both rules train a policy that knows the format of a call: 80 updates of 64 trajectories, seeds 1 to 3. A rule has learned
 * with a mean exact return of at least 0.9 and is broken with at most 0.5.
 *
 * @throws {NotYet} if the rule still learns, or not exactly one field was changed
 */
export async function checkOneKnob(answer: OneKnobAnswer): Promise<Passed> {
  const wrong = (sentence: string): NotYet => new NotYet(exercise, sentence);
  if (typeof answer !== "object" || answer === null || !("gate" in answer)) {
    throw new TypeError(`Cannot check ${exercise}: the answer must be a recipe, got ${typeof answer}.`);
  }
  const base = recipe(answer.name);
  const { differences } = compareRecipes(base, answer);
  const fields = [...new Set(differences.map(({ field }) => field.split(".")[0]!))];
  if (fields.length === 0) throw wrong(`the rule is ${answer.name} as it stands; change one field of it.`);
  if (fields.includes("update")) {
    throw wrong("optimizer and number of steps are no part of the rule; change another field.");
  }
  if (fields.length > 1) {
    throw wrong(`it changes ${String(fields.length)} fields (${fields.join(", ")}); change one.`);
  }
  const before = await learned(base);
  if (before < 0.9) {
    throw wrong(
      `${answer.name} does not learn this world as it stands (exact return ${before.toFixed(2)}); break one that does.`,
    );
  }
  const after = await learned(answer);
  if (after > 0.5) {
    throw wrong(
      `the rule still learns: exact return ${after.toFixed(2)}, and ${before.toFixed(2)} without the change.`,
    );
  }
  return new Passed(
    exercise,
    `${fields[0]!}: exact return ${before.toFixed(2)} before, ${after.toFixed(2)} after`,
  );
}
