import type { Recipe } from "turnwise/internal/rule/index";
import { byKind, type Kinds, type Of } from "../kinds";
import { UNBOUNDED, type FlagValues } from "../given";
import { actor, engine, penaltyOf, policyLoss } from "./names";

type Estimator =
  | "grpo"
  | "grpo_passk"
  | "rloo"
  | "reinforce_plus_plus"
  | "reinforce_plus_plus_baseline"
  | "gae"
  | "remax"
  | "opo"
  | "optimal_token_baseline";

/** Advantages that come nearest; those of turns and steps are the group's mean there. */
const estimators: Record<Kinds<"advantage">, Estimator> = {
  return: "rloo",
  returnToGo: "reinforce_plus_plus",
  mean: "grpo",
  leaveOneOut: "rloo",
  perTurn: "rloo",
  perPosition: "grpo",
  episodePlusStep: "rloo",
  outcomePlusStep: "grpo",
  verdictSign: "grpo",
  gae: "gae",
  biLevelGae: "gae",
  gigpo: "grpo",
  hierarchical: "gae",
  tree: "grpo",
  subtree: "grpo",
  step: "grpo",
  lengthWeighted: "opo",
  outcomePlusTurn: "grpo",
  hgpo: "grpo",
  agentPlusStep: "grpo",
  optimalToken: "optimal_token_baseline",
  components: "grpo",
  bestOfGroup: "grpo_passk",
  returnPlusStep: "remax",
  branches: "grpo",
  belief: "grpo",
  optimalTrajectory: "opo",
  stateGraph: "grpo",
  target: "grpo",
  hindsight: "grpo",
  outcomePlusGains: "grpo",
  valueStep: "grpo",
  custom: "grpo",
};

const clipped = (low = 0.2, high = 0.2, dual = UNBOUNDED): FlagValues => ({
  [policyLoss("loss_mode")]: "vanilla",
  [actor("clip_ratio_low")]: low,
  [actor("clip_ratio_high")]: high,
  [actor("clip_ratio_c")]: dual,
});

/** The loss of a gate; one that it does not have is a clip at .2. Its clip is always a dual one: beyond e^20 it never binds. */
const gates: { [K in Kinds<"gate">]: (gate: Of<"gate", K>, rule: Recipe) => FlagValues } = {
  none: () => ({ [policyLoss("loss_mode")]: "gpg" }),
  unclipped: (_, rule) => covariance(rule) ?? clipped(1, UNBOUNDED),
  clip: ({ clipLow, clipHigh }, rule) =>
    covariance(rule, clipLow, clipHigh) ?? pooled(rule, clipLow, clipHigh),
  dualClip: ({ clipLow, clipHigh, dualClip }) => clipped(clipLow, clipHigh, dualClip),
  offPolicyMask: ({ clipLow, clipHigh }) => clipped(clipLow, clipHigh),
  cispo: ({ clipLow, clipHigh }) => ({
    [policyLoss("loss_mode")]: "cispo",
    [actor("clip_ratio_low")]: clipLow,
    [actor("clip_ratio_high")]: clipHigh,
  }),
  sapo: ({ tauPositive, tauNegative }) => ({
    [policyLoss("loss_mode")]: "sapo",
    [actor("tau_pos")]: tauPositive,
    [actor("tau_neg")]: tauNegative,
  }),
  dppo: ({ divergence, deltaLow, deltaHigh, cap }) => ({
    [policyLoss("loss_mode")]: `dppo_${divergence}`,
    [actor("clip_ratio_low")]: deltaLow,
    [actor("clip_ratio_high")]: deltaHigh,
    [actor("clip_ratio_c")]: cap ?? UNBOUNDED,
  }),
  logClip: ({ logLow, logHigh }) => ({
    [policyLoss("loss_mode")]: "geo_mean",
    [actor("clip_ratio_low")]: logLow,
    [actor("clip_ratio_high")]: logHigh,
  }),
  dro: ({ beta }) => ({ [policyLoss("loss_mode")]: "dro", [policyLoss("dro_beta")]: beta }),
  gamma: () => clipped(),
  fairClip: () => clipped(),
  standingClip: ({ clipLow, clipHigh }, rule) => pooled(rule, clipLow, clipHigh),
  rlPlus: () => clipped(),
  secondMoment: () => clipped(),
  custom: () => clipped(),
};

/** A ratio of several tokens is that of a trajectory there. */
const pooled = ({ ratio }: Recipe, low: number, high: number): FlagValues =>
  ratio.level === "trajectory" || ratio.level === "turn"
    ? {
        [policyLoss("loss_mode")]: "gspo",
        [actor("clip_ratio_low")]: low,
        [actor("clip_ratio_high")]: high,
      }
    : clipped(low, high);

/** Losses that choose tokens by their covariance. */
function covariance({ regularizer }: Recipe, low = 0.2, high = 0.2): FlagValues | undefined {
  const { covariance: field } = regularizer;
  if (field.kind === "clip") {
    return {
      [policyLoss("loss_mode")]: "clip_cov",
      [policyLoss("clip_cov_ratio")]: field.share,
      [policyLoss("clip_cov_lb")]: field.min,
      [policyLoss("clip_cov_ub")]: field.max,
      [actor("clip_ratio_low")]: low,
      [actor("clip_ratio_high")]: high,
    };
  }
  if (field.kind !== "penalty") return undefined;
  return {
    [policyLoss("loss_mode")]: "kl_cov",
    [policyLoss("kl_cov_ratio")]: field.share,
    [policyLoss("ppo_kl_coef")]: field.coef,
  };
}

