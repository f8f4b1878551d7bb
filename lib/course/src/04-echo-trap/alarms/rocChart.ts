import { shareInterval } from "turnwise/internal/base/share";
import { pairedInterval, pairedMean, sameAge } from "turnwise/internal/monitor/index";
import { Chart, vegaLiteSchema } from "turnwise/internal/plot/chart";
import { largeLetters } from "turnwise/internal/plot/large";
import { neutralColor, seriesColors } from "turnwise/internal/plot/palette";
import type { AlarmLine, AlarmReport } from "../../shared/alarms/alarmReport";
import { alarmNames, warningWindow } from "../../shared/alarms/definitions";

const SIZE = 150;

/**
 * A ROC curve for each alarm: share of falls that it warns of against share of survivors in which it is up at the same age, a
 * point for each threshold. The cross is the chosen threshold with its 95% intervals; dashed in gray is success itself, dotted
 * is chance. Above each curve is its area.
 */
export function rocChart(report: AlarmReport): Chart {
  const line = (rule: string): AlarmLine => report.lines.find((own) => own.rule === rule)!;
  const areaOf = ({ area }: AlarmLine): string => {
    const { low, high } = pairedInterval(area);
    return `${digits(area.mean)} [${digits(low)}, ${digits(high)}]`;
  };
  const itself = line("success itself");
  const told = [...alarmNames, itself.rule].map((rule) => `${rule} ${areaOf(line(rule))}`);
  const best = alarmNames.map(line).reduce((a, b) => (b.area.mean > a.area.mean ? b : a));
  const title = `Best alarm: ${best.rule}, area ${digits(best.area.mean)}; success itself ${digits(itself.area.mean)}`;
  const description = `${title}. Area under the ROC curve: ${told.join("; ")}.`;
  const concat = alarmNames.map((rule, i) => {
    const own = line(rule);
    const x = axis("falseAlarms", i >= alarmNames.length - 3 ? "false alarms" : null);
    const y = axis("sensitivity", i % 3 === 0 ? "falls foreseen" : null);
    const layer = [
      {
        data: { values: [corner(0), corner(1)] },
        mark: { type: "line", color: neutralColor, strokeDash: [1, 4], strokeWidth: 1.5 },
        encoding: { x, y },
      },
      {
        data: { values: curveOf(itself) },
        mark: { type: "line", color: neutralColor, strokeDash: [6, 3], strokeWidth: 1.5 },
        encoding: { x, y, order: { field: "order" } },
      },
      {
        data: { values: curveOf(own) },
        mark: {
          type: "line",
          color: seriesColors[0],
          strokeWidth: 2,
          point: { size: 28, color: seriesColors[0] },
        },
        encoding: { x, y, order: { field: "order" } },
      },
      ...cross(report, own, x, y),
    ];
    return {
      title: { text: rule, subtitle: areaOf(own), fontSize: 14, subtitleFontSize: 13, fontWeight: "normal" },
      width: SIZE,
      height: SIZE,
      layer,
    };
  });
  return new Chart(
    {
      $schema: vegaLiteSchema,
      description,
      title: {
        text: title,
        subtitle: [
          `${report.falls} falls, ${report.survivors} survivors; area, 95 % interval`,
          `dashes: success itself, ${areaOf(itself)}; dots: chance`,
          "cross: threshold chosen on other runs, with its intervals",
        ],
      },
      concat,
      columns: 3,
      spacing: 14,
      config: largeLetters,
    },
    description,
  );
}

const digits = (x: number): string => x.toFixed(2);

const corner = (at: number): object => ({ falseAlarms: at, sensitivity: at });

function axis(field: string, title: string | null): object {
  const ticks = { values: [0, 0.5, 1], labelFontSize: 13, titleFontSize: 14 };
  return { field, type: "quantitative", title, scale: { domain: [0, 1] }, axis: ticks };
}

/** The points of a ladder from the corner where nothing goes off to the one where everything does. */
function curveOf({ points }: AlarmLine): object[] {
  const inside = [...points].reverse().map(({ falseAlarms, sensitivity }) => ({ falseAlarms, sensitivity }));
  return [corner(0), ...inside, corner(1)].map((point, order) => ({ ...point, order }));
}

/** The chosen threshold: sensitivity with its exact binomial interval, false alarms with that of the survivors. */
function cross(report: AlarmReport, own: AlarmLine, x: object, y: object): object[] {
  const { sensitivity } = own.points[own.rung]!;
  const sensitive = shareInterval(own.foreseen, report.falls);
  const up = pairedMean(
    sameAge(report.strata, own.rule, warningWindow, (_, survivor) => Number(survivor > own.rung)),
  );
  const wrong = { mean: up.mean, ...pairedInterval(up) };
  const color = seriesColors[1];
  const rule = { type: "rule", color, strokeWidth: 2 };
  return [
    {
      data: { values: [{ falseAlarms: wrong.mean, sensitivity: sensitive.low, high: sensitive.high }] },
      mark: rule,
      encoding: { x, y, y2: { field: "high" } },
    },
    {
      data: { values: [{ sensitivity, falseAlarms: wrong.low, high: wrong.high }] },
      mark: rule,
      encoding: { x, y, x2: { field: "high" } },
    },
    {
      data: {
        values: [{ sensitivity, falseAlarms: wrong.mean, rule: own.rule, threshold: own.threshold }],
      },
      mark: { type: "point", filled: true, size: 60, opacity: 1, color },
      encoding: { x, y, tooltip: [{ field: "rule" }, { field: "threshold" }] },
    },
  ];
}
