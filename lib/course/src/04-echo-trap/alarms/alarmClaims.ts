import { pairedInterval, type PairedMean } from "turnwise/internal/monitor/index";
import type { Claim } from "turnwise/internal/plot/index";
import { shown } from "turnwise/internal/verdict/words";
import type { Effect } from "turnwise/internal/verdict/effect";
import { verdict, type Condition } from "turnwise/internal/verdict/verdict";
import { alarmReport, type AlarmLine } from "../../shared/alarms/alarmReport";
import type { AlarmRun } from "../../shared/alarms/stored";
import { alarmNames } from "../../shared/alarms/definitions";
import { smallestEffects } from "./effects";

/** Distance of a mean over pairs of runs above a number. */
function effectOf(paired: PairedMean, range: readonly [number, number], above = 0): Effect {
  return {
    mean: paired.mean - above,
    n: Math.min(paired.falls, paired.survivors),
    method: "DeLong's error",
    at: (level) => {
      const { low, high } = pairedInterval(paired, { level, range });
      return { low: low - above, high: high - above };
    },
  };
}

/** Distance of an area under the ROC curve above that of chance. */
const areaEffect = (area: PairedMean): Effect => effectOf(area, [0, 1], 0.5);
const gapEffect = (gap: PairedMean): Effect => effectOf(gap, [-1, 1]);

const area = (paired: PairedMean): string => shown({ mean: paired.mean, ...pairedInterval(paired) }, 2);
const gap = (paired: PairedMean): string =>
  shown({ mean: paired.mean, ...pairedInterval(paired, { range: [-1, 1] }) }, 2);

/** The claims about alarms, judged on the confirming half of the runs. */
export function alarmClaims(runs: readonly AlarmRun[], report = alarmReport(runs)): Claim[] {
  const { lines, falls, survivors } = report;
  const line = (rule: string): AlarmLine => lines.find((own) => own.rule === rule)!;
  const alarms = alarmNames.map(line);
  const each = (effect: (own: AlarmLine) => Effect): Condition[] =>
    alarms.map((own) => ({ setting: { alarm: own.rule }, effect: effect(own) }));
  const list = (text: (own: AlarmLine) => string): string =>
    alarms.map((own) => `${own.rule} ${text(own)}`).join(", ");
  const of = `${falls} falls, ${survivors} survivors of the same settings`;
  const std = line("std cliff");
  return [
    {
      claim: "In-group std warns early",
      source: "RAGEN, section 4.3 [P]",
      measured: `${of}; AUC in the 25 updates before a fall ${area(std.area)}, in those 25 to 10 before ${area(std.earlyArea)}`,
      verdict: verdict({
        effect: areaEffect(std.area),
        comparisons: alarms.filter((own) => own !== std).map((own) => ({ effect: areaEffect(own.area) })),
        smallestEffectOfInterest: smallestEffects.area,
      }),
    },
    {
      claim: "Some alarm tells the coming fall from the solved task",
      source: "this notebook",
      measured: `AUC against survivors of the same age: ${list((own) => area(own.area))}`,
      verdict: verdict({
        conditions: each((own) => areaEffect(own.area)),
        smallestEffectOfInterest: smallestEffects.area,
      }),
    },
    {
      claim: "Some alarm tells it ten updates ahead",
      source: "this notebook",
      measured: `AUC in the window from 25 to 10 updates before: ${list((own) => area(own.earlyArea))}`,
      verdict: verdict({
        conditions: each((own) => areaEffect(own.earlyArea)),
        smallestEffectOfInterest: smallestEffects.area,
      }),
    },
    {
      claim: "An alarm that is quiet enough to be left on foresees falls",
      source: "this notebook",
      measured: `sensitivity minus false alarms, at thresholds chosen for 10 % false alarms: ${list((own) => `at ${own.threshold}: ${gap(own.warned)}`)}`,
      verdict: verdict({
        conditions: each((own) => gapEffect(own.warned)),
        smallestEffectOfInterest: smallestEffects.warned,
      }),
    },
    {
      claim: "An alarm tells more of the coming fall than success itself",
      source: "this notebook",
      measured: `success itself: AUC ${area(line("success itself").area)}; difference from it: ${list((own) => gap(own.beyondSuccess))}`,
      verdict: verdict({
        conditions: each((own) => gapEffect(own.beyondSuccess)),
        smallestEffectOfInterest: smallestEffects.area,
      }),
    },
  ];
}
