import { expectFinite, expectWithin } from "../../base/expect";

export interface GaeOptions {
  readonly reward_nt: number[][];
  /** One column more than the rewards: the last is the value after the last step. */
  readonly value_nt: number[][];
  /** 1 where the episode ended with that step: nothing flows back across it. */
  readonly done_nt: number[][];
  readonly gamma: number;
  readonly lambda: number;
}

const what = "GAE";

/**
 * Generalized advantage estimation over any time axis t (turns or tokens).
 *
 * ```
 * delta_t  = r_t + gamma * (1 - done_t) * V_{t+1} - V_t
 * A_t      = delta_t + gamma * lambda * (1 - done_t) * A_{t+1}
 * return_t = A_t + V_t
 * ```
 *
 * Rows of `reward_nt` and `done_nt` have T entries, rows of `value_nt` T + 1; all in units of reward.
 *
 * @throws {TypeError} if the shapes do not fit
 * @throws {RangeError} if gamma or lambda lies outside [0, 1] or a number is not finite
 * @example
 * import { gae } from "turnwise";
 * const episode = { reward_nt: [[0, 1]], value_nt: [[0.5, 0.5, 0]], done_nt: [[0, 1]] };
 * gae({ ...episode, gamma: 1, lambda: 0 }).advantage_nt; // => [[0, 0.5]]
 * @see Schulman et al., arXiv 1506.02438, Eq. 11 to 16
 */
export function gae(o: GaeOptions): { advantage_nt: number[][]; return_nt: number[][] } {
  const { reward_nt, value_nt, done_nt, gamma, lambda } = o;
  expectDiscounts(gamma, lambda);
  if (value_nt.length !== reward_nt.length || done_nt.length !== reward_nt.length) {
    const rows = `${String(reward_nt.length)}, ${String(value_nt.length)}, ${String(done_nt.length)}`;
    throw new TypeError(
      `Cannot compute ${what}: reward_nt, value_nt and done_nt must have equally many rows, got ${rows}.`,
    );
  }
  const advantage_nt = reward_nt.map((reward_t, n) => {
    const value_t = value_nt[n]!;
    const done_t = done_nt[n]!;
    if (value_t.length !== reward_t.length + 1 || done_t.length !== reward_t.length) {
      const sizes = `${String(reward_t.length)} rewards, ${String(value_t.length)} values, ${String(done_t.length)} dones`;
      throw new TypeError(
        `Cannot compute ${what}: row ${String(n)} must have one value more than rewards, and as many dones, got ${sizes}.`,
      );
    }
    expectFinite(what, `reward_nt[${String(n)}]`, reward_t);
    expectFinite(what, `value_nt[${String(n)}]`, value_t);
    const advantage_t = new Array<number>(reward_t.length);
    gaeBackwards(reward_t.length, reward_t, value_t, done_t, gamma, lambda, advantage_t);
    return advantage_t;
  });
  const return_nt = advantage_nt.map((advantage_t, n) => advantage_t.map((a, t) => a + value_nt[n]![t]!));
  return { advantage_nt, return_nt };
}

/** The sweep over one row of `steps`, from its end to its beginning, into `advantage_t`. */
export function gaeBackwards(
  steps: number,
  reward_t: ArrayLike<number>,
  value_t: ArrayLike<number>,
  done_t: ArrayLike<number>,
  gamma: number,
  lambda: number,
  advantage_t: Record<number, number>,
): void {
  let next = 0;
  for (let t = steps - 1; t >= 0; t--) {
    const goesOn = 1 - done_t[t]!;
    const delta = reward_t[t]! + gamma * goesOn * value_t[t + 1]! - value_t[t]!;
    next = delta + gamma * lambda * goesOn * next;
    advantage_t[t] = next;
  }
}

/** @throws {RangeError} if gamma or lambda lies outside [0, 1] */
export function expectDiscounts(gamma: number, lambda: number): void {
  expectWithin(what, "gamma", gamma, 0, 1);
  expectWithin(what, "lambda", lambda, 0, 1);
}
