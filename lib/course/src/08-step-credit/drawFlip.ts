import type { Chart } from "turnwise/internal/plot/chart";
import { lineChart } from "turnwise/internal/plot/lineChart";
import { flipBias, type FlipBias } from "./flipBias";
import { readingPolicy } from "./readingPolicy";
import { stepWorld } from "./stepRun";

/** Quality of a policy's reading, and the effect of turning signs on its expected gradient. */
export interface FlipPoint extends FlipBias {
  readonly reading: number;
}

/** The exact bias of turning signs towards verdicts, in LookUp-v0, for policies that read ever better. */
export function flipPoints(levels: readonly number[] = [0, 1, 2, 3, 4]): FlipPoint[] {
  const env = stepWorld("LookUp-v0");
  return levels.map((reading) => ({ reading, ...flipBias(env, readingPolicy(env, reading)) }));
}

/**
 * The direction of the expected gradient with signs turned towards verdicts, and without.
 *
 * @throws {RangeError} if there is no point
 */
export function drawFlip(points: readonly FlipPoint[]): Chart {
  const turned = points.map(({ flipped }) => flipped);
  return lineChart(
    {
      "advantages as they are": points.map(({ reading, plain }) => ({ x: reading, y: plain })),
      "signs turned by verdicts": points.map(({ reading, flipped }) => ({ x: reading, y: flipped })),
    },
    {
      title: `Signs turned by verdicts: a cosine of ${Math.min(...turned).toFixed(2)} to ${Math.max(...turned).toFixed(2)}`,
      subtitle: "LookUp-v0, every trajectory counted; nothing is sampled",
      xTitle: "how much likelier the result's answer is, in nats",
      yTitle: "cosine with the exact gradient",
      height: 240,
      width: 440,
    },
  );
}
