import type { Meaning } from "../contract";
import { tidy, unbounded, type Given } from "../given";
import { plain } from "../plain";

const lossTypes = ["grpo", "bnpo", "dr_grpo", "dapo", "luspo", "cispo", "sapo", "vespo"] as const;
export type LossType = (typeof lossTypes)[number];
const modes = ["token_truncate", "token_mask", "sequence_truncate", "sequence_mask"] as const;

/** RLOOConfig alone has these. */
export const ofRloo = ["normalize_advantages", "reward_clip_range"] as const;
const clipOf = (given: Given): Meaning["gate"] => {
  const low = given.number("epsilon", 0.2);
  const clipHigh = given.numberOrNull("epsilon_high", null) ?? low;
  return low >= 1 && unbounded(clipHigh)
    ? "unclipped"
    : { kind: "clip", clipLow: Math.min(1, low), clipHigh };
};

function reuseOf(given: Given): Meaning["update"] {
  const accumulated = given.number("gradient_accumulation_steps", 1);
  const steps = given.numberOrNull("steps_per_generation", null) ?? accumulated;
  if (given.numberOrNull("generation_batch_size", null) !== null) {
    given.without.push({
      flag: "generation_batch_size",
      does: "the number of minibatches depends on the number of processes: steps_per_generation says it",
    });
  }
  return {
    epochs: given.number("num_iterations", 1),
    minibatches: Math.max(1, Math.floor(steps / accumulated)),
  };
}

/** The rule of an RLOOConfig. */
export function readRloo(given: Given): Meaning {
  const coef = given.number("beta", 0.05);
  if (given.flag("normalize_advantages", false)) {
    given.without.push({
      flag: "normalize_advantages",
      does: "whitens advantages over trajectories, where scale: batch does over tokens",
      field: "scale",
    });
  }
  if (given.pair("reward_clip_range")) {
    given.without.push({ flag: "reward_clip_range", does: "cuts returns before their baseline" });
  }
  return {
    ...plain,
    reward: {
      ...plain.reward,
      kl: coef > 0 ? { coef, estimator: "k1", clamp: null, reference: "frozen" } : null,
    },
    advantage: "leaveOneOut",
    scale: "none",
    ratio: { level: "trajectory", pooling: "product" },
    gate: clipOf(given),
    aggregate: { kind: "constant", length: 1, per: "batch" },
    update: reuseOf(given),
  };
}

/** Denominator of a clipped loss. */
const aggregates: Record<LossType, Meaning["aggregate"]> = {
  grpo: { kind: "sequenceMeanTokenMean", per: "batch" },
  sapo: { kind: "sequenceMeanTokenMean", per: "batch" },
  bnpo: { kind: "tokenMean", per: "batch" },
  dapo: { kind: "tokenMean", per: "batch" },
  cispo: { kind: "tokenMean", per: "batch" },
  vespo: { kind: "tokenMean", per: "batch" },
  dr_grpo: { kind: "constant", length: "maximum", per: "batch" },
  luspo: { kind: "constant", length: 1, per: "batch" },
};

function gateOf(given: Given, type: LossType): Meaning["gate"] {
  if (type === "sapo") {
    return {
      kind: "sapo",
      tauPositive: given.number("sapo_temperature_pos", 1),
      tauNegative: given.number("sapo_temperature_neg", 1.05),
    };
  }
  if (type === "vespo") {
    return {
      kind: "gamma",
      kPositive: given.number("vespo_k_pos", 2),
      lambdaPositive: given.number("vespo_lambda_pos", 3),
      kNegative: given.number("vespo_k_neg", 3),
      lambdaNegative: given.number("vespo_lambda_neg", 2),
    };
  }
  if (type === "cispo") {
    const bound = given.numberOrNull("epsilon_high", null) ?? given.number("epsilon", 0.2);
    if (bound > 1) return { kind: "cispo", clipLow: 1, clipHigh: tidy(bound - 1) };
    given.without.push({
      flag: "epsilon_high",
      does: `weighs every token by at most ${bound}: it is the bound itself, not its distance to 1`,
      field: "gate.clipHigh",
    });
    return { kind: "cispo", clipLow: 1 };
  }
  const clip = clipOf(given);
  const dual = given.numberOrNull("delta", null);
  const masked = given.numberOrNull("off_policy_mask_threshold", null);
  if (masked !== null && typeof clip === "object" && dual === null) {
    return { ...clip, kind: "offPolicyMask", delta: masked };
  }
  if (masked !== null) {
    given.without.push({ flag: "off_policy_mask_threshold", does: `drops sequences beyond ${masked} nats` });
  }
  return dual !== null && typeof clip === "object" ? { ...clip, kind: "dualClip", dualClip: dual } : clip;
}

