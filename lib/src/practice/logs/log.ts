import type { Card } from "../../base/card";
import { displaySymbol, type MimeBundle } from "../../base/display";
import { fallChance, FALL_LEVEL } from "../../monitor/fallChance";
import { fallOf, EchoTrapMonitor, type MonitorOptions, type MonitorRecord } from "../../monitor";
import type { ContainerName } from "../../monitor/logs/containers";
import { frameworks, type NamingName } from "../../monitor/logs/frameworks";
import type { UnknownName } from "../../monitor/logs/logReader";
import { anatomyChart, type Chart } from "../../plot";
import { cardOfLog, pictureOfLog } from "./logCard";
import type { LogFacts, LogVerdict } from "./logFacts";
import { logRules } from "./logRules";
import { panels } from "./panels";

/** A log of a training run: its records in the names of the glossary, and what it was read by. */
export class Log implements LogFacts {
  readonly framework: NamingName;
  readonly why: string;
  readonly container: ContainerName | "JSON";
  readonly unknown: readonly UnknownName[];

  constructor(
    readonly records: readonly MonitorRecord[],
    { framework, why, container, unknown }: LogFacts,
  ) {
    this.framework = framework;
    this.why = why;
    this.container = container;
    this.unknown = unknown;
  }

  /** Every record with its signals and alarms. */
  watch(options: MonitorOptions = {}): LogVerdict {
    const watcher = new EchoTrapMonitor({ rules: logRules, ...options });
    const watched = this.records.map((record) => watcher.observe(record));
    const success = watched.map(({ signals }) => signals.success);
    const low = fallOf(success);
    const dip = low === null ? null : { update: this.records[low - 1]!.update, chance: fallChance(success) };
    return {
      alarms: watcher.alarms,
      blind: watcher.blind,
      fall: dip !== null && dip.chance < FALL_LEVEL ? dip.update : null,
      dip,
      watched,
    };
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

  /** What a notebook shows in its place: its card, and a picture where no HTML is shown. */
  [displaySymbol](): MimeBundle {
    const verdict = this.watch();
    return {
      ...cardOfLog(this, verdict)[displaySymbol](),
      "image/svg+xml": pictureOfLog(this, verdict)[displaySymbol]()["image/svg+xml"],
    };
  }
}
