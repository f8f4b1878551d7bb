import {
  advantages,
  make,
  recipe,
  scriptedBatch,
  surrogateGradient,
  type RecipeOverrides,
  createRng,
} from "turnwise";
import { filterGroups, turnSchedule } from "turnwise/internal/rule/index";

/** Two trajectories of one group: the first of one turn, the second of two; three tokens a turn at most. */
export const batch = scriptedBatch(make("LookUp-v0"), [
  [["ANSWER", "0"]],
  [
    ["LOOKUP", "0"],
    ["ANSWER", "3"],
  ],
]);
export const [N, T, L] = batch.shape;

export const refusal = (f: () => unknown): Error => {
  try {
    f();
  } catch (error) {
    return error as Error;
  }
  throw new Error("nothing was refused");
};
export const told = (f: () => unknown): string => {
  const { name, message } = refusal(f);
  return `${name}: ${message}`;
};

/** What a row says of the batch: advantages, then loss and gradient. */
export function update(overrides: RecipeOverrides, name: "grpo" | "ppo" = "grpo"): unknown {
  const row = recipe(name, overrides);
  filterGroups(batch, row);
  turnSchedule(row, T, createRng(1));
  const { advantage_ntl } = advantages(batch, row, new Float64Array(N * T));
  const { shape, mask_ntl, oldLogProb_ntl } = batch;
  return surrogateGradient(
    { shape, mask_ntl, oldLogProb_ntl, logProb_ntl: oldLogProb_ntl.map((x) => x - 0.1), advantage_ntl },
    row,
  );
}
export const refused = (overrides: RecipeOverrides, name?: "grpo" | "ppo"): string =>
  told(() => update(overrides, name));

export const anything = (value: unknown): never => value as never;
