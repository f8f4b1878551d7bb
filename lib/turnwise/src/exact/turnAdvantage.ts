import type { Env } from "../env/env";
import { contextKey, type Policy } from "../policy/policy";
import type { Batch } from "../batch/batch";
import { enumerateReturn } from "./enumerateReturn";

/** Values and advantages of the turns of a batch, by enumeration. */
export interface ExactTurns {
  readonly J: number;
  /** d J / d parameters. */
  readonly gradient: Float64Array;
  /** V of the policy's context before each turn, flat [N, T]; 0 after the end. */
  value_nt(batch: Batch): Float64Array;
  /** A of each turn that was taken, flat [N, T]; 0 after the end. */
  advantage_nt(batch: Batch): Float64Array;
}

/**
 * Exact value of every turn of a batch, under the policy that sampled it.
 *
 * ```
 * A(h, a) = Q(h, a) - V(h),   V(h) = E[sum of the rewards from here on | h],   Q the same given the turn a
 * ```
 * h is what the policy makes of the history; if it forgets, Q and V are means over the histories that it cannot tell apart.
 * Rewards are undiscounted. A rule's own answer to "who deserves the credit?" can be compared with this one.
 *
 * @throws {TypeError} if the environment cannot be enumerated
 * @throws {RangeError} if there are too many histories, or the batch holds a turn that the policy cannot take there
 */
export function exactTurns(env: Env, policy: Policy): ExactTurns {
  const { J, gradient, histories } = enumerateReturn(env, policy);
  const known = new Map(
    histories.map(({ turn, key, value, turns, turnValue }) => [
      `${turn}/${key}`,
      { value, q: new Map(turns.map(({ tokens }, i) => [tokens.join(), turnValue[i]!])) },
    ]),
  );
  const each = (batch: Batch, of: (entry: { value: number; q: number }) => number): Float64Array => {
    const [N, T, L] = batch.shape;
    const result = new Float64Array(N * T);
    for (let n = 0; n < N; n++) {
      for (let t = 0; t < batch.turnCount_n[n]!; t++) {
        const first = (n * T + t) * L;
        const tokens = Array.from(batch.token_ntl.subarray(first, first + L)).filter(
          (_, l) => batch.mask_ntl[first + l] === 1,
        );
        const entry = known.get(`${t}/${contextKey(batch.context_nt[n]![t])}`);
        const q = entry?.q.get(tokens.join());
        if (entry === undefined || q === undefined) {
          throw new RangeError(
            `Cannot value a turn: the policy must be able to take it, but turn ${t} of ${batch.trajectoryId[n]!} is not among its turns.`,
          );
        }
        result[n * T + t] = of({ value: entry.value, q });
      }
    }
    return result;
  };
  return {
    J,
    gradient,
    value_nt: (batch) => each(batch, ({ value }) => value),
    advantage_nt: (batch) => each(batch, ({ value, q }) => q - value),
  };
}
