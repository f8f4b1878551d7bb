import type { ReadTrainer } from "../contract";
import { UNBOUNDED, type Given } from "../given";
import type { Meaning } from "../contract";
import { plain } from "../plain";

const loss = (name: string): string => `trainer.loss.${name}`;

/** The rule of a configuration of prime-rl, with its defaults: DPPO against the rollout policy, and a squared log-ratio. */
function read(given: Given): Meaning {
  const type = given.text(loss("type")) ?? "default";
  if (!["default", "rl", "dppo_kl"].includes(type)) {
    given.without.push({ flag: loss("type"), does: `another loss, "${type}"`, field: "gate" });
  }
  for (const name of ["ratio_type", "mask_ratio_low", "mask_ratio_high", "kl_mask_type", "import_path"]) {
    if (given.has(loss(name))) {
      given.without.push({ flag: loss(name), does: "a loss of another release", field: "gate" });
    }
  }
  const tau = given.number(loss("kl_tau"), 1e-3);
  if (tau > 0) {
    given.notes.push(`${tau} times the squared log-ratio to the rollout policy is added to the loss`);
  }
  const scale = given.number(loss("adv_tau"), 1);
  if (scale !== 1)
    given.without.push({ flag: loss("adv_tau"), does: `multiplies advantages by ${scale}`, field: "scale" });
  given.notes.push("the ratio is to the policy that sampled, whose weights may be some steps old");
  return {
    ...plain,
    advantage: { kind: "mean", groupBy: "task", allowSingleton: true },
    scale: "none",
    ratio: "token",
    gate: {
      kind: "dppo",
      divergence: "tv",
      deltaLow: given.number(loss("dppo_mask_low"), 0.2),
      deltaHigh: given.number(loss("dppo_mask_high"), 0.2),
      cap: UNBOUNDED,
    },
    aggregate: { kind: "tokenMean", per: "batch" },
    regularizer: plain.regularizer,
    update: { epochs: 1, minibatches: 1 },
  };
}

/**
 * prime-rl, which is read and not written.
 *
 * @see https://github.com/PrimeIntellect-ai/prime-rl at 559b44772e471d1538537b8805cc77f3824a5e64: `src/prime_rl/configs/trainer.py`
 * (DefaultLossConfig) and `src/prime_rl/trainer/rl/loss.py`
 */
export const primeRl: ReadTrainer = {
  title: "prime-rl",
  version: "August 2026",
  read,
  groupSize: (given) =>
    given.number("orchestrator.group_size", given.number("orchestrator.rollouts_per_example", 8)),
  optimizer: (given) => ({
    ...(given.has("trainer.optim.lr") && { learningRate: given.number("trainer.optim.lr", 1e-6) }),
    ...(given.has("trainer.optim.max_norm") && {
      maxGradNorm: given.number("trainer.optim.max_norm", 1) || null,
    }),
  }),
  names:
    /^((orchestrator|inference|deployment|wandb)\.|trainer\.(optim|loss|model|ckpt|data|scheduler)\.|(max_steps|seq_len|max_async_level)$)/,
  tells: /^(orchestrator\.|trainer\.loss\.|trainer\.optim\.|max_async_level$)/,
  mentions: /prime[-_]rl/i,
  comparesWithSampler: true,
};
