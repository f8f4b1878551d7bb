import type { Trainer } from "../contract";
import type { FlagValue } from "../given";
import { everywhere } from "../plain";
import { ofRloo, readGrpo, readRloo } from "./read";
import { grpo, rloo } from "./write";

const python = (value: FlagValue): string =>
  value === null ? "None" : value === true ? "True" : value === false ? "False" : JSON.stringify(value);

/** TRL: `GRPOConfig` and `RLOOConfig`, trl/trainer/grpo_config.py, rloo_config.py, grpo_trainer.py, rloo_trainer.py. */
export const trl: Trainer = {
  title: "TRL",
  version: "1.16.0",
  write: (rule, groupSize) => [grpo(rule, groupSize), rloo(rule, groupSize)],
  read: (given) => (ofRloo.some((name) => given.has(name)) ? readRloo(given) : readGrpo(given)),
  groupSize: (given) => given.number("num_generations", ofRloo.some((name) => given.has(name)) ? 2 : 8),
  optimizer: (given) => ({
    ...(given.has("learning_rate") && { learningRate: given.number("learning_rate", 1e-6) }),
    ...(given.has("max_grad_norm") && { maxGradNorm: given.number("max_grad_norm", 1) || null }),
  }),
  hasEngine: (given) => given.flag("use_vllm", false),
  names:
    /^(model_name_or_path|dataset_name|output_dir|learning_rate|per_device_(train|eval)_batch_size|gradient_accumulation_steps|num_train_epochs|max_(prompt|completion)_length|num_generations|bf16|fp16|report_to|lr_scheduler_type|warmup_ratio|logging_steps|seed|attn_implementation|torch_dtype)$|^vllm_/,
  tells:
    /^(num_generations|max_completion_length|loss_type|epsilon|epsilon_high|beta|num_iterations|scale_rewards|reward_funcs|reward_weights|steps_per_generation|generation_batch_size|importance_sampling_level|mask_truncated_completions|use_vllm|delta|normalize_advantages|reward_clip_range|multi_objective_aggregation|off_policy_mask_threshold|sync_ref_model)$|^vllm_/,
  mentions: /\btrl\b|grpo|rloo/i,
  hints: {
    ...everywhere,
    "scale.epsilon": "1e-4 is written in its code",
    "scale.unbiased": "n - 1 is written in its code",
    "advantage.allowSingleton": "num_generations must be at least 2; idle, as no group here has one",
    "reward.overlong": "a reward function: trl.rewards.get_soft_overlong_punishment",
    "reward.kl": "GRPOConfig charges the KL in the loss; RLOOConfig has it in the reward",
    filter: "groups of equal rewards stay in the batch",
    "regularizer.klReference.clamp": "its k3 has no limits",
  },
  text: (flags) => {
    const lines = Object.entries(flags).map(([name, value]) => `    ${name}=${python(value)},`);
    return [`${ofRloo.some((name) => name in flags) ? "RLOOConfig" : "GRPOConfig"}(`, ...lines, ")"].join(
      "\n",
    );
  },
};
