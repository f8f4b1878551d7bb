import { bootstrapInterval } from "turnwise/internal/base/interval";
import type { Chart } from "turnwise/internal/plot/chart";
import { lineChart } from "turnwise/internal/plot/lineChart";
import type { StoredRecord } from "../shared/storedTable";

const kinds = { "with the mask": "masked", "without it": "trained" } as const;
const WINDOW = 5;
/** Success at which the curves are compared. */
const AIM = 0.9;

/**
 * Success with the mask on retrieved tokens and without it, where a page has eight words: rows of `datasets/measured/retrieved.csv`.
 *
 * @throws {RangeError} if there is no such row
 */
export function drawMask(retrieved: readonly StoredRecord[]): Chart {
  const curves = (kind: string): number[][] =>
    retrieved
      .filter((row) => row["words"] === 8 && row["retrieved"] === kind)
      .map((row) => windowed(String(row["curve"]).split(" ").map(Number)));
  const series = Object.entries(kinds).map(([name, kind]) => {
    const runs = curves(kind);
    const points = (runs[0] ?? []).map((_, i) => {
      const { mean, low, high } = bootstrapInterval(runs.map((run) => run[i]!), { resamples: 400 }); // prettier-ignore
      return { x: WINDOW * (i + 1), y: mean, low, high };
    });
    return [name, points] as const;
  });
  const arrival = series.map(([name, points]) => {
    const there = points.find(({ y }) => y >= AIM);
    return there === undefined ? `never ${name}` : `${there.x} updates ${name}`;
  });
  return lineChart(Object.fromEntries(series), {
    title: `To a success of ${AIM}: ${arrival.join(", ")}`,
    subtitle: "LookUp-v0, pages of eight words, 20 seeds; band: 95 % interval",
    xTitle: "update",
    yTitle: "success",
  });
}

/** Means over windows of equal length. */
function windowed(curve: readonly number[]): number[] {
  const count = Math.floor(curve.length / WINDOW);
  return Array.from({ length: count }, (_, i) => {
    const part = curve.slice(i * WINDOW, (i + 1) * WINDOW);
    return part.reduce((sum, x) => sum + x, 0) / WINDOW;
  });
}
