import type { Batch } from "../../batch/batch";
import { expectLength } from "../../base/expect";

/** Values of a critic, in units of reward. Only the first is needed by most rules. */
export interface CriticValues {
  /** [N, T]: before each turn. */
  readonly value_nt?: ArrayLike<number>;
  /** [N, T, L]: before each token; without it, a token has the value of its turn. */
  readonly value_ntl?: ArrayLike<number>;
  /** [N, T]: HiPER's value of starting a segment at this turn; without it, `value_nt`. */
  readonly valueHigh_nt?: ArrayLike<number>;
  /** [N, T]: HiPER's value before the switch decision; without it, `value_nt`. */
  readonly valueTerm_nt?: ArrayLike<number>;
}

/** Advantages at the level at which the rule defines them, before any scaling of the batch. */
export interface Credit {
  readonly level: "trajectory" | "turn" | "token";
  /** [N], [N, T] or [N, T, L]. */
  readonly advantage: Float64Array;
  /** [N, T]: how each turn compares with its peers, for a gate that reads it. */
  readonly standing_nt?: Float64Array;
}

/** Reward after the rule's shaping: the batch's own where the rule shapes nothing. */
export interface ShapedReward {
  readonly return_n: Float64Array;
  readonly reward_nt: Float64Array;
  /** [N, T, L]: what a token itself is charged, already part of the other two; only from rules with `reward.kl`. */
  readonly charge_ntl?: Float64Array;
  /** [N, T]: what the environment paid, as the rule weighs it; left out where nothing else is paid. */
  readonly environment_nt?: Float64Array;
  /** Contribution of each reward-shaping term to the returns, [N] each. */
  readonly terms_n?: readonly Float64Array[];
}

const what = "advantages";

/** Value of turn t or token (t, l) of row n, whichever the critic gives. */
export function valuesPerToken(batch: Batch, values: CriticValues): (i: number) => number {
  const L = batch.shape[2];
  if (values.value_ntl !== undefined) {
    expectLength(what, "value_ntl", values.value_ntl, batch.shape);
    const value_ntl = values.value_ntl;
    return (i) => value_ntl[i]!;
  }
  const value_nt = valuesPerTurn(batch, values, "value_nt");
  return (i) => value_nt[Math.floor(i / L)]!;
}

export function valuesPerTurn(
  batch: Batch,
  values: CriticValues,
  head: "value_nt" | "valueHigh_nt" | "valueTerm_nt",
): ArrayLike<number> {
  const value_nt = values[head] ?? values.value_nt;
  if (value_nt === undefined) {
    throw new TypeError(`Cannot compute ${what}: a rule with a critic needs value_nt, got none.`);
  }
  expectLength(what, head, value_nt, batch.shape.slice(0, 2));
  return value_nt;
}

/** Cells of the turn that the policy sampled. */
export function activeTokens(batch: Batch, n: number, t: number): number[] {
  const [, T, L] = batch.shape;
  const start = (n * T + t) * L;
  const cells: number[] = [];
  for (let i = start; i < start + L; i++) if (batch.mask_ntl[i] === 1) cells.push(i);
  return cells;
}
