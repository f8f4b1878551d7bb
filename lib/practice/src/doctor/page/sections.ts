import { short } from "turnwise/internal/base/curve";
import { notFiniteInWords } from "turnwise/internal/monitor/notFinite";
import { machine, path } from "turnwise/internal/base/host/index";
import type { Failure } from "../../logs/containers/failure";
import { runsInWords } from "../../logs/runs";
import { chanceOf, courseInWords } from "../../report/courseInWords";
import { usualSign } from "../../report/klSign";
import { isSilenceJudged, unshared } from "../../report/logCard";
import { blindOf } from "../../report/logRules";
import { SILENCE } from "../../report/watchRecords";
import { publicInWords } from "../../report/publicLogs";
import { worthInWords, alarmTrackRecord } from "../../report/worth";
import type { Cause } from "../causes";
import { eventInWords } from "../causes/contract";
import { failureAdvice } from "../failureAdvice";
import { foundWithLog } from "../foundWithLog";
import { missingParents } from "../parents";
import type { ReportParts } from "../parts";
import type { RunView } from "../view";
import { maskUnknown, rolloutsSection } from "./rollouts";
import { failureOf } from "./headline";
import type { Section } from "./section";

/** By so much an alarm must be up more often before falls than in runs that hold. */
const TELLS = 0.1;
/** All parts of the page, from what happened to what is not known. */
export function sectionsOf(parts: ReportParts): readonly Section[] {
  return [
    filesSection(parts),
    ...(parts.view.run ? [happened(parts.view.run, parts.runs)] : []),
    causesSection(parts),
    twinSection(parts),
    lintSection(parts),
    rolloutsSection(parts),
    unknownSection(parts),
    readOn(parts),
  ].filter(({ lines }) => lines.length > 0);
}

function filesSection({ files, foreign, passedOver, more }: ReportParts): Section {
  const read = files.filter(({ kind }) => kind !== "foreign");
  return {
    title: "Files",
    lines: [
      ...read
        .slice(0, 12)
        .map(
          ({ path: file, title, why, sureness }) =>
            [path.basename(file), `${title} (${sureness}: ${why})`] as const,
        ),
      ...(read.length > 12 ? [`and ${read.length - 12} more`] : []),
      ...foreign.slice(0, 5).map(({ path: file, why }) => [path.basename(file), `not read: ${why}`] as const),
      ...(foreign.length > 5 ? [`and ${foreign.length - 5} more that were not read`] : []),
      ...(passedOver > 0 ? [`${passedOver} weights, pictures and the like were not opened`] : []),
      ...(more ? ["there are more files, or deeper folders, than are looked at"] : []),
    ],
  };
}

/** Something that moved. */
interface Move {
  readonly at: number;
  readonly text: string;
}

/** Steps that are no farther apart than this say nothing of an order. */
const TOGETHER = 2;

/** Describes the signals that moved, in order; those that cannot be separated in time are reported as moving together. */
function inOrder(moves: readonly Move[]): (readonly [string, string])[] {
  return [...moves]
    .sort((a, b) => a.at - b.at)
    .map(({ at, text }, i, all) => {
      const before = all[i - 1];
      return [before === undefined ? "first" : at - before.at <= TOGETHER ? "with it" : "then", text];
    });
}

/** The place where an error was printed: the line of a console, or the code cell of a notebook. */
const placeOf = ({ line, cell }: Failure): string =>
  cell === undefined ? `line ${line}` : `code cell ${cell}`;

/** The first step whose own success is within a twentieth of the way of the lowest mean. */
function lowestBy({ verdict }: RunView): number {
  const { onset, best, lowest, update } = verdict.dip!;
  const low = verdict.watched.find(
    ({ record, signals }) =>
      record.update >= onset &&
      signals.success !== undefined &&
      signals.success <= lowest + (best - lowest) / 20,
  );
  return low?.record.update ?? update;
}