function scaleOf(given: Given): Meaning["scale"] {
  const word = given.text("scale_rewards") ?? "group";
  const scale = word === "true" ? "group" : word === "false" ? "none" : word;
  if (scale === "none") return "none";
  if (scale === "batch") {
    given.without.push({
      flag: "scale_rewards",
      does: "divides by the deviation of all returns of the batch, groups' means included",
      field: "scale",
    });
  } else if (scale !== "group") {
    throw new RangeError(
      `Cannot read a configuration of TRL: scale_rewards must be one of group, batch, none, got "${scale}".`,
    );
  }
  return { kind: "group", unbiased: true, epsilon: 1e-4 };
}

function correctionOf(given: Given): Meaning["correction"] {
  const on = given.flag("vllm_importance_sampling_correction", true);
  if (!given.flag("use_vllm", false) || !on) return "none";
  const mode = given.word("vllm_importance_sampling_mode", modes, "sequence_mask");
  const low = given.numberOrNull("vllm_importance_sampling_clip_min", null) ?? 0;
  const high = given.numberOrNull("vllm_importance_sampling_clip_max", 3);
  const level = mode.startsWith("token") ? "token" : "trajectory";
  if (mode.endsWith("mask")) return { kind: "mask", level, low, high, oldLogProb: "decoupled" };
  if (low > 0) {
    given.without.push({
      flag: "vllm_importance_sampling_clip_min",
      does: `weights are at least ${low}`,
      field: "correction",
    });
  }
  return { kind: "truncate", level, high };
}

function regularizerOf(given: Given): Meaning["regularizer"] {
  const coef = given.number("beta", 0);
  const weighted = given.flag("use_bias_correction_kl", true);
  const adaptive = given.flag("use_adaptive_entropy", false);
  return {
    ...plain.regularizer,
    klReference:
      coef === 0
        ? null
        : {
            coef,
            direction: "reverse",
            estimator: "k3",
            correction: weighted ? "importanceWeighted" : "none",
            clamp: null,
          },
    entropyCoef: given.number("entropy_coef", 0),
    entropyTarget: adaptive
      ? {
          target: given.number("entropy_target", 0.2),
          step: given.number("entropy_coef_delta", 0.005),
          min: given.number("entropy_coef_min", 0),
          max: given.number("entropy_coef_max", 1),
        }
      : null,
    entropyShare: given.number("top_entropy_quantile", 1),
  };
}

/** The rule of a GRPOConfig. */
export function readGrpo(given: Given): Meaning {
  const type = given.word("loss_type", lossTypes, "dapo");
  const level = given.word("importance_sampling_level", ["token", "sequence"], "token");
  const parts = given.word(
    "multi_objective_aggregation",
    ["sum_then_normalize", "normalize_then_sum"],
    "sum_then_normalize",
  );
  const regularizer = regularizerOf(given);
  const update = reuseOf(given);
  if (type === "bnpo") given.notes.push("bnpo divides by the tokens of each process's own batch");
  if (["dapo", "cispo", "vespo"].includes(type) && update.minibatches > 1) {
    given.notes.push(`${type} divides every minibatch by the mean number of tokens of all`);
  }
  if (type !== "dapo" && given.number("entropy_coef", 0) > 0) {
    given.notes.push("the entropy bonus is a mean over tokens whatever the loss type");
  }
  if (parts === "normalize_then_sum") given.notes.push("the parts of the reward are your reward functions");
  if (given.flag("mask_truncated_completions", false)) {
    given.without.push({ flag: "mask_truncated_completions", does: "drops trajectories that were cut off" });
  }
  if (given.flag("sync_ref_model", false)) {
    given.without.push({ flag: "sync_ref_model", does: "the reference follows the policy" });
  }
  return {
    ...plain,
    advantage:
      parts === "normalize_then_sum"
        ? "components"
        : { kind: "mean", groupBy: "task", allowSingleton: false },
    scale: parts === "normalize_then_sum" ? { kind: "group", unbiased: true, epsilon: 1e-4 } : scaleOf(given),
    correction: correctionOf(given),
    ratio:
      type === "vespo"
        ? { level: "trajectory", pooling: "product" }
        : level === "token"
          ? "token"
          : { level: "trajectory", pooling: "geometric" },
    gate: gateOf(given, type),
    aggregate: aggregates[type],
    regularizer,
    update,
  };
}
