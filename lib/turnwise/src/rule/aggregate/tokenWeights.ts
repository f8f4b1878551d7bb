import { expectLength } from "../../base/expect";
import { aggregateOf, type AggregateChoice } from "./index";
import type { Counts } from "./contract";
import { weightsOf } from "./custom";

type Shape = readonly [n: number, t: number, l: number];

/**
 * The weight of every token in the loss, so that loss = -sum_ntl weight * objective.
 *
 * ```
 * M = active tokens, N = rows (for the means: rows with an active token), K = active turns
 * tokenMean              batch: 1 / M              turn: 1 / M_t
 * sequenceMeanTokenMean  batch: 1 / (N * M_n)      turn: 1 / (N_t * M_nt)
 * turnMean          trajectory: 1 / (N * K_n * M_nt)  batch: 1 / (K * M_nt)
 * constant               batch: 1 / (N * length)   turn: 1 / (N_t * length),   "maximum" = T * L
 * ```
 *
 * Weights are taken over the whole minibatch and do not depend on which turns a step updates: a sequential order visits
 * the same terms as the simultaneous one. The denominator by itself moves results as much as the update order, so two
 * orders are only ever compared with the same one.
 *
 * @see DAPO, arXiv 2503.14476 (tokenMean); GRPO, arXiv 2402.03300 (sequenceMeanTokenMean); Dr. GRPO, arXiv
 *   2503.20783 (constant, maximum); WebAgent-R1, arXiv 2505.16421 (turnMean over trajectory); StepPO, arXiv
 *   2604.18401 (turnMean over batch); the SeeUPO code averages each turn's own batch (per: "turn")
 * @throws {TypeError} if the mask does not fit the shape
 */
export function tokenWeights(
  shape: Shape,
  mask_ntl: ArrayLike<number>,
  aggregate: AggregateChoice,
): Float64Array {
  expectLength("token weights", "mask_ntl", mask_ntl, shape);
  const [N, T, L] = shape;
  const denominators = aggregateOf(aggregate);
  const everywhere = denominators.everywhere(aggregate, shape, () => {
    let tokens = 0;
    for (let i = 0; i < N * T * L; i++) if (mask_ntl[i] === 1) tokens += 1;
    return tokens;
  });
  if (everywhere !== null) return equalWeights(mask_ntl, 1 / everywhere);
  const counts = countsOf(shape, mask_ntl);
  const weight_ntl = new Float64Array(N * T * L);
  for (let n = 0; n < N; n++) {
    for (let t = 0; t < T; t++) {
      const nt = n * T + t;
      if (counts.tokens_nt[nt] === 0) continue;
      if (aggregate.kind === "custom") {
        const weights = weightsOf(aggregate, counts, n, t);
        for (let i = nt * L, k = 0; i < (nt + 1) * L; i++)
          if (mask_ntl[i] === 1) weight_ntl[i] = weights[k++]!;
        continue;
      }
      const weight = 1 / denominators.of(aggregate, counts, n, t);
      for (let i = nt * L; i < (nt + 1) * L; i++) if (mask_ntl[i] === 1) weight_ntl[i] = weight;
    }
  }
  return weight_ntl;
}

/** Equal weights, without counting the turns if no count is needed. */
function equalWeights(mask_ntl: ArrayLike<number>, weight: number): Float64Array {
  const weight_ntl = new Float64Array(mask_ntl.length);
  for (let i = 0; i < weight_ntl.length; i++) if (mask_ntl[i] === 1) weight_ntl[i] = weight;
  return weight_ntl;
}

function countsOf([N, T, L]: Shape, mask_ntl: ArrayLike<number>): Counts {
  const tokens_nt = new Float64Array(N * T);
  for (let nt = 0; nt < N * T; nt++) {
    for (let l = 0; l < L; l++) if (mask_ntl[nt * L + l] === 1) tokens_nt[nt]! += 1;
  }
  const tokens_n = new Float64Array(N);
  const turns_n = new Float64Array(N);
  const tokens_t = new Float64Array(T);
  const rows_t = new Float64Array(T);
  let [turns, rows, tokens] = [0, 0, 0];
  for (let n = 0; n < N; n++) {
    for (let t = 0; t < T; t++) {
      const count = tokens_nt[n * T + t]!;
      if (count === 0) continue;
      tokens_n[n]! += count;
      tokens_t[t]! += count;
      turns_n[n]! += 1;
      rows_t[t]! += 1;
    }
    turns += turns_n[n]!;
    tokens += tokens_n[n]!;
    if (tokens_n[n]! > 0) rows += 1;
  }
  return { N, T, L, tokens_nt, tokens_n, turns_n, tokens_t, rows_t, rows, turns, tokens };
}
