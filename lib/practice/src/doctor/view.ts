import type { MonitorRecord } from "turnwise/internal/monitor/signals";
import type { MetricName } from "turnwise/internal/base/glossary";
import { Given } from "../configs/given";
import type { TrainerName } from "../configs/recognize";
import { readTrainers } from "../configs/recognize";
import { Subject } from "../lint/subject";
import type { LogVerdict } from "../report/logFacts";
import { watchRecords } from "../report/watchRecords";
import { runsOf, type LogRun } from "../logs/runs";
import type { NamingName } from "../logs/frameworks";
import { evenLengthsOf, type EvenLengths } from "../report/evenLengths";
import { constantsOf, eventsOf, eventsOfParts, type SignalEvent } from "../report/events";
import type { ReadConfigFile, ReadLogFile, ReadRollouts } from "./read";

/** One run of a log, and what happened in it. */
export interface RunView {
  readonly log: ReadLogFile;
  /** From 1, of that many in the log. */
  readonly number: number;
  readonly of: number;
  readonly first: number;
  readonly last: number;
  readonly resumed: LogRun["resumed"];
  readonly records: readonly MonitorRecord[];
  readonly verdict: LogVerdict;
  readonly events: readonly SignalEvent[];
  /** Parts of the reward that rose or fell. */
  readonly parts: readonly SignalEvent[];
  /** Metrics that hold one value throughout. */
  readonly constants: ReadonlyMap<MetricName, number>;
  /** Steps in which all answers are equally long though they are not cut, and all steps with lengths. */
  readonly even: EvenLengths;
}

/** Data in which causes are looked for. */
export interface View {
  readonly run: RunView | undefined;
  readonly config: ReadConfigFile | undefined;
  readonly rollouts: readonly ReadRollouts[];
  /** Trainer with the suggested settings. */
  readonly subject: Subject | undefined;
}

const trainers: Readonly<Record<NamingName, TrainerName | undefined>> = {
  turnwise: undefined,
  verl: "verl",
  trl: "trl",
  ragen: "verl",
  ragen2: "verl",
  primeRl: "prime-rl",
  skyrl: "skyrl",
  tinker: undefined,
  slime: undefined,
  openrlhf: "openrlhf",
  nemoRl: undefined,
  openInstruct: undefined,
  areal: undefined,
  roll: undefined,
  mlxLmLora: undefined,
  trlPpo: undefined,
  common: undefined,
};

/** The runs of a log, each with what happened in it. */
export function runsIn(log: ReadLogFile, optimum: number | undefined): RunView[] {
  const runs = runsOf(log.records);
  return runs.map(({ first, last, resumed, records }, i) => ({
    log,
    number: i + 1,
    of: runs.length,
    first,
    last,
    resumed,
    records,
    verdict: watchRecords(records, optimum === undefined ? {} : { optimum }),
    events: eventsOf(records),
    parts: eventsOfParts(records),
    constants: constantsOf(records),
    even: evenLengthsOf(records),
  }));
}

/** Trainer with the settings to suggest: that of the configuration, else the framework of the log. */
export function subjectOf(run: RunView | undefined, config: ReadConfigFile | undefined): Subject | undefined {
  if (config) return config.lint.subject;
  const trainer = run && trainers[run.log.framework];
  if (trainer === undefined) return undefined;
  const { title } = readTrainers[trainer];
  return new Subject({
    trainer,
    title,
    form: trainer === "trl" ? "Python" : "launch script",
    flags: {},
    given: new Given({}, title),
    unresolved: [],
    read: "no configuration was given",
  });
}
