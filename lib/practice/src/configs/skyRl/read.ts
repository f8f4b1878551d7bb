import type { Meaning } from "../contract";
import type { Given } from "../given";
import { plain } from "../plain";

const algorithm = (name: string): string => `trainer.algorithm.${name}`;

const estimators = ["grpo", "rloo", "gae", "reinforce++"] as const;
const losses = ["regular", "dual_clip", "gspo", "sapo", "cispo", "clip_cov", "kl_cov"] as const;
const reductions = ["token_mean", "token_mean_legacy", "sequence_mean", "seq_mean_token_sum_norm"] as const;

type Credit = Pick<Meaning, "advantage" | "scale">;

const credits: Record<(typeof estimators)[number], (given: Given) => Credit> = {
  grpo: (given) => ({
    advantage: { kind: "mean", groupBy: "task", allowSingleton: true },
    scale: given.flag(algorithm("grpo_norm_by_std"), true)
      ? { kind: "group", unbiased: true, epsilon: 1e-6 }
      : "none",
  }),
  rloo: () => ({ advantage: "leaveOneOut", scale: "none" }),
  gae: (given) => {
    const [gamma, lambda] = [given.number(algorithm("gamma"), 1), given.number(algorithm("lambd"), 1)];
    return {
      advantage: {
        kind: "gae",
        level: "token",
        gamma,
        lambda,
        valueCoef: 0.5,
        valueTarget: lambda === 1 && gamma === 1 ? "monteCarlo" : "lambdaReturn",
      },
      scale: { kind: "batch", unbiased: true, epsilon: 1e-6, clamp: null },
    };
  },
  "reinforce++": (given) => ({
    advantage: { kind: "returnToGo", gamma: given.number(algorithm("gamma"), 1) },
    scale: { kind: "batch", unbiased: true, epsilon: 1e-6, clamp: null },
  }),
};

interface Loss extends Pick<Meaning, "gate"> {
  readonly ratio?: Meaning["ratio"];
  readonly covariance?: object;
}

const bounds = (given: Given): { clipLow: number; clipHigh: number } => ({
  clipLow: Math.min(1, given.number(algorithm("eps_clip_low"), 0.2)),
  clipHigh: given.number(algorithm("eps_clip_high"), 0.2),
});

const gates: Record<(typeof losses)[number], (given: Given) => Loss> = {
  regular: (given) => ({ gate: { kind: "clip", ...bounds(given) } }),
  dual_clip: (given) => ({
    gate: { kind: "dualClip", ...bounds(given), dualClip: given.number(algorithm("clip_ratio_c"), 3) },
  }),
  gspo: (given) => ({
    gate: { kind: "clip", ...bounds(given) },
    ratio: { level: "trajectory", pooling: "geometric" },
  }),
  sapo: (given) => ({
    gate: {
      kind: "sapo",
      tauPositive: given.number(algorithm("sapo.tau_pos"), 1),
      tauNegative: given.number(algorithm("sapo.tau_neg"), 1.05),
    },
  }),
  cispo: (given) => ({
    gate: {
      kind: "cispo",
      clipLow: given.number(algorithm("cispo.cispo_eps_clip_low"), 0),
      clipHigh: given.number(algorithm("cispo.cispo_eps_clip_high"), 5),
    },
  }),
  clip_cov: (given) => ({
    gate: { kind: "clip", ...bounds(given) },
    covariance: {
      kind: "clip",
      share: given.number(algorithm("clip_cov.clip_ratio"), 2e-4),
      min: given.number(algorithm("clip_cov.clip_cov_lb"), 1),
      max: given.number(algorithm("clip_cov.clip_cov_ub"), 5),
    },
  }),
  kl_cov: (given) => ({
    gate: "unclipped",
    covariance: {
      kind: "penalty",
      share: given.number(algorithm("kl_cov.kl_cov_frac"), 0.2),
      coef: given.number(algorithm("kl_cov.ppo_kl_coef"), 1),
    },
  }),
};

const aggregates: Record<(typeof reductions)[number], Meaning["aggregate"]> = {
  token_mean: { kind: "tokenMean", per: "batch" },
  token_mean_legacy: { kind: "tokenMean", per: "batch" },
  sequence_mean: { kind: "sequenceMeanTokenMean", per: "batch" },
  seq_mean_token_sum_norm: { kind: "constant", length: "maximum", per: "batch" },
};

