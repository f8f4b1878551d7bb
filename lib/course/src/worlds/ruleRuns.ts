import type { Recipe, RecipeName } from "turnwise/internal/rule/index";
import { recipe as named } from "turnwise/internal/rule/index";
import { train } from "turnwise/internal/train/index";

/** World in which all rules are compared, and why it is one of the three. */
export interface BoardWorld {
  readonly id: string;
  readonly asks: string;
}

/** Three small worlds that tell rules apart: all are trained in seconds, and the return of a policy is enumerated, not sampled. */
export const boardWorlds: readonly BoardWorld[] = Object.freeze([
  { id: "LookUp-v0", asks: "to call a tool, then to use its reply" },
  { id: "Tiger-v0", asks: "how long to listen before acting" },
  { id: "BiArmBandit-v0", asks: "a rare prize, worth more than a salary" },
]);

/** Budget of a run on the board: batches of 8 groups of 8. No other stored table uses its seeds. */
export const boardBudget = Object.freeze({
  updates: 100,
  seeds: Object.freeze(Array.from({ length: 20 }, (_, i) => 9000 + i)),
});

/** Exact return of a rule's policy at the end of its run on the board. A loss that is not finite ends in an error. */
export async function boardRun(rule: Recipe, world: string, seed: number): Promise<number> {
  const { updates } = boardBudget;
  const records = train({ env: world, recipe: rule, updates, seed, exactEvery: updates });
  let reached = NaN;
  for await (const { metrics } of records) reached = metrics["return/exact"] ?? reached;
  return reached;
}

/** Job of the board's stored scores. */
export async function boardJob({
  rule,
  world,
  seed,
}: {
  readonly rule: RecipeName;
  readonly world: string;
  readonly seed: number;
}): Promise<{ readonly reached: number }> {
  return { reached: await boardRun(named(rule), world, seed) };
}

/** Runs behind each rule's learning curve: those whose last returns `explain` shows. */
export const curveBudget = Object.freeze({
  env: "LookUp-v0",
  updates: 150,
  every: 5,
  seeds: Object.freeze([1, 2, 3, 4, 5]),
});

/** Job of a rule's stored learning curve: exact returns after every fifth update. */
export async function curveJob({
  rule,
  seed,
}: {
  readonly rule: RecipeName;
  readonly seed: number;
}): Promise<{ readonly returns: readonly number[] }> {
  const { env, updates, every } = curveBudget;
  const returns: number[] = [];
  for await (const { metrics } of train({ env, recipe: rule, updates, seed, exactEvery: every })) {
    const reached = metrics["return/exact"];
    if (reached !== undefined) returns.push(reached);
  }
  return { returns };
}