function happened(run: RunView, runs: readonly RunView[]): Section {
  const { verdict, events, resumed, first, last, number, of, log } = run;
  const which =
    of > 1 ? `run ${number} of ${of} of ${path.basename(log.guess.path)}` : path.basename(log.guess.path);
  const held = runsInWords([{ first, last, resumed }]);
  const { dip, success } = verdict;
  const { source } = log;
  const lines: Section["lines"][number][] = [
    `${which}: ${run.records.length} steps, ${first} to ${last}${held === undefined ? "" : `; ${held}`}`,
    success.kind === "fell"
      ? `Success${source === undefined ? "" : ` (${source})`} went from ${short(success.drop.start)} to a best of ${short(dip!.best)} and fell to ${short(dip!.lowest)}: ` +
        `from step ${dip!.onset} on it was low, and at its lowest by step ${lowestBy(run)}` +
        `${dip!.recovered === null ? `; it ended at ${short(dip!.last)}` : `; it recovered by step ${dip!.recovered}`}. ` +
        `Only ${(100 * dip!.chance).toFixed(1)}% of ${chanceOf(dip!)} fall as deep: chance does not explain it.`
      : `${courseInWords(verdict)}${source === undefined ? "" : ` It is read from ${source}.`}`,
  ];
  const failure = failureOf(run);
  if (failure !== undefined) {
    const advice = failureAdvice(`${failure.text} ${failure.ended ?? ""}`, log.framework);
    lines.push([
      failure.isStop ? "stopped" : "error",
      `after step ${last}, ${placeOf(failure)}: ${failure.text}${failure.ended === undefined ? "" : `; at last ${failure.ended}`}`,
    ]);
    if (advice !== undefined) lines.push(["do", advice]);
  }
  const moves: Move[] = events.map((event) => ({ at: event.from, text: eventInWords(event) }));
  if (success.kind === "fell")
    moves.push({ at: dip!.onset, text: `success fell from step ${dip!.onset} on` });
  lines.push(...inOrder(moves).slice(0, 15));
  if (moves.length > 15) lines.push(`and ${moves.length - 15} more signals after these`);
  lines.push(...notFiniteInWords(verdict.notFinite).map((sentence) => `${sentence}.`));
  const sign = usualSign(run.records);
  if (sign !== undefined) lines.push(sign);
  const counts = new Map<string, { count: number; at: number; threshold: number }>();
  for (const { rule, update, threshold } of verdict.alarms) {
    const before = counts.get(rule);
    counts.set(rule, { count: (before?.count ?? 0) + 1, at: before?.at ?? update, threshold });
  }
  for (const [rule, { count, at, threshold }] of counts) {
    const worth = alarmTrackRecord({ name: rule, threshold });
    // One that goes off as often in runs that hold is not called an alarm.
    const tells = worth === undefined || worth.sensitivity - worth.falseAlarms > TELLS;
    lines.push([
      tells ? "alarm" : "ignore",
      `${rule}, ${count === 1 ? "once" : `${count} times, first`} at step ${at}${tells ? "" : ": about as common in runs that hold, so it proves nothing"}; ${worthInWords({ name: rule, threshold })}; ${publicInWords(rule)}`,
    ]);
  }
  const others = runs.filter((one) => one !== run);
  for (const one of others.slice(0, 8)) {
    lines.push([
      "also",
      `${path.basename(one.log.guess.path)}${one.of > 1 ? `, run ${one.number}` : ""}: steps ${one.first} to ${one.last}. ${courseInWords(one.verdict)}`,
    ]);
  }
  return { title: "What happened", lines };
}

/** Name of a cause, its evidence, and the setting to write. */
function causeLines(cause: Cause, { view }: ReportParts, i: number): Section["lines"] {
  const written = cause.change.length > 0 && view.subject ? view.subject.write(cause.change) : [];
  const now = view.config && cause.change.map(({ setting }) => view.subject!.shown(setting)).join(", ");
  return [
    [`${i + 1}.`, `${cause.title} (weight ${Math.round(cause.weight)} of 100; lesson ${cause.lesson})`],
    ...cause.evidence.slice(0, 5).map((one): readonly [string, string] => ["", one]),
    ...(written.length > 0
      ? [
          [
            "change",
            `${now === undefined ? "" : `${now} -> `}${written.join("  ")}${view.config ? "" : "  (no configuration was given: what it is now is not known)"}`,
          ] as const,
        ]
      : []),
    ...(cause.advice === undefined ? [] : [["do", cause.advice] as const]),
  ];
}

function causesSection(parts: ReportParts): Section {
  // What only a setting speaks for, and does no harm, is among the notes of the configuration.
  const shown = parts.causes.filter(({ weight }) => weight > 10).slice(0, 4);
  return {
    title: shown.length === 0 ? "Causes" : "Causes, the likeliest first",
    lines:
      shown.length === 0
        ? ["Nothing speaks for any cause that is looked for."]
        : shown.flatMap((cause, i) => causeLines(cause, parts, i)),
  };
}

