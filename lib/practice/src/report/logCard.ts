import { card, type Card } from "turnwise/internal/base/card";
import type { Alarm, MonitorRecord } from "turnwise/internal/monitor/index";
import { frameworks } from "../logs/frameworks";
import { seriesColors, type Drawing } from "turnwise/internal/plot/index";
import { judgedOn } from "./alarmWorth";
import { runsInWords } from "../logs/runs";
import { notFiniteInWords } from "turnwise/internal/monitor/notFinite";
import { courseInWords } from "./courseInWords";
import type { LogFacts, LogVerdict } from "./logFacts";
import { logPicture, type LogMark } from "./logPicture";
import { blindOf } from "./logRules";
import { SILENCE } from "./watchRecords";
import { alarmTrackRecord } from "./worth";

/** A log as its card needs it. */
interface Shown extends LogFacts {
  readonly records: readonly MonitorRecord[];
}

/** The signals of a log with a line at each alarm, a table of what each alarm has been worth, and what was not read. */
export function cardOfLog(log: Shown, verdict: LogVerdict): Card {
  const { alarms, watched, notFinite, movements } = verdict;
  const shared = isSilenceJudged(verdict);
  const blind = blindOf(verdict.blind).filter((name) => shared || name !== SILENCE);
  const runs = runsInWords(log.runs);
  const moved = movements.map(({ title, step }) => `${title} from step ${step} on`);
  const strange = log.unknown.map(({ name, nearest }) => (nearest ? `${name} (near ${nearest})` : name));
  const rows = alarmRows(alarms);
  const picture = logPicture(watched, marksOf(verdict), titleOf(log));
  return card({
    title: titleOf(log),
    about: `${log.container}; ${log.why}. ${courseInWords(verdict)}`,
    picture: { html: `<div>${picture.svg}</div>`, text: String(picture) },
    head: rows.length === 0 ? [] : head,
    rows,
    note: [
      ...(runs === undefined ? [] : [`${runs}.`]),
      ...log.notes.map((note) => `${note}.`),
      ...notFiniteInWords(notFinite).map((sentence) => `${sentence}.`),
      ...(moved.length === 0 ? [] : [`What left its level, in this order: ${moved.join(", ")}.`]),
      ...(alarms.length === 0 ? ["No alarm."] : []),
      ...(shared ? [] : [unshared]),
      ...(blind.length === 0 ? [] : [`Not monitored (metrics missing): ${blind.join(", ")}.`]),
      ...(strange.length === 0 ? [] : [`Names that are not read: ${strange.join(", ")}.`]),
    ].join(" "),
  });
}

/** The same as one picture, for places that show no HTML: pages, code hosts, slides. */
export function pictureOfLog(log: Shown, verdict: LogVerdict): Drawing {
  const rows = alarmRows(verdict.alarms).map(inWords);
  const below = rows.length === 0 ? ["No alarm."] : rows;
  return logPicture(verdict.watched, marksOf(verdict), titleOf(log), {
    title: `${titleOf(log)}${verdict.fall === null ? "" : `, fallen at ${verdict.fall}`}`,
    below,
  });
}

function titleOf({ framework, records, runs, run }: Shown): string {
  const steps = `${records.length} steps, ${records[0]?.update} to ${records.at(-1)?.update}`;
  const which = runs.length > 1 ? `, run ${run} of ${runs.length}` : "";
  return `A log of ${frameworks[framework].title}: ${steps}${which}`;
}

/** Whether rewards are shares of the optimum, if anything depends on it: the share of silent groups is logged. */
export const isSilenceJudged = ({ isShare, watched }: Pick<LogVerdict, "isShare" | "watched">): boolean =>
  isShare || watched.every(({ signals }) => signals.fracZeroStd === undefined);

/** Why an alarm is silent although its metrics are there. */
export const unshared =
  "Rewards are no shares of the optimum, from 0 to 1, so that unearned silence cannot be told: pass optimum if there is one.";

const rulesOf = (alarms: readonly Alarm[]): readonly string[] => [...new Set(alarms.map(({ rule }) => rule))];

/** A line at each alarm, by the number of its rule, and one at the fall. */
function marksOf({ alarms, fall }: LogVerdict): LogMark[] {
  const rules = rulesOf(alarms);
  return [
    ...alarms.map(({ rule, update }) => ({ step: update, name: String(rules.indexOf(rule) + 1) })),
    ...(fall === null ? [] : [{ step: fall, name: "fall", color: seriesColors[1]! }]),
  ];
}

const head = [
  "",
  "alarm",
  "at step",
  `before how many of ${judgedOn.falls} falls`,
  "how early (median)",
  `at that age in how many of ${judgedOn.survivors} runs that held`,
];
const unjudged = "not tried on stored runs";

/** One row for each rule that went off: when, and what that has been worth on runs whose outcome is known. */
function alarmRows(alarms: readonly Alarm[]): string[][] {
  return rulesOf(alarms).map((rule, i) => {
    const own = alarms.filter((alarm) => alarm.rule === rule);
    const worth = alarmTrackRecord({ name: rule, threshold: own[0]!.threshold });
    const start = [String(i + 1), rule, stepsOf(own)];
    if (worth === undefined) return [...start, unjudged, "", ""];
    const { sensitivity, falseAlarms, medianLead } = worth;
    return [
      ...start,
      percent(sensitivity),
      medianLead === null ? "" : `${medianLead} updates`,
      percent(falseAlarms),
    ];
  });
}

/** A row of the table as a line. */
function inWords([number, rule, steps, before, lead, held]: readonly string[]): string {
  const start = `${number}  ${rule}, step ${steps}`;
  if (before === unjudged) return `${start}: ${unjudged}`;
  const early = lead === "" ? "" : `, ${lead} early`;
  return `${start}: before ${before} of ${judgedOn.falls} falls${early}; in ${held} of ${judgedOn.survivors} runs that held`;
}

const percent = (share: number): string => `${Math.round(100 * share)}%`;

/** The steps at which an alarm went off, the first few by number. */
function stepsOf(alarms: readonly Alarm[]): string {
  const some = alarms.slice(0, 4).map(({ update }) => update);
  const more = alarms.length - some.length;
  return some.join(", ") + (more > 0 ? ` and ${more} more` : "");
}
