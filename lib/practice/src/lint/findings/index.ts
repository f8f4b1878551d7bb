import type { Finding } from "../contract";
import { adapterNotSent } from "./adapterNotSent";
import { batchBaseline } from "./batchBaseline";
import { bf16Weights } from "./bf16Weights";
import { coldCritic } from "./coldCritic";
import { contextTooShort } from "./contextTooShort";
import { endlessFilter } from "./endlessFilter";
import { engineWithoutCorrection } from "./engineWithoutCorrection";
import { equalGroupsStay } from "./equalGroupsStay";
import { fixedReference } from "./fixedReference";
import { forcedTokens } from "./forcedTokens";
import { frozenAdapter } from "./frozenAdapter";
import { fusedKernelsSplit } from "./fusedKernelsSplit";
import { groupOfOne } from "./groupOfOne";
import { highLearningRate } from "./highLearningRate";
import { highTemperature } from "./highTemperature";
import { idleClip } from "./idleClip";
import { idleCoefficient } from "./idleCoefficient";
import { indivisibleBatch } from "./indivisibleBatch";
import { invertedStateMask } from "./invertedStateMask";
import { k1InLoss } from "./k1InLoss";
import { klOfToolTokens } from "./klOfToolTokens";
import { klTwice } from "./klTwice";
import { largeEntropyBonus } from "./largeEntropyBonus";
import { largeKl } from "./largeKl";
import { lengthBias } from "./lengthBias";
import { ligerDropsCorrection } from "./ligerDropsCorrection";
import { lossNeedsSteps } from "./lossNeedsSteps";
import { lowLearningRate } from "./lowLearningRate";
import { lowTemperature } from "./lowTemperature";
import { manySteps } from "./manySteps";
import { microBatchTooLarge } from "./microBatchTooLarge";
import { misspelledSetting } from "./misspelledSetting";
import { negativeCoefficient } from "./negativeCoefficient";
import { noAnchor } from "./noAnchor";
import { noDualClip } from "./noDualClip";
import { noGradientClip } from "./noGradientClip";
import { plainPrompts } from "./plainPrompts";
import { quantizedRollouts } from "./quantizedRollouts";
import { rewardStopsAtTools } from "./rewardStopsAtTools";
import { sequenceBoundsOnTokens } from "./sequenceBoundsOnTokens";
import { shadowedClip } from "./shadowedClip";
import { shortAnswers } from "./shortAnswers";
import { shortLambda } from "./shortLambda";
import { sleepingEngine } from "./sleepingEngine";
import { smallGroup } from "./smallGroup";
import { stalePrefixCache } from "./stalePrefixCache";
import { staleWithoutCorrection } from "./staleWithoutCorrection";
import { stdOfSmallCosts } from "./stdOfSmallCosts";
import { summedTokens } from "./summedTokens";
import { tokenBoundsOnSequences } from "./tokenBoundsOnSequences";
import { tokenDiscount } from "./tokenDiscount";
import { tokenMeanLongFailures } from "./tokenMeanLongFailures";
import { toolTokensTrained } from "./toolTokensTrained";
import { truncatedAsFailures } from "./truncatedAsFailures";
import { truncatedSampling } from "./truncatedSampling";
import { unboundedSteps } from "./unboundedSteps";
import { unslothEnvironmentMask } from "./unslothEnvironmentMask";
import { wideClip } from "./wideClip";

