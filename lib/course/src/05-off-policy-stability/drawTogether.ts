import type { Chart } from "turnwise/internal/plot/chart";
import { lineChart } from "turnwise/internal/plot/lineChart";
import type { WornBatch } from "./wornBatch";

/** Turns of ToolChain-v0 have three tokens. */
const LENGTH = 3;

/**
 * Chart of how the ratios of a batch spread with the steps on it: a token's, a turn's, and a turn's if its tokens did
 * not move together.
 */
export function drawTogether({ steps }: Pick<WornBatch, "steps">): Chart {
  const line = (name: string, times = 1): { x: number; y: number }[] =>
    steps.map(({ step, spread }) => ({ x: step, y: times * spread[name]!.deviation }));
  const { step: last, spread } = steps.at(-1)!;
  const [turn, token] = [spread["turn, product"]!.deviation, spread["token"]!.deviation];
  const times = (turn / token).toFixed(2);
  return lineChart(
    {
      "a turn, as it is": line("turn, product"),
      "independent tokens": line("token", Math.sqrt(LENGTH)),
      "a token": line("token"),
    },
    {
      title:
        token === 0
          ? "No token has moved yet"
          : `After ${last} steps, a turn spreads ${times} times as far as a token, not ${Math.sqrt(LENGTH).toFixed(2)}`,
      subtitle: "ToolChain-v0, turns of three tokens; product of their ratios",
      xTitle: "steps on one batch",
      yTitle: "spread of the log-ratio, nats",
    },
  );
}
