import type { Dialect } from "./contract";

/** open-r1: TRL's GRPOConfig in YAML, with reward functions by name. @see https://github.com/huggingface/open-r1: src/open_r1/configs.py */
export const openR1: Dialect = {
  title: "open-r1 (TRL)",
  version: "TRL 1.16.0",
  base: "trl",
  mentions: /\bopen[-_]r1\b/i,
  tells:
    /^(cosine_(min|max)_value_(wrong|correct)|cosine_max_len|repetition_n_grams|repetition_max_penalty|code_language|hub_model_revision|overwrite_hub_revision)$/,
};
