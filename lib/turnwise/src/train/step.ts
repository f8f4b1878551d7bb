import type { Metrics } from "../base/glossary";
import { mergeObjects } from "../base/mergeObjects";
import {
  inOneBlock,
  type EvaluateOptions,
  type Evaluation,
  type EvaluationGradient,
  type Policy,
  type SparseGradient,
} from "../policy/policy";
import type { Batch } from "../batch/batch";
import {
  clippingTriggeredScale,
  recipeNeeds,
  renewedAdvantage,
  stepScaleOfStep,
  uncheckedSurrogate,
  type Carry,
  type Recipe,
  type SurrogateInput,
} from "../rule";
import { observationCharge, type ObservationCharge } from "../rule/regularizer/observation";
import { criticGradient } from "./critic";
import { wholeOf } from "./distributions";
import { finiteNorm } from "./finite";
import { dense, globalNorm, type Optimizer } from "./optimizer";
import type { ObservedStep } from "./witness";

/** The input of one optimizer step: a batch or a minibatch, and what the rule computed from it. */
export interface StepData {
  /** Number of the update, for error messages. */
  readonly index: number;
  readonly batch: Batch;
  readonly turns: readonly number[];
  /** The tokens of the batch that are part of the loss. */
  readonly trained_ntl: Uint8Array;
  readonly oldLogProb_ntl: Float64Array;
  readonly advantage_ntl: Float64Array;
  /** Weights of the rule's correction. */
  readonly correction_ntl?: Float64Array | undefined;
  readonly refLogProb_ntl?: Float64Array | undefined;
  /** Whole distributions, of those that the rule compares with the policy's. */
  readonly oldLogProb_ntlv?: Float64Array | undefined;
  readonly refLogProb_ntlv?: Float64Array | undefined;
  /** Values before the update's first step, and what the rule's critic regresses to. */
  readonly oldValue_nt?: Float64Array | undefined;
  readonly valueTarget_nt?: Float64Array | undefined;
  /** Answers of the environment in these trajectories, if the rule learns to predict them. */
  readonly answers?: Batch | undefined;
  /** `tokenWeights` of the batch, if several steps share them. */
  readonly weight_ntl?: Float64Array | undefined;
  /** Current weight of an entropy bonus with a target. */
  readonly entropyCoef?: number | undefined;
  /** Uniform draws that select which tokens the rule drops. */
  readonly draw_ntl?: Float64Array | undefined;
  readonly carry: Carry;
  readonly witness?: ((step: Omit<ObservedStep, "rows">) => void) | undefined;
}

/**
 * Takes the optimizer steps of a run: evaluate the policy, differentiate surrogate and critic, go backward, clip, move.
 *
 * Arrays of one step are reused by the next one of the same shape: allocating them would cost a fifth of a step on a table.
 */
export class Stepper {
  #evaluation: Evaluation | undefined;
  #dLogProb_ntl: Float64Array | undefined;
  readonly #asked: EvaluateOptions | undefined;

  constructor(
    private readonly policy: Policy,
    private readonly recipe: Recipe,
    private readonly optimizer: Optimizer,
  ) {
    const { reference, old } = recipeNeeds(recipe).distributions;
    this.#asked = reference || old ? { distributions: true } : undefined;
  }

