import type { Batch } from "turnwise/internal/batch/batch";
import { advantages, groupValues, recipe } from "turnwise/internal/rule/index";

const critic = recipe("stepPo", { scale: "none", advantage: { kind: "gae", lambda: 0 } });

/**
 * The advantage of every token of a group under a critic that values each turn. The critic is a table that has seen this group: the
 * value of a turn is the mean return of all who have written the same so far.
 *
 * ```
 * A_t = r_t + V_{t+1} - V_t
 * ```
 */
export function stepCredit(group: Batch): Float64Array {
  return advantages(group, critic, groupValues(group)).advantage_ntl;
}
