import { log } from "turnwise/internal/base/elementary/log";
import type { Chart } from "turnwise/internal/plot/chart";
import { heatMap } from "turnwise/internal/plot/heatMap";
import { ladder } from "turnwise/internal/tree/games/index";
import { exactTraining } from "../shared/exactTraining/exactTraining";
import { orderWords } from "./drawWays";

const goal = 0.95;
const longest = 2000;

/** Updates until a ladder of three rungs is climbed, by the size of the gradient step and the order. */
export function drawStepSizes({
  steps = [256, 64, 16, 4, 1],
}: { readonly steps?: readonly number[] } = {}): Chart {
  const game = ladder(3);
  const cells = steps.flatMap((step) =>
    Object.entries(orderWords).map(([order, column]) => {
      const { J } = exactTraining(game, { order: order as keyof typeof orderWords, step, updates: longest });
      const at = J.findIndex((one) => one >= goal);
      const value = log(at < 0 ? longest : Math.max(1, at));
      return { row: `step ${step}`, column, value, label: at < 0 ? "stuck" : String(at) };
    }),
  );
  const [large, small] = [steps[0]!, steps.at(-1)!].map((step) =>
    cells.filter(({ row }) => row === `step ${step}`).map(({ label }) => label),
  );
  return heatMap(cells, {
    title: `Updates at step ${steps[0]!}: ${large!.join(", ")}; at step ${steps.at(-1)!}: ${small!.join(", ")}`,
    subtitle: `updates until the return is ${goal}, on a ladder of three rungs`,
    columnTitle: "order",
    rowTitle: "gradient step",
    scale: "amount",
    cellWidth: 150,
    cellHeight: 46,
  });
}
