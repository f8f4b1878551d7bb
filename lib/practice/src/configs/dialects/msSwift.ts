import type { Dialect } from "./contract";

/**
 * ms-swift: `swift rlhf --rlhf_type grpo`, which hands most names on to TRL.
 *
 * @see ms-swift 4.6.0 on PyPI: swift/arguments/rlhf_args.py (beta is set to .04 where it is not given)
 */
export const msSwift: Dialect = {
  title: "ms-swift",
  version: "4.6.0",
  base: "trl",
  mentions: /^swift$|\bswift rlhf\b|\bms[-_]swift\b/i,
  tells:
    /^(rlhf_type|train_type|tuner_type|external_plugins|overlong_filter|dynamic_sample|async_generate|num_infer_workers|rollout_importance_sampling_\w+|multi_turn_scheduler)$/,
  defaults: {
    beta: 0.04,
    temperature: 0.9,
    max_completion_length: 512,
    loss_type: "grpo",
    vllm_importance_sampling_correction: false,
  },
  derived: (flags) => ({
    // It trains an adapter of rank 8 unless it is told to train all weights, which its Megatron does without being told.
    ...(!/^full$/i.test(
      String(
        flags.train_type ?? flags.tuner_type ?? ("tensor_model_parallel_size" in flags ? "full" : "lora"),
      ),
    ) &&
      !("lora_rank" in flags) && { lora_rank: 8 }),
    // Each reward function is scaled by its own groups before they are added up.
    ...(flags.scale_rewards === "gdpo" && {
      scale_rewards: "group",
      multi_objective_aggregation: "normalize_then_sum",
    }),
    ...("overlong_filter" in flags && { mask_truncated_completions: flags.overlong_filter ?? false }),
    ...(typeof flags.rollout_importance_sampling_mode === "string" && {
      vllm_importance_sampling_correction: true,
    }),
  }),
};
