import type { Metrics } from "../../base/glossary";
import { show } from "../../base/show";
import { mergeObjects } from "../../base/mergeObjects";
import { zeros } from "../../tensor/zeros";
import { tokenWeights } from "../aggregate/tokenWeights";
import { chargePenalties } from "./chargePenalties";
import { chargeMoved, chosenTokens, withoutLeftOut } from "./chosenTokens";
import { ownLossGradient } from "../loss/ownLossGradient";
import { carriedAdvantage } from "../order/afterTurn";
import { foldedOldLogProb } from "../correction/folded";
import { expectFiniteSurrogate } from "./finiteSurrogate";
import { gateOf } from "../gate";
import type { Recipe } from "../recipe";
import { ownTerm } from "../regularizer/own";
import { clippingTriggeredOf } from "../regularizer/triggered";
import { entropyCoefOf, expectSurrogateInput, type SurrogateInput } from "./surrogateInput";
import type { Sums } from "./surrogateBuffers";
import { objectiveSum } from "./surrogateSums";
import { divergence, Tally } from "./tally";

export interface SurrogateGradient {
  /** To be minimized. */
  readonly loss: number;
  /** d loss / d logProb; 0 where masked and outside the turn set. */
  readonly dLogProb_ntl: Float64Array;
  /** d loss / d entropy; present when the rule has an entropy bonus. */
  readonly dEntropy_ntl?: Float64Array;
  /** d loss / d logits of each cell's softmax, on top of the rest; present when the row charges an exact KL. */
  readonly dLogit_ntlv?: Float64Array;
  /** d loss / d value; present when a custom loss goes through the values. */
  readonly dValue_nt?: Float64Array;
  /** Derivative of the clipped-out terms, C of SORL; present when the rule normalizes by its norm. */
  readonly dClipBias_ntl?: Float64Array;
  readonly metrics: Metrics;
}

const what = "the surrogate gradient";

/**
 * The rule's loss over the given turns and its derivative in every log-prob, in closed form.
 *
 * ```
 * loss = - sum_ntl w * c * gate(ratio, A) + coef * sum_ntl w * KL - entropyCoef * sum_ntl w * H + sum_ntl w * own
 * ```
 * with `w` from `tokenWeights` and `c` from the rule's correction, 1 without one. A product ratio is the density ratio of its whole unit, so the unit enters once: each of
 * its tokens carries an equal share. In this way every choice of ratio has one and the same gradient at ratio 1.
 *
 * A rule with a custom loss has that loss instead, differentiated by TensorFlow.js.
 *
 * Same value and gradient as `surrogateLoss`, in double precision and without tensors. `spent` is a derivative that nobody
 * reads any more: it may be written to instead of a new array.
 *
 * @throws {TypeError} if shapes do not fit or an input is missing
 * @throws {RangeError} if loss or gradient would not be finite, as for a log-prob of -Infinity; names the entry
 * @example
 * import { make, recipe, scriptedBatch, surrogateGradient } from "turnwise";
 * const env = make("LookUp-v0");
 * const batch = scriptedBatch(env, [[["ANSWER", "0"]], [["LOOKUP", "0"], ["ANSWER", "3"]]]);
 * const { oldLogProb_ntl } = batch;
 * const input = { ...batch, logProb_ntl: oldLogProb_ntl, advantage_ntl: new Float64Array(oldLogProb_ntl.length).fill(1) };
 * surrogateGradient(input, recipe("grpo")).loss; // => -1
 */
export function surrogateGradient(
  input: SurrogateInput,
  recipe: Recipe,
  turns?: readonly number[],
  spent?: Float64Array,
): SurrogateGradient {
  const found = uncheckedSurrogate(input, recipe, turns, spent);
  const { loss, dLogProb_ntl, dEntropy_ntl, dLogit_ntlv, dClipBias_ntl } = found;
  expectFiniteSurrogate(what, input, {
    loss,
    slopes: [dLogProb_ntl, dEntropy_ntl, dLogit_ntlv, dClipBias_ntl],
  });
  return found;
}

