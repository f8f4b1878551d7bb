import { bootstrapInterval } from "turnwise/internal/base/interval";
import type { Chart } from "turnwise/internal/plot/chart";
import { estimateChart } from "turnwise/internal/plot/estimateChart";
import { cellOf } from "./leverEffect";
import type { LeverName } from "./levers";
import type { StoredRun } from "./stored";
import type { TrapName } from "./traps";

/** Final success in a trap under some levers, in the words of a lesson; each run is a dot. */
export function leverEnds(
  runs: readonly StoredRun[],
  trap: TrapName,
  levers: Readonly<Record<string, LeverName>>,
  {
    title,
    subtitle,
  }: {
    /** The title, or what makes it from the mean under each label. */
    readonly title: string | ((means: Readonly<Record<string, number>>) => string);
    readonly subtitle: (seeds: number) => string;
  },
): Chart {
  const ends = Object.entries(levers).map(([label, lever]) => {
    const own = cellOf(runs, trap, lever).map(({ final }) => final);
    return { label, runs: own, ...bootstrapInterval(own) };
  });
  return estimateChart(ends, {
    title:
      typeof title === "string"
        ? title
        : title(Object.fromEntries(ends.map(({ label, mean }) => [label, mean]))),
    subtitle: subtitle(ends[0]!.runs.length),
    xTitle: "success at the end",
    domain: [0, 1],
  });
}
