import { Chart, vegaLiteSchema } from "turnwise/internal/plot/chart";
import { largeLetters } from "turnwise/internal/plot/large";
import { neutralColor, seriesColors } from "turnwise/internal/plot/palette";
import type { FixedPlan } from "./fixedPlan";

const plan = "a plan, eyes shut";
const looking = "gained by looking";

/**
 * Chart of how far a fixed plan gets in each world, and the gain from looking at the answers: from the random agent (0)
 * to the best one (1).
 *
 * @throws {RangeError} if there is no world
 */
export function drawFixedPlans(plans: readonly FixedPlan[]): Chart {
  if (plans.length === 0) {
    throw new RangeError("Cannot draw fixed plans: there must be a world, got none.");
  }
  const sorted = [...plans].sort((a, b) => b.score - a.score);
  const worlds = sorted.map(({ world }) => world);
  const values = sorted.flatMap(({ world, score }) => [
    { world, part: plan, from: 0, to: score },
    { world, part: looking, from: score, to: 1 },
  ]);
  const ends = sorted.map(({ world, score }) => ({ world, at: 1, label: percent(score) }));
  const told = sorted.map(({ world, score }) => `${world} ${percent(score)}`).join(", ");
  const description = `What a fixed plan gets of what the best agent gets: ${told}.`;
  const full = sorted.filter(({ score }) => score > 0.995).length;
  const y = { field: "world", type: "ordinal", title: null, sort: worlds };
  return new Chart(
    {
      $schema: vegaLiteSchema,
      description,
      title: {
        text: `A plan with eyes shut gets everything in ${full} of ${worlds.length} worlds`,
        subtitle: "from the agent that acts at random, 0 %, to the best agent that looks, 100 %; exact",
      },
      width: 460,
      height: { step: 34 },
      layer: [
        {
          data: { values },
          mark: { type: "bar", height: 20, stroke: neutralColor, strokeWidth: 1 },
          encoding: {
            x: {
              field: "from",
              type: "quantitative",
              title: "score, from random (0) to best (1)",
              scale: { domain: [0, 1.12] },
              axis: { values: [0, 0.25, 0.5, 0.75, 1], format: ".0%" },
            },
            x2: { field: "to" },
            y,
            color: {
              field: "part",
              type: "nominal",
              title: null,
              scale: { domain: [plan, looking], range: [seriesColors[0], "#80808022"] },
              legend: { orient: "bottom", symbolType: "square", symbolStrokeColor: neutralColor },
            },
          },
        },
        {
          data: { values: ends },
          mark: { type: "text", align: "left", dx: 6 },
          encoding: { x: { field: "at", type: "quantitative" }, y, text: { field: "label" } },
        },
      ],
      config: largeLetters,
    },
    description,
  );
}

const percent = (score: number): string => `${(100 * score).toFixed(0)} %`;
