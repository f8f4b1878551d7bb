import type { Chart } from "turnwise/internal/plot/chart";
import { mean } from "turnwise/internal/base/statistics";
import { lineChart } from "turnwise/internal/plot/lineChart";
import type { Imitation } from "turnwise/internal/train/imitate/imitation";

/** Chart of the loss of an imitation, step by step. */
export function drawImitation({ losses, turns }: Imitation): Chart {
  const points = losses.map((y, i) => ({ x: i + 1, y }));
  const settled = losses.slice(-50);
  const end = settled.length === 0 ? 0 : mean(settled);
  return lineChart(
    { "loss, nats per token": points.length > 0 ? points : [{ x: 0, y: 0 }] },
    {
      title: `The loss settles at ${end.toFixed(2)} nats per token`,
      subtitle: `cross-entropy on ${turns} turns`,
      xTitle: "step",
      yTitle: "loss, nats per token",
    },
  );
}
