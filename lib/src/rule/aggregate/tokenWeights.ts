import { expectLength } from "../guard";
import type { AggregateChoice } from "../recipe";

type Shape = readonly [n: number, t: number, l: number];

/**
 * The weight of every token in the loss, so that loss = -sum_ntl weight * objective.
 *
 * ```
 * M = active tokens, N = rows (for the means: rows with an active token), K = active turns
 * tokenMean              batch: 1 / M              turn: 1 / M_t
 * sequenceMeanTokenMean  batch: 1 / (N * M_n)      turn: 1 / (N_t * M_nt)
 * turnMean          trajectory: 1 / (N * K_n * M_nt)  batch: 1 / (K * M_nt)
 * constant                      1 / (N * length),     "maximum" = T * L
 * ```
 *
 * Weights are taken over the whole minibatch and do not depend on which turns a step updates: a sequential order visits
 * the same terms as the simultaneous one. The denominator by itself moves results as much as the update order, so two
 * orders are only ever compared with the same one [D].
 *
 * @see DAPO, arXiv 2503.14476 (tokenMean) [P]; GRPO, arXiv 2402.03300 (sequenceMeanTokenMean) [P]; Dr. GRPO, arXiv
 *   2503.20783 (constant, maximum) [P]; WebAgent-R1, arXiv 2505.16421 (turnMean over trajectory) [S]; StepPO, arXiv
 *   2604.18401 (turnMean over batch) [S]; the SeeUPO code averages each turn's own batch (per: "turn") [P]
 * @throws TypeError when the mask does not fit the shape
 */
export function tokenWeights(
  shape: Shape,
  mask_ntl: ArrayLike<number>,
  aggregate: AggregateChoice,
): Float64Array {
  expectLength("token weights", "mask_ntl", mask_ntl, shape);
  const [N, T, L] = shape;
  const tokens_nt = new Float64Array(N * T);
  for (let nt = 0; nt < N * T; nt++) {
    for (let l = 0; l < L; l++) if (mask_ntl[nt * L + l] === 1) tokens_nt[nt]! += 1;
  }
  const weight_nt = turnWeights(N, T, L, tokens_nt, aggregate);
  const weight_ntl = new Float64Array(N * T * L);
  for (let i = 0; i < weight_ntl.length; i++) {
    if (mask_ntl[i] === 1) weight_ntl[i] = weight_nt[Math.floor(i / L)]!;
  }
  return weight_ntl;
}

function turnWeights(
  N: number,
  T: number,
  L: number,
  tokens_nt: Float64Array,
  aggregate: AggregateChoice,
): Float64Array {
  const tokens_n = new Float64Array(N);
  const turns_n = new Float64Array(N);
  const tokens_t = new Float64Array(T);
  const rows_t = new Float64Array(T);
  tokens_nt.forEach((tokens, nt) => {
    const n = Math.floor(nt / T);
    tokens_n[n]! += tokens;
    tokens_t[nt % T]! += tokens;
    if (tokens > 0) turns_n[n]! += 1;
    if (tokens > 0) rows_t[nt % T]! += 1;
  });
  const tokens = tokens_n.reduce((a, b) => a + b, 0);
  const turns = turns_n.reduce((a, b) => a + b, 0);
  const rows = tokens_n.filter((count) => count > 0).length;
  return tokens_nt.map((count, nt) => {
    if (count === 0) return 0;
    const n = Math.floor(nt / T);
    const t = nt % T;
    switch (aggregate.kind) {
      case "tokenMean":
        return 1 / (aggregate.per === "batch" ? tokens : tokens_t[t]!);
      case "sequenceMeanTokenMean":
        return 1 / (aggregate.per === "batch" ? rows * tokens_n[n]! : rows_t[t]! * count);
      case "turnMean":
        return 1 / (aggregate.over === "trajectory" ? rows * turns_n[n]! * count : turns * count);
      case "constant":
        return 1 / (N * (aggregate.length === "maximum" ? T * L : aggregate.length));
    }
  });
}
