import type { Dialect } from "./contract";

/** Agent-Lightning: verl's names below `agentlightning.verl`. @see agentlightning 0.3.0 on PyPI: verl/config.yaml */
export const agentLightning: Dialect = {
  title: "Agent-Lightning (verl)",
  version: "0.3.0",
  base: "verl",
  mentions: /\bagentlightning\b/i,
  tells: /^agentlightning\./,
};
