import { impliedDrift, type SurrogateRow } from "turnwise/internal/exact/surrogateRow";
import type { Chart } from "turnwise/internal/plot/chart";
import { lineChart } from "turnwise/internal/plot/lineChart";
import { surrogateRow } from "./drift";

/** Tokens of the answers "salary" and "machine" where the ratio is normalized by length. */
const length = [1, 12];

/**
 * Chart of the drift of each rule's surrogate, which it keeps back when the policy moves away from an even one, on the
 * slot machine.
 */
export function drawDrift(): Chart {
  const mean = surrogateRow({ salary: 0.15, scale: "none", groupSize: Infinity });
  const rules: Readonly<Record<string, SurrogateRow>> = {
    "grpo: divided by the std": surrogateRow({ salary: 0.15, scale: "group", groupSize: 8 }),
    "gspo: ratio by length": { ...mean, length },
  };
  const line = (row: SurrogateRow): { x: number; y: number }[] =>
    Array.from({ length: 91 }, (_, i) => {
      const x = (i + 5) / 100;
      return { x, y: impliedDrift(row, [1 - x, x]) };
    });
  const lines = Object.entries(rules).map(([name, row]) => [name, line(row)] as const);
  const lowest = lines.map(([name, points]) => {
    const least = Math.min(...points.map(({ y }) => y));
    return `${least < -1e-12 ? least.toFixed(2) : "0"} for ${name.split(":")[0]!}`;
  });
  return lineChart(Object.fromEntries(lines), {
    title: `The lowest drift is ${lowest.join(" and ")}`,
    subtitle: "from an even policy; groups of 8, and answers of 1 and 12 tokens",
    xTitle: "how often the new policy chooses the machine",
    yTitle: "drift",
    reference: { y: 0, label: "must not go below 0" },
  });
}
