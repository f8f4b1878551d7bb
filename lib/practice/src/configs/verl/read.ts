import type { Meaning } from "../contract";
import { unbounded, type Given } from "../given";
import { plain } from "../plain";
import { actor, policyLoss } from "./names";
import { correctionOf } from "./readCorrection";

const estimators = [
  "gae",
  "grpo",
  "grpo_passk",
  "rloo",
  "reinforce_plus_plus",
  "reinforce_plus_plus_baseline",
  "remax",
  "gpg",
  "opo",
  "optimal_token_baseline",
  // verl-agent's.
  "gigpo",
] as const;
const aggregations = [
  "token-mean",
  "token-sum",
  "seq-mean-token-sum",
  "seq-mean-token-mean",
  "seq-mean-token-sum-norm",
] as const;

type Credit = Pick<Meaning, "advantage" | "scale">;

/** Whitens over all tokens, of which a trajectory's advantage counts once for each. */
function whitened(given: Given, perTrajectory = false): Meaning["scale"] {
  given.notes.push("advantages are divided by sqrt(var + 1e-8), not by the deviation + 1e-6");
  const deviation = { unbiased: true, epsilon: 1e-6 };
  return perTrajectory ? { kind: "tokens", ...deviation } : { kind: "batch", ...deviation, clamp: null };
}

const groupMean = { kind: "mean", groupBy: "task", allowSingleton: true } as const;

const credits: Record<(typeof estimators)[number], (given: Given) => Credit> = {
  grpo: (given) => {
    const divided = given.flag("algorithm.norm_adv_by_std_in_grpo", true);
    if (divided) given.notes.push("a group of one is divided by 1 + 1e-6");
    return {
      advantage: groupMean,
      scale: divided ? { kind: "group", unbiased: true, epsilon: 1e-6 } : "none",
    };
  },
  grpo_passk: (given) => ({
    advantage: "bestOfGroup",
    scale: given.flag("algorithm.norm_adv_by_std_in_grpo", true)
      ? { kind: "group", unbiased: true, epsilon: 1e-6 }
      : "none",
  }),
  rloo: () => ({ advantage: "leaveOneOut", scale: "none" }),
  reinforce_plus_plus_baseline: (given) => ({ advantage: groupMean, scale: whitened(given, true) }),
  remax: () => ({ advantage: "returnPlusStep", scale: "none" }),
  gpg: (given) => {
    const does = "multiplies advantages by the number of trajectories over that of returns other than 0";
    given.without.push({ flag: "algorithm.adv_estimator", does, field: "scale" });
    return { advantage: groupMean, scale: "none" };
  },
  opo: () => ({ advantage: { kind: "lengthWeighted", allowSingleton: false }, scale: "none" }),
  optimal_token_baseline: (given) => {
    given.flag(actor("calculate_sum_pi_squared"), false);
    given.notes.push("1e-8 is added to the sum of the baseline's weights");
    return { advantage: { kind: "optimalToken", onlyMember: "credit" }, scale: "none" };
  },
  gigpo: (given) => ({
    advantage: {
      kind: "gigpo",
      weight: given.number("algorithm.gigpo.step_advantage_w", 1),
      gamma: given.number("algorithm.gamma", 1),
    },
    scale:
      given.word("algorithm.gigpo.mode", ["mean_norm", "mean_std_norm"], "mean_norm") === "mean_std_norm"
        ? { kind: "group", unbiased: true, epsilon: 1e-6 }
        : "none",
  }),
  reinforce_plus_plus: (given) => ({
    advantage: { kind: "returnToGo", gamma: given.number("algorithm.gamma", 1) },
    scale: whitened(given),
  }),
  gae: (given) => {
    const lambda = given.number("algorithm.lam", 1);
    const gamma = given.number("algorithm.gamma", 1);
    given.notes.push("the critic is a model of its own, and the change of its values is clipped");
    const valueTarget = lambda === 1 && gamma === 1 ? "monteCarlo" : "lambdaReturn";
    return {
      advantage: { kind: "gae", level: "token", gamma, lambda, valueCoef: 0.5, valueTarget },
      scale: whitened(given),
    };
  },
};

interface Loss {
  readonly gate: Meaning["gate"];
  readonly ratio?: Meaning["ratio"];
  readonly aggregate?: Meaning["aggregate"];
  readonly covariance?: NonNullable<Exclude<Meaning["regularizer"], { apply: unknown }>["covariance"]>;
}

