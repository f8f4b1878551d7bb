import { pairedInterval } from "turnwise/internal/monitor/index";
import { Chart } from "turnwise/internal/plot/chart";
import { estimateChart } from "turnwise/internal/plot/estimateChart";
import { neutralColor } from "turnwise/internal/plot/palette";
import type { AlarmReport } from "../../shared/alarms/alarmReport";

/** Of the nine alarms, the seven that tell the story, and what they have to beat; the appendix draws all curves. */
const shownAlarms = [
  "entropy cliff",
  "std cliff",
  "echo",
  "ratio extreme",
  "KL burst",
  "gradient spike",
  "unearned silence",
  "success itself",
] as const;

interface Foresight {
  readonly label: string;
  readonly mean: number;
}

/** Names the alarm that foresees most. */
function titleOf(rows: readonly Foresight[]): string {
  const best = rows.reduce((a, b) => (b.mean > a.mean ? b : a));
  return `Best at telling the run that will fall: ${best.label}, ${best.mean.toFixed(2)}`;
}

/**
 * Chart of how well each alarm separates a run that is about to fall from one of the same age that holds: the area
 * under its ROC curve. The dashed line is chance.
 */
export function drawForesight({ lines, falls, survivors }: AlarmReport): Chart {
  const rows = shownAlarms.map((rule) => {
    const { area } = lines.find((line) => line.rule === rule)!;
    return { label: rule, mean: area.mean, ...pairedInterval(area) };
  });
  const chart = estimateChart(rows, {
    title: titleOf(rows),
    subtitle: `${falls} falls, ${survivors} runs that held; area under the ROC curve, 95 % interval; dashed: chance`,
    xTitle: "share of pairs in which the falling run is louder",
    domain: [0.2, 1],
  });
  const chance = {
    data: { values: [{ chance: 0.5 }] },
    mark: { type: "rule", color: neutralColor, strokeDash: [6, 4], strokeWidth: 2 },
    encoding: { x: { field: "chance", type: "quantitative" } },
  };
  return new Chart({ ...chart.spec, layer: [chance, ...(chart.spec.layer as object[])] }, chart.summary);
}
