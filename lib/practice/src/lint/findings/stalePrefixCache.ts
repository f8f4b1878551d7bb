import { clear, found, inapplicable, type Finding } from "../contract";

export const stalePrefixCache: Finding = {
  title: "The engine keeps the cache of prompts that former weights computed",
  severity: "warning",
  confidence: "likely",
  why: "vLLM caches the keys and values of prefixes. TRL's releases that take vllm_device do not empty that cache when they load new weights, so that prompts which come again are continued from the first weights' cache: training looks well, and the model alone is worse than its rollouts.",
  source: "huggingface/trl#3024",
  lesson: "05-off-policy-stability",
  check: (s) => {
    if (s.trainer !== "trl" || s.parts.dialect === "ms-swift")
      return inapplicable("its engine empties its cache");
    const { flags } = s.parts;
    const isFormer = ["vllm_device", "vllm_enable_prefix_caching"].some((name) => name in flags);
    if (!isFormer || /^false$/i.test(String(flags.use_vllm ?? false))) return clear;
    if (/^false$/i.test(String(flags.vllm_enable_prefix_caching ?? true))) return clear;
    return found(
      "vllm_enable_prefix_caching" in flags
        ? `vllm_enable_prefix_caching=${String(flags.vllm_enable_prefix_caching)}`
        : "vllm_enable_prefix_caching is on by default in the releases that have vllm_device",
      [],
      { advice: "set vllm_enable_prefix_caching=False, or take TRL 0.16 or later, which empties the cache" },
    );
  },
};
