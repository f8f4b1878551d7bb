import type { Batch } from "../../batch/batch";
import type { Fields, ValueOf } from "../../schema";
import type { Part } from "../part";
import type { ScaleChoice } from "../scale";
import type { Credit, CriticValues, ShapedReward } from "./credit";

/** Inputs of an advantage. */
export interface AdvantageInput {
  readonly batch: Batch;
  readonly reward: ShapedReward;
  readonly scale: ScaleChoice;
  /** Empty for a rule without a critic. */
  readonly values: CriticValues;
  /** [N, T, L, V]: the policy's log-probs of every token before the update; only for an advantage that reads them. */
  readonly oldLogProb_ntlv?: ArrayLike<number>;
  /** The squared norm of the gradient of each trajectory's log-prob before the update; only for an advantage that reads them. */
  readonly gradientSquare_n?: ArrayLike<number>;
}

/** Declaration of an advantage by a file of this folder; an omitted part does not compile. */
export interface Advantage<F extends Fields = Fields> extends Part<F> {
  /** A few characters for the printed table. */
  label(o: ValueOf<F>): string;
  /** Whether it compares trajectories of a group, which scale `group` needs. */
  readonly comparesGroups: boolean;
  /** Whether it scales its parts itself, so that a scale of the batch would come on top. */
  readonly scalesItself: boolean;
  /** Whether a step reward is the advantage, as it is; left out where it is not. */
  readonly takesStepReward?: boolean;
  /** Whether it needs a critic's values. */
  readonly needsCritic: boolean;
  /** Whether it reads whole distributions over the vocabulary; left out where it does not. */
  readonly readsDistributions?: boolean;
  /** Whether it reads the norm of each trajectory's own gradient; left out where it does not. */
  readonly readsGradients?: boolean;
  /** Discount of the sampled return that the critic is regressed to: gamma, and whether a token or a turn is a step. */
  criticDiscount(o: ValueOf<F>): { readonly gamma: number; readonly perToken: boolean };
  /** Whether all turns of a trajectory get the same advantage. */
  readonly wholeTrajectory: boolean;
  /** Which baseline of the exact laboratory it is, if any. */
  exactBaseline(o: ValueOf<F>): "none" | "mean" | "leaveOneOut" | "critic" | undefined;
  /** Whether its credit says how a turn compares with its peers; left out where it does not. */
  readonly ranksTurns?: true;
  assign(o: ValueOf<F>, x: AdvantageInput): Credit;
  /** Advantages at a later step of the update, from those before its first; left out where they stay what they are. */
  renewed?(batch: Batch, advantage_ntl: Float64Array, logProb_ntl: ArrayLike<number>): Float64Array;
  /** 1 where a sampled token is part of the loss, [N, T, L]; left out where all are. */
  trained?(batch: Batch, o: ValueOf<F>): Uint8Array;
}

/** For an advantage without a critic. */
export const undiscounted = (): { gamma: number; perToken: boolean } => ({ gamma: 1, perToken: false });

/** Types the functions of an advantage by its fields. */
export const advantage = <F extends Fields>(parts: Advantage<F>): Advantage<F> => parts;