/** `surrogateGradient` for callers that look at numbers that are not finite themselves: the trainer and `checkRule`. */
export function uncheckedSurrogate(
  input: SurrogateInput,
  recipe: Recipe,
  turns?: readonly number[],
  spent?: Float64Array,
): SurrogateGradient {
  const { shape } = input;
  expectSurrogateInput(input, recipe);
  const advantage_ntl = withCarry(input);
  if (recipe.loss) {
    const active_ntl = inTurns(shape, input.mask_ntl, turns);
    const corrected_ntl = weighted(advantage_ntl, input.correction_ntl, active_ntl);
    const own = ownLossGradient(recipe.loss, { ...input, advantage_ntl: corrected_ntl, active_ntl }, spent);
    const metrics = { "policy/loss": own.loss, ...divergence(input, active_ntl), ...own.metrics };
    return { ...own, metrics };
  }
  const weight_ntl = input.weight_ntl ?? tokenWeights(shape, input.mask_ntl, recipe.aggregate);
  const active_ntl = inTurns(shape, input.mask_ntl, turns);
  const dLogProb_ntl = zeros(active_ntl.length, spent);
  const tally = new Tally(recipe);
  const { needsClipBias } = clippingTriggeredOf(recipe.regularizer.clippingTriggered);
  const clipBias_ntl = needsClipBias ? new Float64Array(active_ntl.length) : undefined;
  const sums = { advantage_ntl, weight_ntl, active_ntl, dLogProb_ntl, clipBias_ntl, tally };
  const chosen = chosenTokens(input, recipe, advantage_ntl, active_ntl);
  // Only what a token earns is weighed: its regularizers are charged in full, as in verl and TRL.
  const plain_ntl = withoutLeftOut(weight_ntl, chosen);
  const folds = gateOf(recipe.gate).foldsCorrection === true && input.correction_ntl !== undefined;
  const objective = folds
    ? {
        ...objectiveSum({ ...input, oldLogProb_ntl: foldedOldLogProb(input, recipe, active_ntl) }, recipe, {
          ...sums,
          weight_ntl: plain_ntl,
        }),
        divergence: divergence(input, active_ntl),
      }
    : objectiveSum(input, recipe, {
        ...sums,
        weight_ntl: weighted(plain_ntl, input.correction_ntl, active_ntl),
      });
  let { loss } = objective;
  loss += chargeMoved(input, chosen, weight_ntl, dLogProb_ntl);
  const charged = chargePenalties(input, recipe, sums);
  loss += charged.loss;
  const entropyCoef = entropyCoefOf(input, recipe);
  const own = recipe.regularizer.custom ?? null;
  if (own !== null) loss += ownPenalty(own, input, sums);
  const dEntropy_ntl = entropyCoef === 0 ? undefined : new Float64Array(active_ntl.length);
  if (dEntropy_ntl !== undefined) {
    for (let i = 0; i < active_ntl.length; i++) {
      if (active_ntl[i] !== 1) continue;
      loss -= entropyCoef * weight_ntl[i]! * input.entropy_ntl![i]!;
      dEntropy_ntl[i] = -entropyCoef * weight_ntl[i]!;
    }
  }
  return {
    loss,
    dLogProb_ntl,
    ...(dEntropy_ntl === undefined ? {} : { dEntropy_ntl }),
    ...(clipBias_ntl === undefined ? {} : { dClipBias_ntl: clipBias_ntl }),
    ...(charged.dLogit_ntlv === undefined ? {} : { dLogit_ntlv: charged.dLogit_ntlv }),
    metrics: mergeObjects<Metrics>(
      { "policy/loss": loss },
      objective.divergence,
      charged.metrics,
      chosen.metrics,
      tally.metrics(),
    ),
  };
}

/** Each active number times the weight of its token. */
function weighted(
  values: ArrayLike<number>,
  correction_ntl: ArrayLike<number> | undefined,
  active_ntl: ArrayLike<number>,
): ArrayLike<number> {
  if (correction_ntl === undefined) return values;
  return Float64Array.from(values, (x, i) => (active_ntl[i] === 1 ? x * correction_ntl[i]! : 0));
}

/** Term of the loss from a custom regularizer; its slopes go into the derivative. */
function ownPenalty(
  own: NonNullable<Recipe["regularizer"]["custom"]>,
  input: SurrogateInput,
  { advantage_ntl, weight_ntl, active_ntl, dLogProb_ntl }: Sums,
): number {
  let sum = 0;
  for (let i = 0; i < active_ntl.length; i++) {
    if (active_ntl[i] !== 1) continue;
    const { value, slope } = ownTerm(own, {
      logProb: input.logProb_ntl[i]!,
      oldLogProb: input.oldLogProb_ntl[i]!,
      refLogProb: input.refLogProb_ntl?.[i],
      advantage: advantage_ntl[i]!,
      entropy: input.entropy_ntl?.[i] ?? NaN,
    });
    sum += weight_ntl[i]! * value;
    dLogProb_ntl[i]! += weight_ntl[i]! * slope;
  }
  return sum;
}

function inTurns(
  shape: SurrogateInput["shape"],
  mask_ntl: ArrayLike<number>,
  turns: readonly number[] | undefined,
): ArrayLike<number> {
  const [N, T, L] = shape;
  if (turns === undefined) return mask_ntl;
  const chosen_t = new Uint8Array(T);
  for (const t of turns) {
    if (!Number.isInteger(t) || t < 0 || t >= T) {
      throw new RangeError(
        `Cannot compute ${what}: turns must be integers from 0 to ${String(T - 1)}, got ${show(t)}.`,
      );
    }
    chosen_t[t] = 1;
  }
  if (!chosen_t.includes(0)) return mask_ntl;
  const active_ntl = new Uint8Array(N * T * L);
  for (let n = 0; n < N; n++) {
    for (let t = 0; t < T; t++) {
      if (chosen_t[t] === 0) continue;
      const first = (n * T + t) * L;
      for (let i = first; i < first + L; i++) if (mask_ntl[i] === 1) active_ntl[i] = 1;
    }
  }
  return active_ntl;
}

function withCarry(input: SurrogateInput): ArrayLike<number> {
  if (input.carry === undefined) return input.advantage_ntl;
  if (input.trajectoryId === undefined) {
    throw new TypeError(`Cannot compute ${what}: a carry must come with trajectoryId, got none.`);
  }
  return carriedAdvantage(input.shape, input.advantage_ntl, input.trajectoryId, input.carry);
}
