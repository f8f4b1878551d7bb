import { Chart, vegaLiteSchema } from "turnwise/internal/plot/chart";
import { largeLetters } from "turnwise/internal/plot/large";
import { seriesColors } from "turnwise/internal/plot/palette";
import type { ScoreOfOptimum } from "./scoreOfOptimum";

/** A range narrower than this is drawn as a point. */
const THIN = 1e-6;

/**
 * Chart of the true scores of the best agents for each reward: a point if all of them score alike, else a bar from the
 * lowest to the highest.
 *
 * @throws {RangeError} if there is no reward
 */
export function drawRoomToCheat(optima: Readonly<Record<string, ScoreOfOptimum>>): Chart {
  const rewards = Object.keys(optima);
  if (rewards.length === 0) {
    throw new RangeError("Cannot draw optima: there must be a reward, got none.");
  }
  const values = rewards.map((reward) => {
    const { low, high } = optima[reward]!;
    return { reward, low, high, is: high - low < THIN ? "all alike" : "anything between" };
  });
  const told = values.map(({ reward, low, high }) => `${reward}: ${low.toFixed(2)} to ${high.toFixed(2)}`);
  const description = `True score of the agents that are best for each reward. ${told.join("; ")}.`;
  const widest = values.reduce((a, b) => (b.high - b.low > a.high - a.low ? b : a));
  const x = (field: string): object => ({
    field,
    type: "quantitative",
    title: "true score of the agents that are best for this reward",
    scale: { domain: [0, 1] },
  });
  const y = { field: "reward", type: "ordinal", title: null, sort: rewards };
  const ends = values.flatMap(({ reward, low, high, is }) =>
    [low, high].map((score) => ({ reward, score, is })),
  );
  const color = {
    field: "is",
    type: "nominal",
    title: null,
    scale: { domain: ["all alike", "anything between"], range: [seriesColors[0], seriesColors[1]] },
    legend: { orient: "bottom", symbolType: "circle", symbolSize: 160 },
  };
  return new Chart(
    {
      $schema: vegaLiteSchema,
      description,
      title: {
        text: `Best by "${widest.reward}": a true score from ${widest.low.toFixed(2)} to ${widest.high.toFixed(2)}`,
        subtitle: "Calculator-v0, exact; a blind guess scores 1/4",
      },
      width: 440,
      height: { step: 40 },
      layer: [
        {
          data: { values },
          mark: { type: "rule", strokeWidth: 7, opacity: 0.5 },
          encoding: { x: x("low"), x2: { field: "high" }, y, color },
        },
        {
          data: { values: ends },
          mark: { type: "point", filled: true, size: 220, opacity: 1 },
          encoding: { x: x("score"), y, color },
        },
      ],
      config: largeLetters,
    },
    description,
  );
}
