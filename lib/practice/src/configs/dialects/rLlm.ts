import type { Dialect } from "./contract";

/** rLLM: verl's names, with agents and environments. @see https://github.com/rllm-org/rllm: rllm/trainer/config */
export const rLlm: Dialect = {
  title: "rLLM (verl)",
  version: "verl 0.9.1",
  base: "verl",
  mentions: /\brllm\b/i,
  tells:
    /^(rllm\.|agent\.(max_steps|name|async_engine|trajectory_timeout|overlong_filter)$|algorithm\.(mask_truncated_samples|clip_advantages)$)/,
};