  /**
   * Takes one step and returns its metrics.
   *
   * @throws {NonFiniteError} if the loss or the gradient is not finite; nothing has moved then
   */
  step(data: StepData): Metrics {
    const { index, batch, turns, refLogProb_ntl, oldLogProb_ntlv, refLogProb_ntlv, weight_ntl, carry } = data;
    const { policy, recipe, optimizer } = this;
    // Before the policy's own tokens, whose backward pass reuses their evaluation.
    const answers = data.answers && this.#chargeAnswers(data.answers);
    const evaluation = policy.evaluate(batch, undefined, turns, this.#evaluation, this.#asked);
    this.#evaluation = evaluation;
    const input = {
      shape: batch.shape,
      logProb_ntl: evaluation.logProb_ntl,
      oldLogProb_ntl: data.oldLogProb_ntl,
      mask_ntl: data.trained_ntl,
      advantage_ntl: renewedAdvantage(recipe, batch, data.advantage_ntl, evaluation.logProb_ntl),
      ...(data.correction_ntl && { correction_ntl: data.correction_ntl }),
      ...(batch.rolloutLogProb_ntl && { rolloutLogProb_ntl: batch.rolloutLogProb_ntl }),
      ...(refLogProb_ntl && { refLogProb_ntl }),
      ...(this.#asked && { logProb_ntlv: wholeOf(policy, recipe, evaluation) }),
      ...(oldLogProb_ntlv && { oldLogProb_ntlv }),
      ...(refLogProb_ntlv && { refLogProb_ntlv }),
      ...(weight_ntl && { weight_ntl }),
      entropy_ntl: evaluation.entropy_ntl,
      ...(data.entropyCoef !== undefined && { entropyCoef: data.entropyCoef }),
      ...(data.draw_ntl && { draw_ntl: data.draw_ntl }),
      ...(recipe.loss && valuesOf(evaluation, data)),
      ...(batch.demonstration_n && { demonstration_n: batch.demonstration_n }),
      ...(batch.standing_nt && { standing_nt: batch.standing_nt }),
      trajectoryId: batch.trajectoryId,
      ...(carry.size > 0 && { carry }),
    };
    const surrogate = uncheckedSurrogate(input, recipe, turns, this.#dLogProb_ntl);
    this.#dLogProb_ntl = surrogate.dLogProb_ntl;
    const critic =
      data.valueTarget_nt &&
      criticGradient(batch, evaluation.value_nt!, data.valueTarget_nt, this.#valueCoef(), turns);
    // A custom loss that goes through the values trains them alone.
    const dValue_nt = surrogate.dValue_nt ?? critic?.dValue_nt;
    const clipBias = surrogate.dClipBias_ntl;
    const clipBiasNorm =
      clipBias && globalNorm(this.#backward(batch, { dLogProb_ntl: clipBias }, turns, evaluation));
    // The policy's gradient alone: what is clipped away says nothing about the critic's.
    if (clipBiasNorm !== undefined) {
      const scale = clippingTriggeredScale(recipe, clipBiasNorm);
      scaleBy(surrogate.dLogProb_ntl, scale);
      if (surrogate.dEntropy_ntl) scaleBy(surrogate.dEntropy_ntl, scale);
      if (surrogate.dLogit_ntlv) scaleBy(surrogate.dLogit_ntlv, scale);
    }
    const own = this.#backward(
      batch,
      {
        dLogProb_ntl: surrogate.dLogProb_ntl,
        ...(surrogate.dEntropy_ntl && { dEntropy_ntl: surrogate.dEntropy_ntl }),
        ...(surrogate.dLogit_ntlv && { dLogit_ntlv: surrogate.dLogit_ntlv }),
        ...(dValue_nt && { dValue_nt }),
      },
      turns,
      evaluation,
    );
    const gradient = answers ? plus(own, answers.gradient) : own;
    const loss = surrogate.loss + (answers?.charge.loss ?? 0);
    const norm = finiteNorm({ index, loss, gradient, input, turns });
    data.witness?.({
      turns,
      logProb_ntl: evaluation.logProb_ntl,
      oldLogProb_ntl: data.oldLogProb_ntl,
      surrogate,
      gradient,
    });
    const rateScale = stepScaleOfStep(recipe, batch, turns, evaluation.logProb_ntl);
    optimizer.step(policy.parameters, gradient, norm, rateScale);
    return mergeObjects<Metrics>(
      surrogate.metrics,
      answers && { "policy/loss": loss, "policy/answerCrossEntropy": answers.charge.crossEntropy },
      { "policy/gradNorm": norm },
      clipBiasNorm === undefined ? undefined : { "policy/clippedGradNorm": clipBiasNorm },
      rateScale === undefined ? undefined : { "policy/stepScale": rateScale },
      critic && { "critic/loss": critic.loss },
    );
  }

  /** Charge for what the environment answered, and its gradient; undefined where it answered nothing. */
  #chargeAnswers(answers: Batch): { charge: ObservationCharge; gradient: Float64Array } | undefined {
    const { policy, recipe } = this;
    const evaluation = policy.evaluate(answers);
    const { observationCoef } = recipe.regularizer;
    const charge = observationCharge(observationCoef, answers.mask_ntl, evaluation.logProb_ntl);
    if (charge === undefined) return undefined;
    const { dLogProb_ntl } = charge;
    const gradient = policy.backward(answers, { dLogProb_ntl }, undefined, undefined, evaluation).slice();
    return { charge, gradient };
  }

  #valueCoef(): number {
    const { advantage } = this.recipe;
    return "valueCoef" in advantage ? advantage.valueCoef : 0;
  }

  /** A policy without a sparse backward pass returns its whole gradient as one block. */
  #backward(
    batch: Batch,
    gradient: EvaluationGradient,
    turns: readonly number[],
    evaluation: Evaluation,
  ): SparseGradient {
    const { policy } = this;
    if (policy.sparseBackward) return policy.sparseBackward(batch, gradient, undefined, turns, evaluation);
    return dense(policy.backward(batch, gradient, undefined, turns, evaluation));
  }
}

/** Values that only a custom loss reads. */
function valuesOf(
  { value_nt }: Evaluation,
  { oldValue_nt, valueTarget_nt }: StepData,
): Pick<SurrogateInput, "value_nt" | "oldValue_nt" | "valueTarget_nt"> {
  return {
    ...(value_nt && { value_nt }),
    ...(oldValue_nt && { oldValue_nt }),
    ...(valueTarget_nt && { valueTarget_nt }),
  };
}

/** Sum of two gradients; policies that read tokens have a fixed number of parameters. */
function plus({ values, width, blocks }: SparseGradient, more: Float64Array): SparseGradient {
  for (const from of blocks) for (let i = from; i < from + width; i++) more[i]! += values[i]!;
  return inOneBlock(more);
}

function scaleBy(values: Float64Array, scale: number): void {
  if (scale === 1) return;
  for (let i = 0; i < values.length; i++) values[i]! *= scale;
}
