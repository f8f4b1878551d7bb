import { number } from "../../schema";
import { gate, HIGH, LOW, NO } from "./contract";

export const secondMoment = gate({
  help: "Tokens whose log-ratios are largest take no part, until the mean square of the others is below a bound.",
  equation: String.raw`M_t\,r_tA,\quad \tfrac{\sum M_t(\log r_t)^2}{\sum M_t}<\tau,\ M_t=0\ \text{for the largest}\ |\log r_t|`,
  source: "M2PO, arXiv 2510.01161; github.com/inclusionAI/AReaL, areal/trainer/ppo/actor.py",
  fields: {
    tau: number(0.04, {
      above: 0,
      help: "The mean square of log-ratios that may take part; over the tokens that a step sees at once.",
      unit: "nats²",
      slider: { min: 1e-4, max: 1, log: true },
    }),
  },
  label: ({ tau }) => `secondMoment ${tau}`,
  needsRatio: true,
  through: "ratio",
  range: () => null,
  ownBounds: true,
  comparesTokens: true,
  cutsGradient: true,
  ratioShape: null,
  evaluate: ({ tau }, { size, active, ratio, advantage, objective, slope, clipped, samplerLogRatio }) => {
    const d = samplerLogRatio();
    const largest = largestKept(d, active, tau);
    for (let i = 0; i < size; i++) {
      const masked = Math.abs(d[i]!) > largest;
      slope[i] = masked ? 0 : advantage[i]!;
      objective[i] = masked ? 0 : ratio[i]! * advantage[i]!;
      clipped[i] = masked ? (d[i]! > 0 ? HIGH : LOW) : NO;
    }
  },
});

/**
 * The largest |log-ratio| that takes part. Tokens that are equally far off go together, and the nearest ones stay whatever the
 * bound, as in the released code.
 */
function largestKept(d: ArrayLike<number>, active: ArrayLike<number> | undefined, tau: number): number {
  const sizes: number[] = [];
  for (let i = 0; i < d.length; i++) if ((active?.[i] ?? 1) === 1) sizes.push(Math.abs(d[i]!));
  const ascending = Float64Array.from(sizes).sort();
  let largest = ascending[0] ?? 0;
  let sum = 0;
  for (let i = 0; i < ascending.length; i++) {
    const size = ascending[i]!;
    sum += size * size;
    // Means of ever more tokens only grow, so the last one below the bound is the largest set.
    if (sum / (i + 1) < tau && size !== ascending[i + 1]) largest = size;
  }
  return largest;
}
