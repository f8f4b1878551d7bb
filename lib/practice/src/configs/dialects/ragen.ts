import type { Dialect } from "./contract";

/** RAGEN: verl's names, and those of its environments. @see https://github.com/mll-lab-nu/RAGEN: config/base.yaml */
export const ragen: Dialect = {
  title: "RAGEN",
  version: "verl 0.9.1",
  base: "verl",
  mentions: /\bragen\b/i,
  tells:
    /^(es_manager\.|agent_proxy\.|ctx_manager\.|enable_response_mask$|actor_rollout_ref\.rollout\.rollout_filter_)/,
};
