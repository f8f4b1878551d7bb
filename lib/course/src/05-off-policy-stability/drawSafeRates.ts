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
  return heatMap(cells, {
    title: "Which learning rates are safe?",
    subtitle: "success at the end, mean of 40 seeds; 16 steps on each batch but in the last row",
    columnTitle: "optimizer and learning rate",
    rowTitle: "rule",
    scale: "amount",
    cellWidth: 84,
    cellHeight: 46,
    rows: Object.values(rows),
  });
}
