import { pairedInterval } from "turnwise/internal/monitor/index";
import type { Chart } from "turnwise/internal/plot/chart";
import { estimateChart } from "turnwise/internal/plot/estimateChart";
import { alarmAreas } from "../shared/languageRuns/alarmAreas";
import type { StoredLanguageRun } from "../shared/languageRuns/stored";

/** Which alarm knows the model that will fall: its area under the ROC curve, 0.5 for chance. */
export function drawWhoKnows(runs: readonly StoredLanguageRun[]): Chart {
  const found = alarmAreas(runs);
  if (found === undefined) {
    throw new RangeError("Cannot draw alarms: some runs must fall and some must not.");
  }
  const rows = Object.entries(found.area).map(([label, area]) => ({
    label,
    mean: area.mean,
    ...pairedInterval(area),
  }));
  const clear = rows.filter(({ low }) => low > 0.5).length;
  return estimateChart(rows, {
    title: `${clear || "None"} of ${rows.length} alarms ${clear > 1 ? "are" : "is"} clear of chance`,
    subtitle: `${found.falls} falls against ${found.survivors} survivors of the same age; 0.5 is chance`,
    xTitle: "area under the ROC curve, 25 updates before the fall",
    domain: [0, 1],
  });
}