function bounds(given: Given): { readonly clipLow: number; readonly clipHigh: number } {
  const both = given.number(actor("clip_ratio"), 0.2);
  return {
    // A ratio is never below 0, so that a bound below it is none.
    clipLow: Math.min(1, given.numberOrNull(actor("clip_ratio_low"), 0.2) ?? both),
    clipHigh: given.numberOrNull(actor("clip_ratio_high"), 0.2) ?? both,
  };
}

const dual = (given: Given): number => given.number(actor("clip_ratio_c"), 3);
const geometric = { level: "trajectory", pooling: "geometric" } as const;

function divergence(given: Given, of: "tv" | "kl"): Loss {
  const { clipLow: deltaLow, clipHigh: deltaHigh } = bounds(given);
  const cap = dual(given);
  return { gate: { kind: "dppo", divergence: of, deltaLow, deltaHigh, cap } };
}

const gates = {
  vanilla: (given) => {
    const clip = bounds(given);
    const c = dual(given);
    if (clip.clipLow >= 1 && unbounded(clip.clipHigh) && unbounded(c)) return { gate: "unclipped" };
    return {
      gate: unbounded(c) ? { kind: "clip", ...clip } : { kind: "dualClip", ...clip, dualClip: c },
    };
  },
  gpg: () => ({ gate: "none", ratio: "none" }),
  // Tinker's.
  importance_sampling: () => ({ gate: "unclipped" }),
  gspo: (given) => ({ gate: { kind: "clip", ...bounds(given) }, ratio: geometric }),
  sapo: (given) => ({
    gate: {
      kind: "sapo",
      tauPositive: given.number(actor("tau_pos"), 1),
      tauNegative: given.number(actor("tau_neg"), 1.05),
    },
  }),
  dppo_tv: (given) => divergence(given, "tv"),
  dppo_kl: (given) => divergence(given, "kl"),
  clip_cov: (given) => ({
    gate: { kind: "clip", ...bounds(given) },
    covariance: {
      kind: "clip",
      share: given.number(policyLoss("clip_cov_ratio"), 2e-4),
      min: given.number(policyLoss("clip_cov_lb"), 1),
      max: given.number(policyLoss("clip_cov_ub"), 5),
    },
  }),
  kl_cov: (given) => ({
    gate: "unclipped",
    covariance: {
      kind: "penalty",
      share: given.number(policyLoss("kl_cov_ratio"), 2e-4),
      coef: given.number(policyLoss("ppo_kl_coef"), 0.1),
    },
  }),
  geo_mean: (given) => {
    const { clipLow: logLow, clipHigh: logHigh } = bounds(given);
    given.notes.push("1e-8 is added to the number of tokens, in the exponent as well");
    return {
      gate: { kind: "logClip", logLow, logHigh },
      ratio: geometric,
      aggregate: { kind: "sequenceMeanTokenMean", per: "batch" },
    };
  },
  dro: (given) => ({ gate: { kind: "dro", beta: given.number(policyLoss("dro_beta"), NaN) } }),
  cispo: (given) => ({ gate: { kind: "cispo", ...bounds(given) } }),
} satisfies Readonly<Record<string, (given: Given) => Loss>>;
const losses = Object.keys(gates) as (keyof typeof gates)[];

function aggregateOf(given: Given): Meaning["aggregate"] {
  const mode = given.word(actor("loss_agg_mode"), aggregations, "token-mean");
  const factor = given.numberOrNull(actor("loss_scale_factor"), null);
  if (mode === "seq-mean-token-sum") return { kind: "constant", length: 1, per: "batch" };
  if (mode === "seq-mean-token-sum-norm") {
    return { kind: "constant", length: factor ?? "maximum", per: "batch" };
  }
  if (mode === "seq-mean-token-mean") {
    given.notes.push("1e-8 is added to the number of tokens of a trajectory");
    return { kind: "sequenceMeanTokenMean", per: "batch" };
  }
  if (mode === "token-sum") {
    const does = "adds all tokens up, whatever their number";
    given.without.push({ flag: actor("loss_agg_mode"), does, field: "aggregate" });
  }
  return { kind: "tokenMean", per: "batch" };
}

const penaltyWords = [
  "kl",
  "k1",
  "mse",
  "k2",
  "low_var_kl",
  "k3",
  "k3+",
  "low_var_kl+",
  "abs",
  "full",
] as const;
const limits = { logRatio: 20, value: 10 } as const;

