import type { Recipe } from "turnwise/internal/rule/index";
import { byKind, type Kinds, type Of } from "../kinds";
import { UNBOUNDED, type FlagValues } from "../given";

type Group = "mean" | "rloo" | "reinforce" | "gae";

/** Advantages that come nearest; those of turns and steps are the group's mean there. */
const estimators: Record<Kinds<"advantage">, Group> = {
  return: "rloo",
  returnToGo: "reinforce",
  mean: "mean",
  leaveOneOut: "rloo",
  perTurn: "rloo",
  perPosition: "mean",
  episodePlusStep: "rloo",
  outcomePlusStep: "mean",
  verdictSign: "mean",
  gae: "gae",
  biLevelGae: "gae",
  gigpo: "mean",
  hierarchical: "gae",
  tree: "mean",
  subtree: "mean",
  step: "mean",
  lengthWeighted: "rloo",
  outcomePlusTurn: "mean",
  hgpo: "mean",
  agentPlusStep: "mean",
  optimalToken: "rloo",
  components: "mean",
  bestOfGroup: "mean",
  returnPlusStep: "mean",
  branches: "mean",
  belief: "mean",
  optimalTrajectory: "rloo",
  stateGraph: "mean",
  target: "mean",
  hindsight: "mean",
  outcomePlusGains: "mean",
  valueStep: "mean",
  custom: "mean",
};

/** Of the group's mean, by what it is divided by. */
const ofMean: Record<Kinds<"scale">, string> = {
  group: "group_norm",
  none: "dr_grpo",
  batch: "reinforce_baseline",
  tokens: "reinforce_baseline",
  mean: "dr_grpo",
  custom: "dr_grpo",
};

const bounds = (low = 0.2, high = 0.2): FlagValues => ({ "actor.eps_clip_low_high": [low, high] });

/** A gate that it does not have is a clip at .2. */
const gates: { [K in Kinds<"gate">]: (gate: Of<"gate", K>) => FlagValues } = {
  none: () => bounds(1, UNBOUNDED),
  unclipped: () => bounds(1, UNBOUNDED),
  clip: ({ clipLow, clipHigh }) => bounds(clipLow, clipHigh),
  dualClip: ({ clipLow, clipHigh, dualClip }) => ({
    ...bounds(clipLow, clipHigh),
    "actor.dual_clip": dualClip,
  }),
  offPolicyMask: ({ clipLow, clipHigh }) => bounds(clipLow, clipHigh),
  cispo: () => bounds(),
  sapo: () => bounds(),
  dppo: () => bounds(),
  logClip: () => bounds(),
  dro: () => bounds(),
  gamma: () => bounds(),
  fairClip: () => bounds(),
  standingClip: ({ clipLow, clipHigh }) => bounds(clipLow, clipHigh),
  rlPlus: () => bounds(),
  secondMoment: () => bounds(),
  custom: () => bounds(),
};

const aggregates: Record<Kinds<"aggregate">, string> = {
  tokenMean: "token-mean",
  sequenceMeanTokenMean: "seq-mean-token-mean",
  turnMean: "seq-mean-token-mean",
  constant: "token-mean",
  custom: "token-mean",
};

const correction = (mode: string, low: number, high: number | null): FlagValues => ({
  "algo.advantage.is_correction_level": "token",
  "algo.advantage.is_correction_mode": mode,
  "algo.advantage.is_correction_threshold": [low, high ?? UNBOUNDED],
});
const off: FlagValues = { "algo.advantage.is_correction_level": "off" };

/** At the level of sequences it drops by their geometric mean, and weighs the others token by token: no row does both. */
const corrections: { [K in Kinds<"correction">]: (o: Of<"correction", K>) => FlagValues } = {
  none: () => off,
  truncate: ({ level, high }) => (level === "token" ? correction("clip", 0, high) : off),
  mask: ({ level, low, high }) => (level === "token" ? correction("mask", low, high) : off),
  reject: () => off,
};

function penalties({ regularizer, reward }: Recipe): FlagValues {
  const { klReference: loss } = regularizer;
  if (loss !== null) {
    return {
      "algo.kl.init_coef": loss.coef,
      "algo.kl.use_loss": true,
      "algo.kl.estimator": loss.estimator === "k2" ? "k2" : "k3",
    };
  }
  if (reward.kl === null) return { "algo.kl.init_coef": 0 };
  const { coef, estimator } = reward.kl;
  return { "algo.kl.init_coef": coef, "algo.kl.estimator": estimator === "exact" ? "k1" : estimator };
}

/** Flags of OpenRLHF's train_ppo_ray. */
export function write(rule: Recipe, groupSize: number): FlagValues {
  const { advantage, scale, filter, ratio, regularizer, reward, update } = rule;
  const estimator = estimators[advantage.kind];
  const pooled = ratio.level === "trajectory" || ratio.level === "turn";
  return {
    "algo.advantage.estimator": estimator === "mean" ? ofMean[scale.kind] : estimator,
    ...(advantage.kind === "returnToGo" && { "algo.advantage.gamma": advantage.gamma }),
    ...((advantage.kind === "gae" || advantage.kind === "biLevelGae") && {
      "algo.advantage.gamma": advantage.gamma,
      "algo.advantage.lambd": advantage.lambda,
    }),
    "actor.policy_loss_type": pooled ? "gspo" : "ppo",
    ...byKind<FlagValues>(gates, rule.gate),
    "actor.loss_agg_mode": pooled ? "seq-mean-token-mean" : aggregates[rule.aggregate.kind],
    ...byKind<FlagValues>(corrections, rule.correction),
    ...penalties(rule),
    ...(regularizer.entropyCoef > 0 && { "actor.entropy_coef": regularizer.entropyCoef }),
    ...(reward.overlong && {
      "reward.overlong_buffer_len": reward.overlong.buffer,
      "reward.overlong_penalty_factor": 1,
      "rollout.max_new_tokens": reward.overlong.maxLength,
    }),
    ...(filter.kind === "zeroVariance" && {
      "algo.dynamic_filtering_enable": true,
      "algo.dynamic_filtering_range": [0, 1],
    }),
    // Without it, returns are cut to 10.
    "reward.clip_range": [-1_000_000, 1_000_000],
    "rollout.n_samples_per_prompt": groupSize,
    "train.max_epochs": update.epochs,
    "rollout.batch_size": 16 * update.minibatches,
    "train.batch_size": 16 * groupSize,
  };
}
