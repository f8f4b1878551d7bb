import type { FlagValue } from "../../configs/given";

/** Settings that trainers have under names of their own, by what they mean. */
export type SettingName =
  | "estimator"
  | "groupSize"
  | "temperature"
  | "topP"
  | "topK"
  | "minP"
  | "batch"
  | "minibatch"
  | "epochs"
  | "learningRate"
  | "maxGradNorm"
  | "loraRank"
  | "weightsType"
  | "maxResponse"
  | "maxPrompt"
  | "modelLength"
  | "maskTruncated"
  | "overlongBuffer"
  | "klInLoss"
  | "klLossCoef"
  | "klLossEstimator"
  | "klInReward"
  | "klRewardCoef"
  | "entropyCoef"
  | "clip"
  | "clipLow"
  | "clipHigh"
  | "dualClip"
  | "ratioLevel"
  | "aggregate"
  | "scale"
  | "engine"
  | "correction"
  | "staleness"
  | "quantization"
  | "referenceSync"
  | "groupFilter"
  | "filterLimit"
  | "gamma"
  | "lambda"
  | "criticWarmUp"
  | "multiTurn"
  | "maskTools"
  | "rewardWeights";

/** Source of a trainer's setting. */
export interface SettingSource {
  /** The names that it may have; the first is that of the release whose defaults are assumed, and the first that is given counts. */
  readonly flags: readonly string[];
  /** Its default; undefined where it depends on something that no configuration says. */
  readonly initial: FlagValue | undefined;
}

/** The settings of a trainer; null where it has none. */
export type SettingTable = Readonly<Record<SettingName, SettingSource | null>>;

/** A setting with a default. */
export const at = (initial: FlagValue | undefined, ...flags: readonly string[]): SettingSource => ({
  flags,
  initial,
});
