import type { Chart } from "turnwise/internal/plot/chart";
import { lineChart } from "turnwise/internal/plot/lineChart";
import type { StoredRecord } from "../shared/storedTable";
import { curriculumArms } from "./curriculumRun";
import { curves } from "./curves";

/**
 * Chart of how the hardest maze is learned under each choice of levels: rows of `datasets/measured/curriculum.csv`.
 *
 * @throws {RangeError} if there is no row
 */
export function drawCurriculum(rows: readonly StoredRecord[]): Chart {
  const lines = curriculumArms.map(
    (arm) => [arm, { rows: rows.filter((row) => row["arm"] === arm), column: "hardest" }] as const,
  );
  const { series, dots } = curves(Object.fromEntries(lines));
  const ends = curriculumArms
    .map((arm) => ({ arm, y: series[arm]!.at(-1)?.y ?? NaN }))
    .sort((a, b) => b.y - a.y)
    .map(({ arm, y }) => `${arm} ${y.toFixed(2)}`);
  return lineChart(series, {
    title: `On the hardest maze: ${ends.join(", ")}`,
    subtitle: "a corridor of length 8; 40 seeds, equal samples; dots: where each seed ends",
    xTitle: "update",
    yTitle: "return on the hardest maze",
    reference: { y: 1, label: "best agent" },
    dots,
  });
}
