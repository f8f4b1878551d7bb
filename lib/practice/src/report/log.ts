import type { Card } from "turnwise/internal/base/card";
import { displaySymbol, type MimeBundle } from "turnwise/internal/base/display";
import type { MonitorOptions, MonitorRecord } from "turnwise/internal/monitor/index";
import type { ContainerName } from "../logs/containers";
import type { WholeContainer } from "../logs/containers/json";
import { frameworks, type NamingName } from "../logs/frameworks";
import type { UnknownName } from "../logs/logReader";
import type { LogRun } from "../logs/runs";
import { anatomyChart, type Chart } from "turnwise/internal/plot/index";
import { cardOfLog, pictureOfLog } from "./logCard";
import type { LogFacts, LogVerdict } from "./logFacts";
import { panels } from "./panels";
import { watchRecords } from "./watchRecords";

/** A log of a training run: its records in the names of the glossary, and what it was read by. Of several runs, it is one. */
export class Log implements LogFacts {
  readonly framework: NamingName;
  readonly why: string;
  readonly container: ContainerName | WholeContainer;
  readonly unknown: readonly UnknownName[];
  readonly runs: readonly LogRun[];
  readonly run: number;
  readonly notes: readonly string[];

  constructor(
    readonly records: readonly MonitorRecord[],
    { framework, why, container, unknown, runs, run, notes }: LogFacts,
  ) {
    this.framework = framework;
    this.why = why;
    this.container = container;
    this.unknown = unknown;
    this.runs = runs;
    this.run = run;
    this.notes = notes;
  }

  /** Every record with its signals and alarms, and whether success has fallen. */
  watch(options: MonitorOptions = {}): LogVerdict {
    return watchRecords(this.records, options);
  }

  /**
   * The signals that the log has, one below the other, with a line at each alarm.
   *
   * @throws {RangeError} if no record has a signal
   */
  draw(options: MonitorOptions = {}): Chart {
    const { watched, alarms, fall } = this.watch(options);
    const at = (step: number): number => this.records.findIndex(({ update }) => update === step) + 1;
    const numbered = this.records.every(({ update }, i) => update === i + 1);
    const label = (what: string, step: number): string => (numbered ? what : `${what} (step ${step})`);
    return anatomyChart(
      panels.map(([signal, title, how]) => ({
        title,
        values: watched.map(({ signals }) => signals[signal]),
        ...how,
      })),
      {
        title: `${frameworks[this.framework].title}: signals and alarms`,
        events: [
          ...alarms.map(({ rule, update }) => ({ update: at(update), label: label(rule, update) })),
          ...(fall === null ? [] : [{ update: at(fall), label: label("success has fallen", fall) }]),
        ],
      },
    );
  }

  /** The same as a card: the signals, a line at each alarm, and what each alarm has been worth. */
  card(options: MonitorOptions = {}): Card {
    return cardOfLog(this, this.watch(options));
  }

  toString(): string {
    return this.card().toString();
  }

  /** MIME bundle that a notebook displays: its card, and a picture if no HTML is shown. */
  [displaySymbol](): MimeBundle {
    const verdict = this.watch();
    return {
      ...cardOfLog(this, verdict)[displaySymbol](),
      "image/svg+xml": pictureOfLog(this, verdict)[displaySymbol]()["image/svg+xml"],
    };
  }
}
