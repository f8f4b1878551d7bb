import { make, type Env, type EnumerableEnv } from "turnwise/internal/env/index";
import { enumerateReturn } from "turnwise/internal/exact/index";
import { createPolicy } from "turnwise/internal/policy/index";
import { recipe, type Recipe, type RecipeOverrides } from "turnwise/internal/rule/index";
import { train } from "turnwise/internal/train/index";

/** Two rules that differ in one choice about turns. */
export interface TurnChoice {
  readonly choice: string;
  readonly rows: readonly [Recipe, Recipe];
}

const base: RecipeOverrides = {
  scale: "none",
  update: { epochs: 2, minibatches: 2, optimizer: { kind: "adam", learningRate: 0.05 } },
};
const row = (cells: RecipeOverrides = {}): Recipe => recipe("grpo", { ...base, ...cells });
const sequential = (kind: "reverse" | "simultaneous"): Recipe =>
  recipe("seeUpo", { ...base, ...(kind === "simultaneous" && { order: "simultaneous" }) });

/** The choices that are about turns. Where an episode has a single turn, the two rules of each are one rule. */
export const turnChoices: readonly TurnChoice[] = Object.freeze([
  {
    choice: "credit: trajectory or turn",
    rows: [row(), row({ advantage: { kind: "perTurn", credit: "rewardToGo" } })],
  },
  {
    choice: "ratio: trajectory or turn",
    rows: [
      row({ ratio: { level: "trajectory", pooling: "geometric" } }),
      row({ ratio: { level: "turn", pooling: "geometric" } }),
    ],
  },
  {
    choice: "order: simultaneous or reverse with carry",
    rows: [sequential("simultaneous"), sequential("reverse")],
  },
]);

/** MatrixChain-v0 with the library's guess-or-look-up game, played turn by turn or as one whole plan. */
export function lookUpIn(
  horizon: "turns" | "one",
  observe: "information" | "full" = "information",
): EnumerableEnv {
  return make("MatrixChain-v0", { game: "guessOrLookUp", horizon, observe }) as EnumerableEnv;
}

/**
 * The largest difference between the exact returns of two rules, over some updates from one seed: 0 where they are one rule.
 *
 * @throws {RangeError} if `train` refuses a rule
 */
export async function rowDifference(
  env: Env,
  [a, b]: TurnChoice["rows"],
  o: { readonly seed?: number; readonly updates?: number } = {},
): Promise<number> {
  const curve = async (own: Recipe): Promise<number[]> => {
    const run = train({
      env,
      recipe: own,
      updates: o.updates ?? 30,
      groups: 4,
      seed: o.seed ?? 0,
      policy: createPolicy(env.spec, { kind: "tabular" }),
    });
    const returns: number[] = [];
    for await (const _ of run) returns.push(enumerateReturn(env, run.policy, { gradient: false }).J);
    return returns;
  };
  const [first, second] = [await curve(a), await curve(b)];
  return Math.max(...first.map((x, i) => Math.abs(x - second[i]!)));
}
