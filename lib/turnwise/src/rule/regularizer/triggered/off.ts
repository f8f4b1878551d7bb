import { clippingTriggered } from "./contract";

export const off = clippingTriggered({
  help: "Clipping has no further consequence.",
  equation: "g",
  source: "PPO, arXiv 1707.06347",
  fields: {},
  active: false,
  needsClipBias: false,
  gradientScale: () => 1,
  penalty: () => null,
});
