import type { Metrics } from "../../base/glossary";
import { cellName } from "../../batch/cells";
import type { Recipe } from "../recipe";
import { klEstimate } from "../regularizer/kl";
import { addExactKlGradient, exactKl } from "../regularizer/kl/exact";
import { penaltiesOf, type Penalty } from "../regularizer/penalties";
import type { SurrogateInput } from "./surrogateInput";
import type { Sums } from "./surrogateBuffers";

export interface Charged {
  /** coef * sum_ntl w * KL, over all penalties. */
  readonly loss: number;
  /** Its derivative in the logits; only from penalties that read whole distributions. */
  readonly dLogit_ntlv?: Float64Array;
  /** Means over the tokens, without weights. */
  readonly metrics: Metrics;
}

/** Adds the divergence penalties of a rule; the derivatives in log-probs of sampled tokens are added to those of `sums`. */
export function chargePenalties(input: SurrogateInput, { regularizer }: Recipe, sums: Sums): Charged {
  const penalties = penaltiesOf(regularizer, sums.tally.fractionOutside());
  const metrics: Metrics = {};
  let loss = 0;
  let dLogit_ntlv: Float64Array | undefined;
  for (const penalty of penalties) {
    const exact = penalty.kl.estimator === "exact";
    if (exact) dLogit_ntlv ??= new Float64Array(input.logProb_ntlv!.length);
    const { weighted, total, tokens } = exact
      ? chargeExact(input, penalty, sums, dLogit_ntlv!)
      : chargeSampled(input, penalty, sums);
    loss += penalty.coef * weighted;
    if (penalty.metric !== undefined && tokens > 0) metrics[penalty.metric] = total / tokens;
  }
  return { loss, ...(dLogit_ntlv && { dLogit_ntlv }), metrics };
}

/** Of one penalty: with the tokens' weights, without them, and over how many. */
interface Sum {
  readonly weighted: number;
  readonly total: number;
  readonly tokens: number;
}

function chargeSampled(
  { logProb_ntl, oldLogProb_ntl, refLogProb_ntl }: SurrogateInput,
  { other, coef, kl }: Penalty,
  { weight_ntl, active_ntl, dLogProb_ntl }: Sums,
): Sum {
  const others = other === "old" ? oldLogProb_ntl : refLogProb_ntl!;
  let weighted = 0;
  let total = 0;
  let tokens = 0;
  for (let i = 0; i < active_ntl.length; i++) {
    if (active_ntl[i] !== 1) continue;
    const { value, slope } = klEstimate(kl, {
      logProb: logProb_ntl[i]!,
      other: others[i]!,
      oldLogProb: oldLogProb_ntl[i]!,
    });
    weighted += weight_ntl[i]! * value;
    total += value;
    tokens += 1;
    dLogProb_ntl[i]! += coef * weight_ntl[i]! * slope;
  }
  return { weighted, total, tokens };
}

function chargeExact(
  input: SurrogateInput,
  { path, other, coef, kl: { direction } }: Penalty,
  { weight_ntl, active_ntl }: Sums,
  dLogit_ntlv: Float64Array,
): Sum {
  const logProbs = input.logProb_ntlv!;
  const others = (other === "old" ? input.oldLogProb_ntlv : input.refLogProb_ntlv)!;
  const size = logProbs.length / active_ntl.length;
  let weighted = 0;
  let total = 0;
  let tokens = 0;
  for (let i = 0; i < active_ntl.length; i++) {
    if (active_ntl[i] !== 1) continue;
    const cell = { logProbs, others, at: i * size, size };
    const kl = exactKl(direction, cell);
    if (!Number.isFinite(kl)) refuse(path, kl, input, i);
    weighted += weight_ntl[i]! * kl;
    total += kl;
    tokens += 1;
    addExactKlGradient(direction, cell, kl, coef * weight_ntl[i]!, dLogit_ntlv);
  }
  return { weighted, total, tokens };
}

function refuse(path: string, kl: number, input: SurrogateInput, cell: number): never {
  throw new RangeError(
    `Cannot compute the surrogate gradient: the divergence of ${path} must be finite, but it is ${kl} at ${cellName(input, cell)}, ` +
      "where one policy rules out a token that the other may choose.",
  );
}