function correctionOf(given: Given): Meaning["correction"] {
  const correction = (name: string): string => algorithm(`off_policy_correction.${name}`);
  const cap = given.number(algorithm("tis_imp_ratio_cap"), -1);
  if (given.flag(algorithm("use_tis"), false))
    return { kind: "truncate", level: "token", high: cap > 0 ? cap : 2 };
  const mask = given.text(correction("sequence_mask_metric"));
  if (mask !== null) {
    given.without.push({
      flag: correction("sequence_mask_metric"),
      does: `drops sequences by the ${mask} of their ratios`,
      field: "correction",
    });
  }
  const type = given.text(correction("tis_ratio_type"));
  if (type === null) return "none";
  return type === "token"
    ? { kind: "truncate", level: "token", high: given.number(correction("token_tis_ratio_clip_high"), 2) }
    : {
        kind: "truncate",
        level: "trajectory",
        high: given.number(correction("sequence_tis_ratio_clip_high"), 5),
      };
}

const limits = { logRatio: 20, value: 10 } as const;

/** The rule of a configuration of SkyRL, with its defaults. */
export function read(given: Given): Meaning {
  const credit = credits[given.word(algorithm("advantage_estimator"), estimators, "grpo")](given);
  const loss = gates[given.word(algorithm("policy_loss_type"), losses, "regular")](given);
  const inLoss = given.flag(algorithm("use_kl_loss"), true);
  const coef = given.number(algorithm("kl_loss_coef"), 1e-3);
  const estimator = given.word(algorithm("kl_estimator_type"), ["k1", "k2", "k3", "abs"], "k3");
  const inReward = given.flag(algorithm("use_kl_in_reward"), false);
  const rewardCoef = given.number(algorithm("kl_ctrl.kl_coef"), 1e-3);
  const charged = estimator === "abs" ? "k3" : estimator;
  const type = { estimator: charged, clamp: charged === "k3" ? limits : null } as const;
  if (estimator === "abs") {
    given.without.push({ flag: algorithm("kl_estimator_type"), does: "charges the size of the log-ratio" });
  }
  if (inLoss && charged === "k1") {
    const does = "k1 in the loss, which has no gradient on average";
    given.without.push({ flag: algorithm("kl_estimator_type"), does, field: "regularizer.klReference" });
  }
  if (given.flag(algorithm("zero_variance_filter"), false)) {
    given.notes.push("groups of equal rewards stay in the batch, and their tokens are masked");
  }
  const dynamic = given.text(algorithm("dynamic_sampling.type"));
  const most = given.number(algorithm("dynamic_sampling.max_sample_batches"), 30);
  if (given.flag(algorithm("advantage_batch_normalize"), false)) {
    const does = "whitens advantages over the batch besides";
    given.without.push({ flag: algorithm("advantage_batch_normalize"), does, field: "scale" });
  }
  const batch = given.number("trainer.train_batch_size", 1024);
  const entropy = given.flag(algorithm("use_entropy_loss"), false);
  const entropyCoef = given.number(algorithm("entropy_loss_coef"), 0.01);
  return {
    ...plain,
    ...credit,
    reward: { ...plain.reward, kl: inReward ? { coef: rewardCoef, ...type, reference: "frozen" } : null },
    filter: dynamic === "filter" ? { kind: "zeroVariance", maxGenerations: Math.max(1, most) } : "none",
    correction: correctionOf(given),
    ratio: loss.ratio ?? "token",
    gate: loss.gate,
    aggregate: aggregates[given.word(algorithm("loss_reduction"), reductions, "token_mean")],
    regularizer: {
      ...plain.regularizer,
      klReference:
        inLoss && charged !== "k1" && coef > 0
          ? { coef, direction: "reverse", correction: "none", ...type, estimator: charged }
          : null,
      entropyCoef: entropy ? entropyCoef : 0,
      covariance: (loss.covariance ?? "off") as "off",
    },
    update: {
      epochs: given.number("trainer.update_epochs_per_batch", 1),
      minibatches: Math.max(1, Math.ceil(batch / given.number("trainer.policy_mini_batch_size", 256))),
    },
  };
}