function twinSection({ twin }: ReportParts): Section {
  if (twin === undefined) return { title: "", lines: [] };
  return {
    title: "Twin: the same rule in small worlds",
    lines: typeof twin === "string" ? [twin] : twin.lines,
    ...(typeof twin !== "string" && twin.picture !== undefined && { picture: twin.picture.svg }),
  };
}

function lintSection({ configs, view }: ReportParts): Section {
  const [config] = configs;
  if (config === undefined) return { title: "", lines: [] };
  const { lint } = config;
  const found = foundWithLog(view);
  const shown = found.slice(0, 8);
  return {
    title: `Configuration: ${lint.title} (defaults of ${lint.version}), ${lint.rule ? `nearest rule ${lint.rule.name}` : "whose rule could not be read"}`,
    lines: [
      ...(config.of === undefined
        ? []
        : [
            `What ${path.basename(config.of[0]!)} gives counts, and ${config.of
              .slice(1)
              .map((one) => path.basename(one))
              .join(", then ")} says the rest.`,
          ]),
      ...(lint.unread === undefined ? [] : [lint.unread]),
      ...shown.map(({ severity, title, evidence, instead }): readonly [string, string] => [
        severity,
        `${title}: ${evidence}${instead.length > 0 ? `. Instead: ${instead.join("  ")}` : ""}`,
      ]),
      ...(found.length > shown.length
        ? [
            `and ${found.length - shown.length} more: ${machine.program} doctor ${path.basename(config.guess.path)} --json`,
          ]
        : []),
      ...(configs.length > 1
        ? [`${configs.length - 1} more configurations were read and not used: it has most settings of a rule`]
        : []),
    ],
  };
}

function unknownSection({ view, configs }: ReportParts): Section {
  const { run, rollouts } = view;
  const lines: Section["lines"][number][] = [];
  if (run === undefined) lines.push("No log: whether success fell, and what moved, is not known.");
  else {
    const shared = isSilenceJudged(run.verdict);
    const blind = blindOf(run.verdict.blind).filter((name) => shared || name !== SILENCE);
    if (blind.length > 0) lines.push(`The log lacks the metrics of: ${blind.join(", ")}.`);
    if (!shared) lines.push(unshared);
    if (blind.includes("engines apart") && run.log.framework === "verl")
      lines.push(
        "Whether engine and trainer agree is logged with actor_rollout_ref.rollout.calculate_log_probs=True.",
      );
    const strange = run.log.unknown.map(({ name, nearest }) =>
      nearest ? `${name} (near ${nearest})` : name,
    );
    if (strange.length > 0) {
      lines.push(
        `Names that are not read: ${strange.slice(0, 8).join(", ")}${strange.length > 8 ? `, and ${strange.length - 8} more` : ""}.`,
      );
    }
    lines.push(...run.log.notes.map((note) => `${note}.`));
  }
  if (configs.length === 0)
    lines.push("No configuration: the steps per batch, the clip, the KL and the group size are not known.");
  const missing = configs[0] === undefined ? [] : missingParents(configs[0]);
  if (missing.length > 0)
    lines.push(
      `The configuration inherits from ${missing.join(", ")}, which was not found: what it says is not known.`,
    );
  for (const { title, why } of configs[0]?.lint.undecided ?? []) lines.push(`${title}? Not decided: ${why}.`);
  if (rollouts.length === 0) {
    lines.push(
      "No rollouts: which groups are mixed, whether tool tokens are masked, and how the agent fails, is not known.",
    );
  }
  for (const { guess, census, credit } of rollouts.slice(0, 6)) {
    const name = path.basename(guess.path);
    lines.push(...maskUnknown(census).map((why) => `${name}: ${why}`));
    if (credit !== undefined && "why" in credit)
      lines.push(`${name}: where credit goes is not known: ${credit.why}`);
  }
  return { title: "Not known", lines };
}

/** Sections of the guide to debugging and lessons, and the command that copies both, since an installed package has neither. */
function readOn({ causes }: ReportParts): Section {
  const shown = causes.slice(0, 3);
  const sections = [...new Set(shown.map(({ section }) => `"${section.replaceAll("-", " ")}"`))];
  const lessons = [...new Set(shown.map(({ lesson }) => lesson))];
  return {
    title: "Read on",
    lines: [
      ...(sections.length === 0
        ? []
        : [`Guide to debugging: ${sections.join(", ")}. Lessons: ${lessons.join(", ")}.`]),
      `\`${machine.program} new course\` copies the guide (course/docs/debugging.md) and the lessons.`,
    ],
  };
}
