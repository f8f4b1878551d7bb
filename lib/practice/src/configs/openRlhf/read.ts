import type { Meaning } from "../contract";
import { unbounded, type Given } from "../given";
import { plain } from "../plain";

const estimators = ["gae", "reinforce", "rloo", "reinforce_baseline", "group_norm", "dr_grpo"] as const;

type Credit = Pick<Meaning, "advantage" | "scale">;

const mean = { kind: "mean", groupBy: "task", allowSingleton: false } as const;

/** Whitens over all tokens, of which a trajectory's advantage counts once for each. */
function whitened(given: Given, perTrajectory = false): Meaning["scale"] {
  given.notes.push("advantages are divided by sqrt(max(var, 1e-8)), not by the deviation + 1e-6");
  if (given.flag("algo.advantage.no_std_norm", false)) {
    const does = "takes the batch's mean off and divides by nothing";
    given.without.push({ flag: "algo.advantage.no_std_norm", does, field: "scale" });
  }
  const deviation = { unbiased: false, epsilon: 1e-6 };
  return perTrajectory ? { kind: "tokens", ...deviation } : { kind: "batch", ...deviation, clamp: null };
}

const credits: Record<(typeof estimators)[number], (given: Given) => Credit> = {
  group_norm: () => ({ advantage: mean, scale: { kind: "group", unbiased: true, epsilon: 1e-9 } }),
  dr_grpo: () => ({ advantage: mean, scale: "none" }),
  rloo: () => ({ advantage: "leaveOneOut", scale: "none" }),
  reinforce_baseline: (given) => ({ advantage: mean, scale: whitened(given, true) }),
  reinforce: (given) => ({
    advantage: { kind: "returnToGo", gamma: given.number("algo.advantage.gamma", 1) },
    scale: whitened(given),
  }),
  gae: (given) => {
    const lambda = given.number("algo.advantage.lambd", 1);
    const gamma = given.number("algo.advantage.gamma", 1);
    given.notes.push("the critic is a model of its own, and the change of its values is clipped");
    given.notes.push("between turns a token that was not sampled is a step of value 0");
    const valueTarget = lambda === 1 && gamma === 1 ? "monteCarlo" : "lambdaReturn";
    return {
      advantage: { kind: "gae", level: "token", gamma, lambda, valueCoef: 0.5, valueTarget },
      scale: whitened(given),
    };
  },
};

function gateOf(given: Given): Meaning["gate"] {
  const both = given.number("actor.eps_clip", 0.2);
  const [low, clipHigh] = given.pair("actor.eps_clip_low_high") ?? [both, both];
  const clipLow = Math.min(1, low);
  const dual = given.numberOrNull("actor.dual_clip", null);
  if (dual !== null) return { kind: "dualClip", clipLow, clipHigh, dualClip: dual };
  return clipLow >= 1 && unbounded(clipHigh) ? "unclipped" : { kind: "clip", clipLow, clipHigh };
}

function correctionOf(given: Given): Meaning["correction"] {
  const level = given.word("algo.advantage.is_correction_level", ["off", "token", "seq"], "off");
  const mode = given.word("algo.advantage.is_correction_mode", ["mask", "clip"], "mask");
  const gating = given.word("algo.advantage.is_correction_gating", ["ratio", "binary_kl", "tv"], "ratio");
  const [low, most] = given.pair("algo.advantage.is_correction_threshold") ?? [0.5, 5];
  const high = unbounded(most) ? null : most;
  if (level === "off") return "none";
  if (level === "seq" || gating !== "ratio" || (mode === "clip" && low > 0)) {
    const does =
      level === "seq" || gating !== "ratio"
        ? "drops by a mean or a divergence, and weighs what is left token by token"
        : `weights are at least ${low}`;
    given.without.push({ flag: "algo.advantage.is_correction_level", does, field: "correction" });
    if (mode === "mask") return "none";
  }
  return mode === "clip"
    ? { kind: "truncate", level: "token", high }
    : { kind: "mask", level: "token", low, high, oldLogProb: "decoupled" };
}

const limits = { logRatio: 20, value: 10 } as const;

