import { exactIteration } from "turnwise/internal/exact/exactIteration";
import { clipStep, exactRule } from "turnwise/internal/exact/exactRule";
import { tablePolicy } from "turnwise/internal/exact/tablePolicy";
import { Chart, vegaLiteSchema } from "turnwise/internal/plot/chart";
import { largeLetters } from "turnwise/internal/plot/large";
import { seriesColors } from "turnwise/internal/plot/palette";
import { differToWin } from "turnwise/internal/tree/games/index";

interface Stop {
  readonly p: number;
  readonly J: number;
  readonly label: string;
  readonly order: number;
}

/** One update, last turn first, of one parameter that both turns share: its stops on the curve of the return. */
export function drawSharedStep({ clip = 0.5, start = 0.6 } = {}): Chart {
  const stops = stopsOf(clip, start);
  const curve = Array.from({ length: 101 }, (_, i) => ({ p: i / 100, J: 2 * (i / 100) * (1 - i / 100) }));
  const told = stops.map(({ label, p, J }) => `${label}: p = ${p.toFixed(2)}, return ${J.toFixed(2)}`);
  const title = `One update takes the return from ${stops[0]!.J.toFixed(2)} to ${stops.at(-1)!.J.toFixed(2)}`;
  const description = `${title}. ${told.join("; ")}.`;
  const x = {
    field: "p",
    type: "quantitative",
    title: "p: how often either turn says a",
    axis: { tickCount: 5 },
  };
  const y = {
    field: "J",
    type: "quantitative",
    title: "return",
    scale: { domain: [0, 0.6] },
    axis: { tickCount: 6 },
  };
  const [blue, orange] = seriesColors;
  return new Chart(
    {
      $schema: vegaLiteSchema,
      description,
      title: { text: title, subtitle: "two turns that share one parameter, the last one first" },
      width: 520,
      height: 280,
      layer: [
        { data: { values: curve }, mark: { type: "line", color: blue, strokeWidth: 2 }, encoding: { x, y } },
        {
          data: { values: stops },
          mark: { type: "line", color: orange, strokeWidth: 3, strokeDash: [6, 3] },
          encoding: { x, y, order: { field: "order", type: "quantitative" } },
        },
        {
          data: { values: stops },
          mark: { type: "point", filled: true, color: orange, size: 140, opacity: 1 },
          encoding: { x, y },
        },
        {
          data: { values: stops },
          mark: { type: "text", align: { expr: "datum.p < 0.5 ? 'right' : 'left'" }, dy: -14, dx: 0 },
          encoding: { x, y, text: { field: "label" } },
        },
      ],
      config: largeLetters,
    },
    description,
  );
}

function stopsOf(clip: number, start: number): Stop[] {
  const game = differToWin();
  const policy = tablePolicy(game, { "both turns": { a: start, b: 1 - start } });
  const rule = exactRule({ step: clipStep(clip), order: "reverse" });
  const { moves, before, returns } = exactIteration(game, policy, rule);
  const first = { p: start, J: before, label: "start", order: 0 };
  // Turns are counted from 0: the last one moves first.
  const later = moves.map(({ to, turns }, i) => ({
    p: to[0]!,
    J: returns[i]!,
    label: `after turn ${turns[0]! + 1}`,
    order: i + 1,
  }));
  return [first, ...later];
}
