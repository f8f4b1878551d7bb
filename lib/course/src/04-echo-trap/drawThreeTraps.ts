import { bootstrapInterval } from "turnwise/internal/base/interval";
import type { Chart } from "turnwise/internal/plot/chart";
import { estimateChart } from "turnwise/internal/plot/estimateChart";
import { cellOf } from "../shared/echoTrap/leverEffect";
import type { StoredRun } from "../shared/echoTrap/stored";

const settings = [
  { trap: "sane", label: "nothing wrong: SGD" },
  { trap: "reuse", label: "A: 24 steps a batch under Adam" },
  { trap: "cost", label: "B: a cost, divided by the group's std" },
  { trap: "mismatch", label: "C: two engines disagree" },
] as const;

/** Chart of how GRPO ends in the sane setting and in the three traps, run by run. */
export function drawThreeTraps(runs: readonly StoredRun[]): Chart {
  const rows = settings.map(({ trap, label }) => {
    const ends = cellOf(runs, trap, "vanilla").map(({ final }) => final);
    return { label, runs: ends, ...bootstrapInterval(ends) };
  });
  const [sane, ...trapped] = rows.map(({ mean }) => mean.toFixed(2));
  return estimateChart(rows, {
    title: `GRPO ends at ${sane!} with nothing wrong, at ${trapped.slice(0, -1).join(", ")} and ${trapped.at(-1)!} in the traps`,
    subtitle: `GRPO, ${rows[0]!.runs.length} seeds each; diamond: mean, bar: 95 % interval, dots: runs`,
    xTitle: "success at the end",
    domain: [0, 1],
  });
}
