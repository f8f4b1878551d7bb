import { number } from "../../../schema";
import { klFields, writtenOut } from "../kl";
import { clippingTriggered } from "./contract";

export const klPenalty = clippingTriggered({
  help: "A divergence from the old policy is charged, the more tokens are outside the bounds.",
  equation: String.raw`\lambda\cdot\mathrm{fraction\ outside}\cdot\mathrm{KL}(\pi\Vert\pi_{old})`,
  source: "a form of clipping-triggered regularization of our own, for comparison with arXiv 2511.20718",
  fields: {
    lambda: number(1, { atLeast: 0, help: "Weight where every token is outside." }),
    ...klFields,
  },
  active: true,
  needsClipBias: false,
  gradientScale: () => 1,
  penalty: ({ lambda, ...kl }, fractionOutside) => ({ coef: lambda * fractionOutside, kl: writtenOut(kl) }),
});
