import { lineChart } from "turnwise/internal/plot/lineChart";
import type { Chart } from "turnwise/internal/plot/chart";
import type { TrainRecord } from "turnwise/internal/train/index";

const named = ["success/mean", "policy/entropy", "policy/gradNorm"] as const;

/** The success of one model under a rule's own loss and under one that was written in a cell, and how far all else lies apart. */
export function drawTwoLosses(kernels: readonly TrainRecord[], cell: readonly TrainRecord[]): Chart {
  const points = (records: readonly TrainRecord[]): { x: number; y: number }[] =>
    records.map(({ update, metrics }) => ({ x: update, y: metrics["success/mean"]! }));
  const apart = kernels.flatMap(({ metrics }, i) =>
    named.map((name) => Math.abs(metrics[name]! - (cell[i]?.metrics[name] ?? NaN))),
  );
  const most = Math.max(...apart);
  return lineChart(
    { "the library's": points(kernels), yours: points(cell) },
    {
      title:
        most === 0
          ? "Written twice, the rule trains one and the same model"
          : "Written twice, the rule trains two models",
      subtitle: `success, entropy and gradient norm differ by at most ${most}`,
      xTitle: "update",
      yTitle: "success",
    },
  );
}
