import type { Chart } from "turnwise/internal/plot/chart";
import { lineChart } from "turnwise/internal/plot/lineChart";
import { walkSpread } from "./randomWalk";

const lengths = [1, 2, 3, 5, 8, 12, 20, 40, 80];

/** Tokens of the turn that the lesson works out. */
const LONG = 40;

/**
 * Which share of the ratios leaves the clip's range as their unit grows: as a product of its tokens' ratios and as their
 * geometric mean, in closed form.
 *
 * @param spread deviation of a token's log-ratio, nats
 */
export function drawOutsideTheClip({
  spread = 0.1,
  clip = 0.2,
}: {
  readonly spread?: number;
  readonly clip?: number;
} = {}): Chart {
  const line = (pooling: "product" | "geometric"): { x: number; y: number }[] =>
    lengths.map((n) => ({ x: n, y: walkSpread(n, spread, pooling, clip).outside }));
  const at = (pooling: "product" | "geometric"): string =>
    walkSpread(LONG, spread, pooling, clip).outside.toFixed(2);
  return lineChart(
    { product: line("product"), "geometric mean": line("geometric") },
    {
      title: `Outside at ${LONG} tokens: ${at("product")} of the products, ${at("geometric")} of the means`,
      subtitle: `each token's log-ratio spreads by ${spread} nats; the clip is 1 ± ${clip}`,
      xTitle: "tokens in a turn",
      yTitle: "share outside",
      logX: true,
    },
  );
}
