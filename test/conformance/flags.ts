/** With which flags the cases of the fixture were run, as from_trl.py, from_verl.py and from_openrlhf.py give them; the rest is each framework's default. */
import type { FlagValues } from "turnwise-practice";

const sequence = { importance_sampling_level: "sequence" } as const;
const gspo = { loss_type: "grpo", ...sequence, epsilon: 3e-4, epsilon_high: 4e-4 } as const;
const vllm = (mode: string, least: number | null, most: number): FlagValues => ({
  use_vllm: true,
  vllm_importance_sampling_mode: mode,
  vllm_importance_sampling_clip_min: least,
  vllm_importance_sampling_clip_max: most,
});

export const trlCases: Readonly<Record<string, FlagValues>> = {
  "TRL: GRPO": { loss_type: "grpo" },
  "TRL: GRPO, bnpo": { loss_type: "bnpo" },
  "TRL: GRPO, two-sided": { loss_type: "grpo", delta: 3 },
  "TRL: GRPO, KL": { loss_type: "grpo", beta: 0.04, use_bias_correction_kl: false },
  "TRL: GRPO, KL, corrected": { loss_type: "grpo", beta: 0.04 },
  "TRL: Dr. GRPO": { loss_type: "dr_grpo", scale_rewards: "none" },
  "TRL: DAPO": { epsilon_high: 0.28 },
  "TRL: GSPO, old": gspo,
  "TRL: GSPO, near": gspo,
  "TRL: SAPO": { loss_type: "sapo" },
  "TRL: CISPO": { loss_type: "cispo", epsilon_high: 1.2 },
  "TRL: top entropy 0.2": { epsilon_high: 0.28, top_entropy_quantile: 0.2 },
  "TRL: top entropy 0.55": { epsilon_high: 0.28, top_entropy_quantile: 0.55 },
  "TRL: adaptive entropy": { use_adaptive_entropy: true, entropy_coef: 0.03 },
  "TRL: LUSPO": { loss_type: "luspo", ...sequence, epsilon: 2e-3, epsilon_high: 2.5e-3 },
  "TRL: VESPO": { loss_type: "vespo" },
  "TRL: off-policy mask": { off_policy_mask_threshold: 0.02 },
  "TRL: engine, token_truncate": vllm("token_truncate", null, 1.2),
  "TRL: engine, token_mask": vllm("token_mask", 0.8, 1.25),
  "TRL: engine, sequence_truncate": vllm("sequence_truncate", null, 1.2),
  "TRL: engine, sequence_mask": vllm("sequence_mask", null, 1.2),
  "TRL: GDPO": { multi_objective_aggregation: "normalize_then_sum" },
  "TRL: RLOO": { normalize_advantages: false, beta: 0 },
  "TRL: RLOO, KL in the reward": { normalize_advantages: false, beta: 0.3 },
};

const a = (flags: FlagValues): FlagValues =>
  Object.fromEntries(
    Object.entries(flags).map(([name, value]) => [`actor_rollout_ref.actor.${name}`, value]),
  );
const loss = (mode: string, flags: FlagValues = {}): FlagValues =>
  a({ "policy_loss.loss_mode": mode, ...flags });
const by = (estimator: string, ...flags: readonly FlagValues[]): FlagValues =>
  Object.assign({ "algorithm.adv_estimator": estimator }, ...flags) as FlagValues;
const average = (mode: string): FlagValues => a({ loss_agg_mode: mode });
const means = average("seq-mean-token-mean");
const sums = average("seq-mean-token-sum");
const clips = (low: number, high: number): FlagValues => ({ clip_ratio_low: low, clip_ratio_high: high });
const engine = (flags: FlagValues): FlagValues =>
  Object.fromEntries(
    Object.entries(flags).map(([name, value]) => [`algorithm.rollout_correction.${name}`, value]),
  );
const verlGspo = loss("gspo", clips(3e-4, 4e-4));
const penalty = (type: string): FlagValues =>
  by(
    "grpo",
    { "algorithm.norm_adv_by_std_in_grpo": false },
    loss("gpg", { use_kl_loss: true, kl_loss_coef: 1, kl_loss_type: type }),
  );