const aggregates: { [K in Kinds<"aggregate">]: (o: Of<"aggregate", K>) => FlagValues } = {
  tokenMean: () => ({ [actor("loss_agg_mode")]: "token-mean" }),
  sequenceMeanTokenMean: () => ({ [actor("loss_agg_mode")]: "seq-mean-token-mean" }),
  turnMean: () => ({ [actor("loss_agg_mode")]: "seq-mean-token-mean" }),
  constant: ({ length }) =>
    length === 1
      ? { [actor("loss_agg_mode")]: "seq-mean-token-sum" }
      : {
          [actor("loss_agg_mode")]: "seq-mean-token-sum-norm",
          ...(length !== "maximum" && { [actor("loss_scale_factor")]: Math.max(1, Math.round(length)) }),
        },
  custom: () => ({ [actor("loss_agg_mode")]: "token-mean" }),
};

const level = (of: string): string => (of === "token" ? "token" : "sequence");

/** Its weights end at e^20 as well; a lower bound must be above 0, and none is below e^-20. */
const corrections: { [K in Kinds<"correction">]: (o: Of<"correction", K>) => FlagValues } = {
  none: () => ({ [engine("rollout_is")]: null, [engine("rollout_rs")]: null }),
  truncate: (o) => ({
    [engine("rollout_is")]: level(o.level),
    [engine("rollout_is_threshold")]: o.high ?? UNBOUNDED,
    [engine("rollout_rs")]: null,
  }),
  mask: ({ level: of, low, high }) => ({
    [engine("rollout_is")]: level(of),
    [engine("rollout_is_threshold")]: `${Math.max(low, 1 / UNBOUNDED)}_${high ?? UNBOUNDED}`,
    [engine("rollout_rs")]: null,
  }),
  // It bounds the ratio of the engine to the trainer: one over this one.
  reject: ({ level: of, low, high }) => ({
    [engine("rollout_is")]: null,
    [engine("rollout_rs")]: of === "token" ? "token_k1" : "seq_mean_k1",
    [engine("rollout_rs_threshold")]: `${1 / (high ?? UNBOUNDED)}_${1 / Math.max(low, 1 / UNBOUNDED)}`,
  }),
};

function penalties({ regularizer, reward }: Recipe): FlagValues {
  const { klReference: loss } = regularizer;
  const { kl } = reward;
  return {
    [actor("use_kl_loss")]: loss !== null,
    ...(loss && { [actor("kl_loss_coef")]: loss.coef, [actor("kl_loss_type")]: penaltyOf(loss.estimator) }),
    "algorithm.use_kl_in_reward": kl !== null,
    ...(kl && { "algorithm.kl_ctrl.kl_coef": kl.coef, "algorithm.kl_penalty": penaltyOf(kl.estimator) }),
    [actor("entropy_coeff")]: regularizer.entropyCoef,
  };
}

function overlong({ reward }: Recipe): FlagValues {
  if (reward.overlong === null) return {};
  const { maxLength, buffer } = reward.overlong;
  return {
    "reward.reward_manager.name": "dapo",
    "reward.reward_kwargs.max_resp_len": maxLength,
    "reward.reward_kwargs.overlong_buffer_cfg.enable": true,
    "reward.reward_kwargs.overlong_buffer_cfg.len": buffer,
    "reward.reward_kwargs.overlong_buffer_cfg.penalty_factor": 1,
    "reward.reward_kwargs.overlong_buffer_cfg.log": false,
  };
}

/** Overrides of verl's ppo_trainer.yaml. */
export function write(rule: Recipe, groupSize: number): FlagValues {
  const { advantage, scale, filter, update } = rule;
  const nearest = estimators[advantage.kind];
  const estimator = nearest === "grpo" && scale.kind === "tokens" ? "reinforce_plus_plus_baseline" : nearest;
  return {
    "algorithm.adv_estimator": estimator,
    ...((estimator === "grpo" || estimator === "grpo_passk") && {
      "algorithm.norm_adv_by_std_in_grpo": scale.kind === "group" || scale.kind === "batch",
    }),
    ...(advantage.kind === "returnToGo" && { "algorithm.gamma": advantage.gamma }),
    ...((advantage.kind === "gae" || advantage.kind === "biLevelGae") && {
      "algorithm.gamma": advantage.gamma,
      "algorithm.lam": advantage.lambda,
    }),
    ...(estimator === "optimal_token_baseline" && { [actor("calculate_sum_pi_squared")]: true }),
    ...byKind<FlagValues>(corrections, rule.correction),
    ...byKind<FlagValues>(gates, rule.gate, rule),
    ...byKind<FlagValues>(aggregates, rule.aggregate),
    ...penalties(rule),
    ...overlong(rule),
    ...(filter.kind === "zeroVariance" && {
      "algorithm.filter_groups.enable": true,
      "algorithm.filter_groups.metric": "reward",
      "algorithm.filter_groups.max_num_gen_batches": filter.maxGenerations,
    }),
    "actor_rollout_ref.rollout.n": groupSize,
    [actor("ppo_epochs")]: update.epochs,
    "data.train_batch_size": 256 * update.minibatches,
    [actor("ppo_mini_batch_size")]: 256,
  };
}
