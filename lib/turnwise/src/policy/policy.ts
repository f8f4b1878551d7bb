import type { Env, Observation } from "../env/env";
import type { Batch } from "../batch/batch";
import type { Rng } from "../base/rng";
import type { UsedKernels } from "../tensor/fused";

/** Observations and actions of the agent so far, oldest first. Before each turn there is one more observation than actions. */
export interface History {
  readonly observations: readonly Observation[];
  readonly actions: readonly (readonly number[])[];
}

export interface Sample {
  readonly tokens: readonly number[];
  /** In nats, under the distribution from which the tokens were drawn (with the temperature). */
  readonly logProb: readonly number[];
  /** The context in the policy's own encoding, which `evaluate` gets back through `Batch.context_nt`. */
  readonly context: unknown;
}

/** Everything that a loss may need of a policy on a batch; masked cells hold 0. */
export interface Evaluation {
  readonly logProb_ntl: Float64Array;
  /** Entropy of the next-token distribution in each cell, nats. */
  readonly entropy_ntl: Float64Array;
  /** Log-probs of every token of the vocabulary in each cell, nats; only where they are asked for. */
  readonly logProb_ntlv?: Float64Array;
  /** Value estimates before each turn, T wide; only from policies with a value head. */
  readonly value_nt?: Float64Array;
}

/** Further outputs of an evaluation. */
export interface EvaluateOptions {
  /** Whole distributions, as `logProb_ntlv`. */
  readonly distributions?: boolean;
}

/** The derivative of a scalar loss with respect to each part of an `Evaluation`. Masked cells are ignored. */
export interface EvaluationGradient {
  readonly dLogProb_ntl: Float64Array;
  readonly dEntropy_ntl?: Float64Array;
  /** d loss / d logits of each cell's softmax, on top of what goes through the other parts. */
  readonly dLogit_ntlv?: Float64Array;
  readonly dValue_nt?: Float64Array;
}

/** A gradient that is 0 outside of some blocks of parameters. The policy's next gradient overwrites it. */
export interface SparseGradient {
  readonly values: Float64Array;
  /** Length of a block. */
  readonly width: number;
  /** Offsets of the blocks, ascending. */
  readonly blocks: readonly number[] | Int32Array;
}

/** A dense gradient, as one block. */
export function inOneBlock(values: Float64Array): SparseGradient {
  return { values, width: values.length, blocks: [0] };
}

/** A policy's parameters as plain JSON data, for checkpoints; `restore` takes it back. */
export interface PolicyState {
  readonly name: string;
  readonly parameters: ArrayLike<number>;
  readonly extra?: unknown;
}

/**
 * A parametrized distribution over turns. Any rule can train any policy.
 *
 * A rule sees only log-probs; `backward` is the vector-Jacobian product that carries the rule's derivative to the
 * parameters. These are one flat vector, which is all that an optimizer and a checkpoint need to know.
 */
export interface Policy {
  readonly name: string;
  /** A live view: the optimizer writes here. A policy may grow, but old parameters keep their places. */
  readonly parameters: Float64Array;
  /**
   * Engine that computes it, as records and checkpoints name it; default "float64", which has the same bits on every
   * engine.
   *
   * Within a kind, the numbers of a run are the same; between two, the last bits differ and chaotic runs part.
   */
  readonly computeKind?: string;
  /** The kernels of a network that computes in 32 bits, as checkpoints name them. */
  readonly computeKernels?: UsedKernels | undefined;
  /**
   * Policies with one and the same kind make equal contexts of equal histories, whatever their parameters: what was enumerated
   * for one of them serves all. Without it, every enumeration asks for the contexts again.
   */
  readonly contextKind?: string | undefined;
  /** Context that the policy derives from a history. Equal contexts mean equal distributions. */
  contextOf(history: History): unknown;
  /** Draws one turn for each history, in order, each with its own generator. */
  sample(histories: readonly History[], rngs: readonly Rng[], options?: { temperature?: number }): Sample[];
  /**
   * Log-probs and entropies of the tokens in the batch. Cells outside of `rows` and `turns` are 0.
   *
   * `spent` is an earlier evaluation that nobody reads any more: its arrays may be reused. Asked for `distributions`, it
   * gives `logProb_ntlv` as well, and `backward` then takes `dLogit_ntlv`; only an exact KL asks.
   */
  evaluate(
    batch: Batch,
    rows?: ArrayLike<number>,
    turns?: ArrayLike<number>,
    spent?: Evaluation,
    options?: EvaluateOptions,
  ): Evaluation;
  /**
   * d loss / d parameters, given d loss / d evaluation of the same rows and turns.
   *
   * `evaluation` is what `evaluate` returned for them with the present parameters; it saves a second forward pass.
   */
  backward(
    batch: Batch,
    gradient: EvaluationGradient,
    rows?: ArrayLike<number>,
    turns?: ArrayLike<number>,
    evaluation?: Evaluation,
  ): Float64Array;
  /** `backward` for policies of which a batch touches few parameters: a step then costs no more than its batch. */
  sparseBackward?(
    batch: Batch,
    gradient: EvaluationGradient,
    rows?: ArrayLike<number>,
    turns?: ArrayLike<number>,
    evaluation?: Evaluation,
  ): SparseGradient;
  /** Exact log-probs of the next token (one per vocabulary entry) after `prefix` within the turn, for enumeration. */
  nextTokenLogProb(context: unknown, prefix: readonly number[]): Float64Array;
  /** Names, shapes and counts of the parameters; in the order of `parameters` if the blocks are contiguous. */
  parameterTable?(): ParameterRow[];
  /** An independent copy: a frozen reference, or a snapshot. */
  clone(): Policy;
  /** Everything that `restore` takes back: plain data. */
  state(): PolicyState;
  /** `state` with typed arrays: cheap enough for every update, but not JSON, and overwritten by the next snapshot. */
  snapshot?(): PolicyState;
  /** @throws {TypeError} if the state belongs to another kind of policy */
  restore(state: PolicyState): void;
}

/**
 * Makes a policy for an environment, a new one for each seed.
 *
 * `valueHead` says whether the rule has a critic, so that the policy must estimate values.
 */
export type PolicyFactory = (
  env: Env,
  o?: { readonly seed?: number; readonly valueHead?: boolean },
) => Policy;

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
