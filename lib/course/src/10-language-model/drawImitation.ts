import type { Chart } from "turnwise/internal/plot/chart";
import { lineChart } from "turnwise/internal/plot/lineChart";
import type { Imitation } from "turnwise/internal/train/imitate/imitation";

/** Chart of the loss of an imitation, step by step. */
export function drawImitation({ losses, turns }: Imitation): Chart {
  const points = losses.map((y, i) => ({ x: i + 1, y }));
  return lineChart(
    { "loss, nats per token": points.length > 0 ? points : [{ x: 0, y: 0 }] },
    {
      title: "Learning to write as the demonstrator does",
      subtitle: `cross-entropy on ${turns} turns`,
      xTitle: "step",
      yTitle: "loss, nats per token",
    },
  );
}
