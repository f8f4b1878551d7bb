import type { Rng } from "../../base/rng";
import type { Recipe } from "../recipe";
import { orderOf } from "./index";

type NamedOrder = Exclude<Recipe["order"]["kind"], "custom">;
type OwnOrder = Extract<Recipe["order"], { readonly kind: "custom" }>;

/**
 * The sets of turns (0-based) that a rule updates one after the other within an iteration; see `turnsInOrder`.
 *
 * @throws {RangeError} unless `turns` is a whole number of at least 1
 */
export function turnSchedule(recipe: Recipe, turns: number, rng: Rng): number[][] {
  const { order } = recipe;
  return turnsInOrder(order.kind === "custom" ? order : order.kind, turns, rng);
}

/**
 * The sets of turns (0-based) that an order updates one after the other within an iteration.
 *
 * simultaneous: one set of all turns; reverse: T-1, ..., 0; forward: 0, ..., T-1; random: a fresh permutation.
 *
 * @param rng needed by the random order only
 * @see SeeUPO, arXiv 2602.06554, Algorithm 1 (reverse); HAPPO, Zhong et al., JMLR 2024 (random permutation)
 * @throws {RangeError} unless `turns` is a whole number of at least 1, TypeError for a random order without a generator
 */
export function turnsInOrder(order: NamedOrder | OwnOrder, turns: number, rng?: Rng): number[][] {
  if (!Number.isInteger(turns) || turns < 1) {
    throw new RangeError(
      `Cannot schedule turns: their number must be an integer of at least 1, got ${String(turns)}.`,
    );
  }
  return orderOf(typeof order === "string" ? { kind: order } : order).sets(
    Array.from({ length: turns }, (_, t) => t),
    rng,
  );
}
