import { leverSweep } from "../shared/echoTrap/leverSweep";
import type { LeverName } from "../shared/echoTrap/levers";
import type { StoredRun } from "../shared/echoTrap/stored";
import type { Chart } from "turnwise/internal/plot/chart";
import { heatMap } from "turnwise/internal/plot/heatMap";
import { learningRates } from "./results";

const rows: Readonly<Partial<Record<LeverName, string>>> = {
  vanilla: "GRPO",
  "turn ratio geometric": "with a turn's mean ratio",
  "SO-GRPO, gradient": "SO-GRPO: divided by what was clipped",
  "SO-GRPO, KL": "turn's mean, our penalty when clipped",
  "1 step per batch": "GRPO, one step per batch",
};

/** Success at the end by optimizer and learning rate, for GRPO, for what SORL changes, and for fewer steps. */
export function drawSafeRates(runs: readonly StoredRun[]): Chart {
  const columns = Object.keys(learningRates);
  const cells = leverSweep(runs, "sane", learningRates)
    .filter(({ lever }) => lever in rows)
    .sort((a, b) => columns.indexOf(a.setting) - columns.indexOf(b.setting))
    .map(({ lever, setting, final }) => ({
      column: setting,
      row: rows[lever]!,
      value: final.mean,
      label: final.mean.toFixed(2),
    }));
  const largest = (lever: keyof typeof rows): string =>
    cells.find(({ column, row }) => column === "Adam .3" && row === rows[lever])!.label;
  return heatMap(cells, {
    title: `Adam .3: ${largest("vanilla")} by GRPO, ${largest("1 step per batch")} in one step, ${largest("SO-GRPO, KL")} with our penalty`,
    subtitle: "ToolChain-v0, success at the end, 40 seeds; 16 steps on each batch but in the last row",
    columnTitle: "optimizer and learning rate",
    rowTitle: "rule",
    scale: "amount",
    cellWidth: 84,
    cellHeight: 46,
    rows: Object.values(rows),
  });
}
