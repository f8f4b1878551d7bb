import { number } from "../../../schema";
import { clippingTriggered } from "./contract";

export const gradNorm = clippingTriggered({
  help: "The policy's gradient is divided by the norm of the clipped-out one, once that exceeds the floor; the critic's is not.",
  equation: String.raw`g\leftarrow g\,/\,\max(floor,\lVert C\rVert_2)`,
  source:
    "ST-PPO, arXiv 2511.20718v1, Eq. 7 and 8; the floor is our guard, since C is 0 whenever nothing is clipped",
  fields: { floor: number(1, { above: 0, help: "The least that the gradient is divided by." }) },
  active: true,
  needsClipBias: true,
  gradientScale: ({ floor }, clipBiasNorm) => 1 / Math.max(floor, clipBiasNorm),
  penalty: () => null,
});
