import type { Trainer } from "../contract";
import { everywhere } from "../plain";
import { formerNames } from "./formerNames";
import { read } from "./read";
import { write } from "./write";

/** OpenRLHF: openrlhf/cli/train_ppo_ray.py, trainer/ppo_utils/experience_maker.py, models/loss.py, models/utils.py. */
export const openRlhf: Trainer = {
  title: "OpenRLHF",
  version: "0.11.2",
  write: (rule, groupSize) => [write(rule, groupSize)],
  read,
  groupSize: (given) => given.number("rollout.n_samples_per_prompt", 1),
  optimizer: (given) => ({
    ...(given.has("actor.adam.lr") && { learningRate: given.number("actor.adam.lr", 1e-6) }),
    ...(given.has("actor.max_norm") && { maxGradNorm: given.number("actor.max_norm", 1) || null }),
  }),
  names:
    /^(actor|algo|rollout|train|ref|critic|reward|vllm|ckpt|ds|logger|eval)\.|^(pretrain|reward_pretrain|remote_rm_url|prompt_data|micro_(train|rollout)_batch_size|vllm_num_engines|zero_stage|colocate_all_models)$/,
  tells:
    /^(algo\.|rollout\.n_samples|actor\.(eps_clip|policy_loss_type|loss_agg_mode))|^(advantage_estimator|init_kl_coef|n_samples_per_prompt|rollout_batch_size)$/,
  mentions: /openrlhf/i,
  formerNames,
  hints: {
    ...everywhere,
    "scale.epsilon": "1e-9 is written in its code",
    "advantage.allowSingleton": "n_samples_per_prompt must be above 1; idle, as no group here has one",
    "regularizer.klReference.clamp": "its estimates are cut to 10 nats",
    "reward.kl.clamp": "its estimates are cut to 10 nats",
    correction: "of sequences it bounds the geometric mean, and weighs what is left token by token",
  },
  text: (flags) =>
    [
      "python -m openrlhf.cli.train_ppo_ray",
      ...Object.entries(flags).flatMap(([name, value]) => {
        if (value === false || value === null) return [];
        if (value === true) return [`  --${name}`];
        return [`  --${name} ${typeof value === "object" ? value.join(" ") : value}`];
      }),
    ].join(" \\\n"),
};
