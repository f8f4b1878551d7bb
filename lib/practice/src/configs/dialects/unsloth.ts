import type { Dialect } from "./contract";

/** Unsloth: TRL's GRPOConfig, and a trainer that is patched when `unsloth` is imported. */
export const unsloth: Dialect = {
  title: "Unsloth (TRL)",
  version: "TRL 1.16.0",
  base: "trl",
  mentions: /^unsloth$/,
};