export const verlCases: Readonly<Record<string, FlagValues>> = {
  "verl: REINFORCE++": by("reinforce_plus_plus"),
  "verl: RLOO": by("rloo", loss("gpg"), sums),
  "verl: RLOO, clipped": by("rloo"),
  "verl: PPO": {},
  "verl: PPO, KL in the reward": {
    "algorithm.use_kl_in_reward": true,
    "algorithm.kl_ctrl.kl_coef": 0.3,
  },
  "verl: PPO, clip higher": a({ clip_ratio_high: 0.28, entropy_coeff: 0.001 }),
  "verl: GRPO": by("grpo", means),
  "verl: GRPO, no deviation": by(
    "grpo",
    { "algorithm.norm_adv_by_std_in_grpo": false },
    average("seq-mean-token-sum-norm"),
  ),
  "verl: DAPO": by("grpo", a({ clip_ratio_high: 0.28 })),
  "verl: agg_loss token-mean": by("grpo"),
  "verl: agg_loss seq-mean-token-sum": by("grpo", sums),
  "verl: agg_loss seq-mean-token-mean": by("grpo", means),
  "verl: agg_loss seq-mean-token-sum-norm": by("grpo", average("seq-mean-token-sum-norm")),
  "verl: ratios to 25 nats": by("grpo", means),
  "verl: GSPO, old": by("grpo", means, verlGspo),
  "verl: GSPO, near": by("grpo", means, verlGspo),
  "verl: GSPO, token-mean": by("grpo", verlGspo),
  "verl: SAPO": by("grpo", means, loss("sapo")),
  "verl: Clip-Cov": by("grpo", loss("clip_cov")),
  "verl: Clip-Cov, wide": by(
    "grpo",
    loss("clip_cov", {
      "policy_loss.clip_cov_ratio": 0.2,
      "policy_loss.clip_cov_lb": 0.1,
      "policy_loss.clip_cov_ub": 0.6,
    }),
  ),
  // Run without the configuration, whose weight is .1.
  "verl: KL-Cov": by("grpo", loss("kl_cov", { "policy_loss.ppo_kl_coef": 1 })),
  "verl: KL-Cov, many": by(
    "grpo",
    loss("kl_cov", { "policy_loss.kl_cov_ratio": 0.3, "policy_loss.ppo_kl_coef": 0.5 }),
  ),
  "verl: DPPO, total variation": by("grpo", loss("dppo_tv", clips(0.15, 0.15))),
  "verl: DPPO, KL": by("grpo", loss("dppo_kl", clips(0.05, 0.05))),
  "verl: GMPO": by("grpo", loss("geo_mean", clips(0.4, 0.4))),
  "verl: DRO": by("grpo", loss("dro", { "policy_loss.dro_beta": 0.1 })),
  "verl: OPO": by("opo", loss("gpg"), sums),
  "verl: REINFORCE++-baseline": by("reinforce_plus_plus_baseline"),
  "verl: GRPO, pass@k": by("grpo_passk"),
  "verl: ReMax": by("remax", loss("gpg"), sums),
  "verl: optimal token baseline": by("optimal_token_baseline", loss("gpg"), sums),
  "verl: TIS": by("grpo", engine({ rollout_is: "token", rollout_is_threshold: 1.2 })),
  "verl: TIS, trajectory": by("grpo", engine({ rollout_is: "sequence", rollout_is_threshold: 1.2 })),
  "verl: IcePop": by("grpo", engine({ rollout_is: "token", rollout_is_threshold: "0.8_1.25" })),
  "verl: Geometric rejection": by(
    "grpo",
    engine({ rollout_rs: "seq_mean_k1", rollout_rs_threshold: "0.9_1.1" }),
  ),
  "verl: CISPO": by("grpo", loss("cispo")),
  ...Object.fromEntries(
    ["k2", "k3", "k3+"].flatMap((type) =>
      ["fours", "far"].map((batch) => [`verl: kl_penalty ${type}, ${batch}`, penalty(type)]),
    ),
  ),
};

const o = (estimator: string, flags: FlagValues = {}): FlagValues => ({
  "algo.advantage.estimator": estimator,
  "algo.kl.init_coef": 0,
  "reward.clip_range": [-1e6, 1e6],
  ...flags,
});
const bySequence = { "actor.loss_agg_mode": "seq-mean-token-mean" } as const;
const higher = { "actor.eps_clip_low_high": [0.2, 0.28] } as const;
const openGspo = { "actor.policy_loss_type": "gspo", "actor.eps_clip_low_high": [3e-4, 4e-4] } as const;

export const openRlhfCases: Readonly<Record<string, FlagValues>> = {
  "OpenRLHF: REINFORCE++": o("reinforce"),
  "OpenRLHF: REINFORCE++, KL in the reward": o("reinforce", { "algo.kl.init_coef": 0.3 }),
  "OpenRLHF: REINFORCE++-baseline": o("reinforce_baseline"),
  "OpenRLHF: RLOO, clipped": o("rloo"),
  "OpenRLHF: PPO": o("gae"),
  "OpenRLHF: PPO, gaps": o("gae", { "algo.advantage.lambd": 0.9 }),
  "OpenRLHF: PPO, dual clip": o("gae", { "actor.dual_clip": 3 }),
  "OpenRLHF: GRPO": o("group_norm", bySequence),
  "OpenRLHF: Dr. GRPO": o("dr_grpo"),
  "OpenRLHF: DAPO": o("group_norm", higher),
  "OpenRLHF: DAPO, overlong": o("group_norm", {
    ...higher,
    "reward.overlong_buffer_len": 4,
    "rollout.max_new_tokens": 6,
  }),
  "OpenRLHF: GSPO, old": o("group_norm", openGspo),
  "OpenRLHF: GSPO, near": o("group_norm", openGspo),
  "OpenRLHF: ratios to 25 nats": o("group_norm", bySequence),
  ...Object.fromEntries(
    ["k2", "k3"].flatMap((type) =>
      ["fours", "far"].map((batch) => [
        `OpenRLHF: compute_approx_kl ${type}, ${batch}`,
        o("dr_grpo", { "algo.kl.init_coef": 1, "algo.kl.use_loss": true, "algo.kl.estimator": type }),
      ]),
    ),
  ),
};

/** Cases of these frameworks that no flags ask for. */
export const withoutFlags: Readonly<Record<string, string>> = {
  "verl: REINFORCE": "the returns of reinforce_plus_plus before it whitens them",
  "verl: GPG": "its alpha counts returns other than 0, which no row does",
  "verl: agg_loss token-sum": "no row adds tokens up whatever their number",
  "verl: PPO, k1 in the loss": "no row has k1 in its loss",
  "verl: kl_penalty k1, fours": "no row has k1 in its loss",
  "verl: kl_penalty k1, far": "no row has k1 in its loss",
  "TRL: RLOO, on policy": "the flags of RLOO, on the policy that sampled",
  "TRL: DAPO, overlong": "its penalty is a reward function",
  "OpenRLHF: compute_approx_kl k1, fours": "no row has k1 in its loss",
  "OpenRLHF: compute_approx_kl k1, far": "no row has k1 in its loss",
  "OpenRLHF: compute_approx_kl k3, corrected, fours": "no row has the value of k3 with a weighted gradient",
};
