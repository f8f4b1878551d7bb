import type { Observation } from "../env/env";
import type { Batch } from "../batch/batch";
import type { Rng } from "../base/rng";

/** What the agent has seen and done so far, oldest first; one observation more than actions before each turn. */
export interface History {
  readonly observations: readonly Observation[];
  readonly actions: readonly (readonly number[])[];
}

export interface Sample {
  readonly tokens: readonly number[];
  /** Nats, of the distribution that was sampled from (with the temperature). */
  readonly logProb: readonly number[];
  /** The context in the policy's own encoding; `evaluate` gets it back through `Batch.context_nt`. */
  readonly context: unknown;
}

/** Everything a loss may need of a policy on a batch; masked cells hold 0. */
export interface Evaluation {
  readonly logProb_ntl: Float64Array;
  /** Entropy of the next-token distribution in each cell, nats. */
  readonly entropy_ntl: Float64Array;
  /** Value estimates before each turn, T wide; only from policies with a value head. */
  readonly value_nt?: Float64Array;
}

/** The derivative of a scalar loss with respect to each part of an `Evaluation`. Masked cells are ignored. */
export interface EvaluationGradient {
  readonly dLogProb_ntl: Float64Array;
  readonly dEntropy_ntl?: Float64Array;
  readonly dValue_nt?: Float64Array;
}

/** A gradient that is 0 outside of some blocks of parameters. It lives until the policy's next one. */
export interface SparseGradient {
  readonly values: Float64Array;
  /** Length of a block. */
  readonly width: number;
  /** Where the blocks begin, ascending. */
  readonly blocks: readonly number[] | Int32Array;
}

/** A gradient that may be anywhere, as one block of everything. */
export function inOneBlock(values: Float64Array): SparseGradient {
  return { values, width: values.length, blocks: [0] };
}

/** What a policy is made of, as plain JSON data: checkpoints hold it, `restore` takes it back. */
export interface PolicyState {
  readonly name: string;
  readonly parameters: ArrayLike<number>;
  readonly extra?: unknown;
}

/**
 * A parametrised distribution over turns, so that any rule trains any policy.
 *
 * The rule sees log-probs only; `backward` is the vector-Jacobian product that carries the rule's derivative
 * into parameters. Parameters are one flat vector, so that an optimiser and a checkpoint need to know nothing else.
 */
export interface Policy {
  readonly name: string;
  /** Live view: the optimiser writes here. A policy may grow; old parameters keep their place. */
  readonly parameters: Float64Array;
  /** What the policy makes of a history. Equal contexts mean equal distributions. */
  contextOf(history: History): unknown;
  /** Draws one turn for every history, in order, each from its own generator. */
  sample(histories: readonly History[], rngs: readonly Rng[], options?: { temperature?: number }): Sample[];
  /**
   * Log-probs and entropies of the tokens in the batch; `rows` and `turns` leave the other cells 0.
   *
   * `spent` is an earlier evaluation that nobody reads any more: its arrays may be written to instead of new ones.
   */
  evaluate(batch: Batch, rows?: ArrayLike<number>, turns?: ArrayLike<number>, spent?: Evaluation): Evaluation;
  /**
   * d loss / d parameters, given d loss / d evaluation of the same rows and turns.
   *
   * `evaluation` is what `evaluate` gave for them with the parameters of now: it saves computing them twice.
   */
  backward(
    batch: Batch,
    gradient: EvaluationGradient,
    rows?: ArrayLike<number>,
    turns?: ArrayLike<number>,
    evaluation?: Evaluation,
  ): Float64Array;
  /** `backward` for a policy most of whose parameters no batch touches: the work of a step is then that of the batch. */
  sparseBackward?(
    batch: Batch,
    gradient: EvaluationGradient,
    rows?: ArrayLike<number>,
    turns?: ArrayLike<number>,
    evaluation?: Evaluation,
  ): SparseGradient;
  /** Exact next-token log-probs (one per vocabulary entry) after `prefix` within the turn; enumeration needs it. */
  nextTokenLogProb(context: unknown, prefix: readonly number[]): Float64Array;
  /** Names, shapes and counts of the parameters, in their order where the blocks lie one after the other. */
  parameterTable?(): ParameterRow[];
  /** An independent copy: a frozen reference, or a snapshot. */
  clone(): Policy;
  /** Everything that `restore` takes back: plain data. */
  state(): PolicyState;
  /** `state` with typed arrays: cheap enough for every update, but no JSON data, and gone with the next snapshot. */
  snapshot?(): PolicyState;
  /** Throws TypeError for the state of another policy. */
  restore(state: PolicyState): void;
}

/** One line of the table of parameters. */
export interface ParameterRow {
  readonly name: string;
  readonly shape: readonly number[];
  readonly count: number;
}

/** A context as a map key. */
export function contextKey(context: unknown): string {
  return typeof context === "string" ? context : JSON.stringify(context);
}