/** Penalty, as [estimator, its limits]. */
function penaltyAt(given: Given, flag: string, initial: (typeof penaltyWords)[number]) {
  const word = given.word(flag, penaltyWords, initial);
  if (word === "kl" || word === "k1") return { estimator: "k1", clamp: null } as const;
  if (word === "mse" || word === "k2") return { estimator: "k2", clamp: null } as const;
  if (word === "k3+" || word === "low_var_kl+") return { estimator: "k3+", clamp: limits } as const;
  if (word === "abs" || word === "full") {
    given.without.push({ flag, does: word === "abs" ? "the size of the log-ratio" : "is not implemented" });
  }
  return { estimator: "k3", clamp: limits } as const;
}

function regularizerOf(given: Given, covariance: Loss["covariance"]): Meaning["regularizer"] {
  const on = given.flag(actor("use_kl_loss"), false);
  const coef = given.number(actor("kl_loss_coef"), 1e-3);
  const type = penaltyAt(given, actor("kl_loss_type"), "low_var_kl");
  if (on && type.estimator === "k1") {
    const does = "k1 in the loss, which has no gradient on average";
    given.without.push({ flag: actor("kl_loss_type"), does, field: "regularizer.klReference" });
  }
  const charged = on && type.estimator !== "k1";
  return {
    ...plain.regularizer,
    klReference: charged ? { coef, direction: "reverse", correction: "none", ...type } : null,
    entropyCoef: given.number(actor("entropy_coeff"), 0),
    covariance: covariance ?? "off",
  };
}

function rewardOf(given: Given): Meaning["reward"] {
  const on = given.flag("algorithm.use_kl_in_reward", false);
  const coef = given.number("algorithm.kl_ctrl.kl_coef", 1e-3);
  const type = penaltyAt(given, "algorithm.kl_penalty", "kl");
  const long = "reward.reward_kwargs.overlong_buffer_cfg";
  const manager = given.text("reward.reward_manager.name");
  const punished = manager === "dapo" && given.flag(`${long}.enable`, false);
  const factor = given.number(`${long}.penalty_factor`, 1);
  given.flag(`${long}.log`, false);
  if (punished && factor !== 1) {
    const does = `the penalty counts ${factor} times`;
    given.without.push({ flag: `${long}.penalty_factor`, does, field: "reward.overlong" });
  }
  const maxLength = given.number("reward.reward_kwargs.max_resp_len", 0);
  const buffer = given.number(`${long}.len`, 0);
  return {
    ...plain.reward,
    kl:
      on && type.estimator !== "k3+"
        ? { coef, ...type, estimator: type.estimator, reference: "frozen" }
        : null,
    overlong: punished ? { maxLength, buffer } : null,
  };
}

function filterOf(given: Given): Meaning["filter"] {
  const on = given.flag("algorithm.filter_groups.enable", false);
  given.text("algorithm.filter_groups.metric");
  const most = given.number("algorithm.filter_groups.max_num_gen_batches", 0);
  if (!on) return "none";
  if (most > 0) return { kind: "zeroVariance", maxGenerations: most };
  const does = "samples until the batch is full, however often";
  given.without.push({
    flag: "algorithm.filter_groups.max_num_gen_batches",
    does,
    field: "filter.maxGenerations",
  });
  return { kind: "zeroVariance", maxGenerations: 10 };
}

/** The rule of a configuration of verl, with the defaults of ppo_trainer.yaml. */
export function read(given: Given): Meaning {
  const credit = credits[given.word("algorithm.adv_estimator", estimators, "gae")](given);
  const loss: Loss = gates[given.word(policyLoss("loss_mode"), losses, "vanilla")](given);
  const aggregate = aggregateOf(given);
  const batch = given.number("data.train_batch_size", 1024);
  const minibatch = given.number(actor("ppo_mini_batch_size"), 256);
  const reward = rewardOf(given);
  return {
    ...plain,
    ...credit,
    reward: credit.advantage === "returnPlusStep" ? { ...reward, step: "greedyBaseline" } : reward,
    filter: filterOf(given),
    correction: correctionOf(given),
    ratio: loss.ratio ?? "token",
    gate: loss.gate,
    aggregate: loss.aggregate ?? aggregate,
    regularizer: regularizerOf(given, loss.covariance),
    update: {
      epochs: given.number(actor("ppo_epochs"), 1),
      minibatches: Math.max(1, Math.ceil(batch / minibatch)),
    },
  };
}
