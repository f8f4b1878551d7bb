import type { Recipe } from "turnwise/internal/rule/index";
import { tidy, UNBOUNDED, type FlagValues } from "../given";
import { byKind, type Kinds, type Of } from "../kinds";
import type { LossType } from "./read";

/** The loss type of a clipped ratio, by what it is divided by. */
const byAggregate: { [K in Kinds<"aggregate">]: (o: Of<"aggregate", K>) => LossType } = {
  sequenceMeanTokenMean: () => "grpo",
  tokenMean: () => "dapo",
  constant: ({ length }) => (length === "maximum" ? "dr_grpo" : "luspo"),
  turnMean: () => "grpo",
  custom: () => "dapo",
};

const clipped = ({ aggregate }: Recipe, epsilon = 0.2, high = 0.2): FlagValues => ({
  loss_type: byKind<string>(byAggregate, aggregate),
  epsilon,
  epsilon_high: high,
});

const free = (rule: Recipe): FlagValues => clipped(rule, 1, UNBOUNDED);

/** The loss type of a gate; one that it does not have is a clip at .2. */
const gates: { [K in Kinds<"gate">]: (gate: Of<"gate", K>, rule: Recipe) => FlagValues } = {
  none: (_, rule) => free(rule),
  unclipped: (_, rule) => free(rule),
  clip: ({ clipLow, clipHigh }, rule) => clipped(rule, clipLow, clipHigh),
  dualClip: ({ clipLow, clipHigh, dualClip }, rule) => ({
    ...clipped(rule, clipLow, clipHigh),
    delta: dualClip,
  }),
  offPolicyMask: ({ clipLow, clipHigh, delta }, rule) => ({
    ...clipped(rule, clipLow, clipHigh),
    off_policy_mask_threshold: delta,
  }),
  cispo: ({ clipHigh }) => ({ loss_type: "cispo", epsilon_high: tidy(1 + clipHigh) }),
  sapo: ({ tauPositive, tauNegative }) => ({
    loss_type: "sapo",
    sapo_temperature_pos: tauPositive,
    sapo_temperature_neg: tauNegative,
  }),
  gamma: (o) => ({
    loss_type: "vespo",
    vespo_k_pos: o.kPositive,
    vespo_lambda_pos: o.lambdaPositive,
    vespo_k_neg: o.kNegative,
    vespo_lambda_neg: o.lambdaNegative,
  }),
  dppo: (_, rule) => clipped(rule),
  logClip: (_, rule) => clipped(rule),
  fairClip: (_, rule) => clipped(rule),
  standingClip: ({ clipLow, clipHigh }, rule) => clipped(rule, clipLow, clipHigh),
  rlPlus: (_, rule) => clipped(rule),
  secondMoment: (_, rule) => clipped(rule),
  dro: (_, rule) => clipped(rule),
  custom: (_, rule) => clipped(rule),
};

const scales: Record<Kinds<"scale">, string> = {
  none: "none",
  group: "group",
  batch: "batch",
  tokens: "batch",
  mean: "none",
  custom: "none",
};

const corrections: { [K in Kinds<"correction">]: (o: Of<"correction", K>) => FlagValues } = {
  none: () => ({ vllm_importance_sampling_correction: false }),
  truncate: ({ level, high }) => engine(level, "truncate", 0, high),
  mask: ({ level, low, high }) => engine(level, "mask", low, high),
  reject: ({ level, low, high }) => engine(level, "mask", low, high),
};

const engine = (level: string, does: string, low: number, high: number | null): FlagValues => ({
  use_vllm: true,
  vllm_importance_sampling_correction: true,
  vllm_importance_sampling_mode: `${level === "token" ? "token" : "sequence"}_${does}`,
  vllm_importance_sampling_clip_min: low === 0 && high !== null ? null : low,
  vllm_importance_sampling_clip_max: high,
});

const reuse = ({ update }: Recipe, groupSize: number): FlagValues => ({
  num_generations: groupSize,
  num_iterations: update.epochs,
  steps_per_generation: update.minibatches,
  gradient_accumulation_steps: 1,
});

/** Arguments of GRPOConfig. */
export function grpo(rule: Recipe, groupSize: number): FlagValues {
  const { regularizer, scale, advantage, ratio, gate, correction } = rule;
  const { klReference: kl, entropyTarget: target } = regularizer;
  const level = ratio.level === "token" || ratio.level === "none" ? "token" : "sequence";
  return {
    ...byKind<FlagValues>(gates, gate, rule),
    importance_sampling_level: level,
    ...(advantage.kind === "components"
      ? { multi_objective_aggregation: "normalize_then_sum" }
      : { scale_rewards: scales[scale.kind] }),
    beta: kl?.coef ?? 0,
    ...(kl && { use_bias_correction_kl: kl.correction === "importanceWeighted" }),
    ...(regularizer.entropyCoef > 0 && { entropy_coef: regularizer.entropyCoef }),
    ...(target && {
      use_adaptive_entropy: true,
      entropy_target: target.target,
      entropy_coef_delta: target.step,
      entropy_coef_min: target.min,
      entropy_coef_max: target.max,
    }),
    ...(regularizer.entropyShare < 1 && { top_entropy_quantile: regularizer.entropyShare }),
    ...byKind<FlagValues>(corrections, correction),
    ...reuse(rule, groupSize),
  };
}

/** Arguments of RLOOConfig: leave-one-out, and one ratio a trajectory. */
export function rloo(rule: Recipe, groupSize: number): FlagValues {
  const { clipLow, clipHigh } =
    "clipHigh" in rule.gate && rule.gate.kind !== "cispo" ? rule.gate : { clipLow: 0.2, clipHigh: 0.2 };
  const uncut = rule.gate.kind === "none" || rule.gate.kind === "unclipped";
  return {
    epsilon: uncut ? 1 : clipLow,
    epsilon_high: uncut ? UNBOUNDED : clipHigh,
    beta: rule.reward.kl?.coef ?? 0,
    normalize_advantages: false,
    ...reuse(rule, groupSize),
  };
}