function kl(given: Given): {
  readonly reward: Meaning["reward"];
  readonly regularizer: Meaning["regularizer"];
} {
  const coef = given.number("algo.kl.init_coef", 0.01);
  const inLoss = given.flag("algo.kl.use_loss", false);
  const estimator = given.word("algo.kl.estimator", ["k1", "k2", "k3"], "k1");
  const unbiased = given.flag("algo.kl.unbiased_gradient", false);
  const entropyCoef = given.numberOrNull("actor.entropy_coef", null) ?? 0;
  const field = "regularizer.klReference";
  const asked = coef > 0 && inLoss;
  if (asked && estimator === "k1" && !unbiased) {
    const does = "k1 in the loss, which has no gradient on average";
    given.without.push({ flag: "algo.kl.estimator", does, field });
  }
  if (asked && unbiased) {
    const does = `the value of ${estimator} with the weighted gradient of k2`;
    given.without.push({ flag: "algo.kl.unbiased_gradient", does, field });
  }
  return {
    reward: {
      ...plain.reward,
      overlong: overlongOf(given),
      kl: coef > 0 && !inLoss ? { coef, estimator, clamp: limits, reference: "frozen" } : null,
    },
    regularizer: {
      ...plain.regularizer,
      entropyCoef,
      klReference:
        asked && estimator !== "k1"
          ? { coef, direction: "reverse", estimator, correction: "none", clamp: limits }
          : null,
    },
  };
}

function overlongOf(given: Given): { maxLength: number; buffer: number } | null {
  const buffer = given.numberOrNull("reward.overlong_buffer_len", null);
  const factor = given.number("reward.overlong_penalty_factor", 1);
  const maxLength = given.numberOrNull("rollout.max_new_tokens", null);
  if (buffer === null) return null;
  if (factor !== 1 || maxLength === null) {
    const does =
      maxLength === null ? "the longest response is not told" : `the penalty counts ${factor} times`;
    given.without.push({ flag: "reward.overlong_penalty_factor", does, field: "reward.overlong" });
  }
  return { maxLength: maxLength ?? buffer, buffer };
}

function filterOf(given: Given): Meaning["filter"] {
  const on = given.flag("algo.dynamic_filtering_enable", false);
  const [low, high] = given.pair("algo.dynamic_filtering_range") ?? [0, 1];
  if (!on) return "none";
  given.notes.push(
    `groups whose mean score lies between ${low} and ${high} are kept: for scores of 0 and 1, those that differ`,
  );
  const does = "samples until the batch is full, however often";
  given.without.push({ flag: "algo.dynamic_filtering_enable", does, field: "filter.maxGenerations" });
  return { kind: "zeroVariance", maxGenerations: 10 };
}

/** The rule of OpenRLHF's flags, with the defaults of train_ppo_ray. */
export function read(given: Given): Meaning {
  const credit = credits[given.word("algo.advantage.estimator", estimators, "gae")](given);
  const pooled = given.word("actor.policy_loss_type", ["ppo", "gspo"], "ppo") === "gspo";
  const words = ["token-mean", "seq-mean-token-mean"] as const;
  const mode = given.word("actor.loss_agg_mode", words, "token-mean");
  const sequences = pooled || mode === "seq-mean-token-mean";
  if (sequences) given.notes.push("1e-8 is added to the number of tokens of a trajectory");
  const [least, most] = given.pair("reward.clip_range") ?? [-10, 10];
  if (least > -1e6 || most < 1e6) {
    given.without.push({ flag: "reward.clip_range", does: `cuts rewards to ${least} and ${most}` });
  }
  if (given.flag("reward.normalize_enable", false)) {
    given.without.push({ flag: "reward.normalize_enable", does: "whitens rewards as they come" });
  }
  const gate = gateOf(given);
  const group = given.number("rollout.n_samples_per_prompt", 1);
  const collected = given.number("rollout.batch_size", 1024) * group;
  return {
    ...plain,
    ...credit,
    ...kl(given),
    filter: filterOf(given),
    correction: correctionOf(given),
    ratio: pooled ? { level: "trajectory", pooling: "geometric" } : "token",
    gate,
    aggregate: { kind: sequences ? "sequenceMeanTokenMean" : "tokenMean", per: "batch" },
    update: {
      epochs: given.number("train.max_epochs", 1),
      minibatches: Math.max(1, Math.floor(collected / given.number("train.batch_size", 128))),
    },
  };
}
