import type { Rng } from "../../base/rng";
import type { Batch } from "../../batch/batch";
import type { EvaluateOptions, Evaluation, EvaluationGradient, Sample } from "../policy";

/** One way of computing a neural policy from its flat vector of parameters; contexts are sequences of tokens. */
export interface NeuralCompute {
  /** Draws a turn after each context, each with its own generator. */
  sample(
    parameters: Float64Array,
    contexts: readonly (readonly number[])[],
    rngs: readonly Rng[],
    temperature: number,
  ): Sample[];
  evaluate(
    parameters: Float64Array,
    batch: Batch,
    rows?: ArrayLike<number>,
    turns?: ArrayLike<number>,
    options?: EvaluateOptions,
  ): Evaluation;
  /** d loss / d parameters, written to `out` if given; `evaluation` is the latest one of the same rows and turns. */
  backward(
    parameters: Float64Array,
    batch: Batch,
    gradient: EvaluationGradient,
    rows?: ArrayLike<number>,
    turns?: ArrayLike<number>,
    evaluation?: Evaluation,
    out?: Float64Array,
  ): Float64Array;
  nextTokenLogProb(
    parameters: Float64Array,
    context: readonly number[],
    prefix: readonly number[],
  ): Float64Array;
}
