import type { Fields, ValueOf } from "../../schema";
import type { Part } from "../part";

/** Which bound the ratio met, as a number, since loops over many tokens ask for it. */
export const NO = 0;
export const LOW = 1;
export const HIGH = 2;
export const DUAL = 3;

/**
 * Tokens in a row: what a gate reads, and below what it writes. Arrays, as a call for each token would cost more than its
 * sums. What stands in masked positions is never looked at.
 */
export interface GateBlock {
  readonly size: number;
  /** 1 where a token takes part, for a gate that must not be asked about the others; without it, all do. */
  readonly active?: ArrayLike<number>;
  readonly ratio: Float64Array;
  readonly advantage: ArrayLike<number>;
  readonly logProb: ArrayLike<number>;
  /** 1 where a token is of a trajectory that a teacher played; without it, none is. */
  readonly demonstration?: ArrayLike<number> | undefined;
  /** Objective that the rule maximizes. */
  readonly objective: Float64Array;
  /** d objective / d ratio, or d objective / d log pi: see `Gate.through`. */
  readonly slope: Float64Array;
  /** d objective / d log pi beside that in the ratio: of a gate that goes through both. */
  readonly slopeLogProb?: Float64Array;
  /** NO, or the bound that the ratio met. */
  readonly clipped: Uint8Array;
  /** Number of neighboring positions that belong to one trajectory. */
  readonly rowSize: number;
  /** log pi - log pi_old of each token by itself, before a unit pools them; nats. Few gates ask, so it is computed when one does. */
  logRatio(): ArrayLike<number>;
  /** The same distance from the rollout engine that sampled, where it is not the trainer's policy; else `logRatio`. */
  samplerLogRatio(): ArrayLike<number>;
  /** Tokens in the unit of each position: those that share its ratio. */
  unitTokens(): ArrayLike<number>;
  /** Comparison of the turn of each position with its peers; 0 where nobody compared it. */
  standing(): ArrayLike<number>;
}

/** Declaration of a gate by a file of this folder; an omitted part does not compile. */
export interface Gate<F extends Fields = Fields> extends Part<F> {
  /** A few characters for the printed table. */
  label(o: ValueOf<F>): string;
  /** Whether it looks at a ratio; if not, the rule must have none. */
  readonly needsRatio: boolean;
  /** Carrier of the gradient: the ratio, log pi with all else inside a stop-gradient, or each as far as the gate specifies. */
  readonly through: "ratio" | "logProb" | "both";
  /** Bounds of the ratio, relative to 1, beyond which it counts as outside; null for a gate without bounds. */
  range(o: ValueOf<F>): { readonly low: number; readonly high: number } | null;
  /** Whether tokens count as clipped by bounds on something else than the ratio, which `range` cannot tell. */
  readonly ownBounds?: true;
  /**
   * Whether what a token gets depends on tokens of other trajectories. A batch is then no longer the sum of its micro-batches:
   * each is judged by itself.
   */
  readonly comparesTokens?: true;
  /** Whether its bounds depend on how a turn compares with its peers, which the rule's advantage must then say. */
  readonly readsStanding?: true;
  /** Whether the weights of a correction enter its ratio, and do not multiply its objective. */
  readonly foldsCorrection?: true;
  /** Whether a clipped token loses its gradient: what the clipping-triggered regularizers are about. */
  readonly cutsGradient: boolean;
  /** Shape of the objective in the ratio, for the exact solver: linear, clipped linear as `clip` is, or unsupported. */
  readonly ratioShape: "line" | "clippedLine" | null;
  /** Whether `native/tabular.h` computes this very gate: it may then take the place of `evaluate`, bit by bit. */
  readonly compiled?: true;
  /**
   * Transformation of a token's log-ratio before its unit pools it. A token that this changes has no gradient of its
   * own, while its unit keeps one.
   */
  beforePooling?(o: ValueOf<F>, logRatio: number, advantage: number): number;
  /** Writes objective, slope and what was clipped, token by token. */
  evaluate(o: ValueOf<F>, x: GateBlock): void;
}

/** Types the functions of a gate by its fields. */
export const gate = <F extends Fields>(parts: Gate<F>): Gate<F> => parts;