/** The names of findings. */
export const findingIds = [
  "adapter-not-sent",
  "batch-baseline",
  "bf16-weights",
  "cold-critic",
  "context-too-short",
  "endless-filter",
  "engine-without-correction",
  "equal-groups-stay",
  "fixed-reference",
  "forced-tokens",
  "frozen-adapter",
  "fused-kernels-split",
  "group-of-one",
  "high-learning-rate",
  "high-temperature",
  "idle-clip",
  "idle-coefficient",
  "indivisible-batch",
  "inverted-state-mask",
  "k1-in-loss",
  "kl-of-tool-tokens",
  "kl-twice",
  "large-entropy-bonus",
  "large-kl",
  "length-bias",
  "liger-drops-correction",
  "loss-needs-steps",
  "low-learning-rate",
  "low-temperature",
  "many-steps",
  "micro-batch-too-large",
  "misspelled-setting",
  "negative-coefficient",
  "no-anchor",
  "no-dual-clip",
  "no-gradient-clip",
  "plain-prompts",
  "quantized-rollouts",
  "reward-stops-at-tools",
  "sequence-bounds-on-tokens",
  "shadowed-clip",
  "short-answers",
  "short-lambda",
  "sleeping-engine",
  "small-group",
  "stale-prefix-cache",
  "stale-without-correction",
  "std-of-small-costs",
  "summed-tokens",
  "token-bounds-on-sequences",
  "token-discount",
  "token-mean-long-failures",
  "tool-tokens-trained",
  "truncated-as-failures",
  "truncated-sampling",
  "unbounded-steps",
  "unsloth-environment-mask",
  "wide-clip",
] as const;

export type FindingId = (typeof findingIds)[number];

/** Findings that a configuration is checked for. */
export const findings = {
  "adapter-not-sent": adapterNotSent,
  "batch-baseline": batchBaseline,
  "bf16-weights": bf16Weights,
  "cold-critic": coldCritic,
  "context-too-short": contextTooShort,
  "endless-filter": endlessFilter,
  "engine-without-correction": engineWithoutCorrection,
  "equal-groups-stay": equalGroupsStay,
  "fixed-reference": fixedReference,
  "forced-tokens": forcedTokens,
  "frozen-adapter": frozenAdapter,
  "fused-kernels-split": fusedKernelsSplit,
  "group-of-one": groupOfOne,
  "high-learning-rate": highLearningRate,
  "high-temperature": highTemperature,
  "idle-clip": idleClip,
  "idle-coefficient": idleCoefficient,
  "indivisible-batch": indivisibleBatch,
  "inverted-state-mask": invertedStateMask,
  "k1-in-loss": k1InLoss,
  "kl-of-tool-tokens": klOfToolTokens,
  "kl-twice": klTwice,
  "large-entropy-bonus": largeEntropyBonus,
  "large-kl": largeKl,
  "length-bias": lengthBias,
  "liger-drops-correction": ligerDropsCorrection,
  "loss-needs-steps": lossNeedsSteps,
  "low-learning-rate": lowLearningRate,
  "low-temperature": lowTemperature,
  "many-steps": manySteps,
  "micro-batch-too-large": microBatchTooLarge,
  "misspelled-setting": misspelledSetting,
  "negative-coefficient": negativeCoefficient,
  "no-anchor": noAnchor,
  "no-dual-clip": noDualClip,
  "no-gradient-clip": noGradientClip,
  "plain-prompts": plainPrompts,
  "quantized-rollouts": quantizedRollouts,
  "reward-stops-at-tools": rewardStopsAtTools,
  "sequence-bounds-on-tokens": sequenceBoundsOnTokens,
  "shadowed-clip": shadowedClip,
  "short-answers": shortAnswers,
  "short-lambda": shortLambda,
  "sleeping-engine": sleepingEngine,
  "small-group": smallGroup,
  "stale-prefix-cache": stalePrefixCache,
  "stale-without-correction": staleWithoutCorrection,
  "std-of-small-costs": stdOfSmallCosts,
  "summed-tokens": summedTokens,
  "token-bounds-on-sequences": tokenBoundsOnSequences,
  "token-discount": tokenDiscount,
  "token-mean-long-failures": tokenMeanLongFailures,
  "tool-tokens-trained": toolTokensTrained,
  "truncated-as-failures": truncatedAsFailures,
  "truncated-sampling": truncatedSampling,
  "unbounded-steps": unboundedSteps,
  "unsloth-environment-mask": unslothEnvironmentMask,
  "wide-clip": wideClip,
} as const satisfies Readonly<Record<FindingId, Finding>>;
