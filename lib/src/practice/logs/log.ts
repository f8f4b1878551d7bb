import { card, type Card } from "../../base/card";
import { short } from "../../base/curve";
import { displaySymbol, type MimeBundle } from "../../base/display";
import { fallChance, FALL_LEVEL } from "../../monitor/fallChance";
import { fallOf, EchoTrapMonitor, type Alarm, type MonitorOptions, type MonitorRecord } from "../../monitor";
import type { ContainerName } from "../../monitor/logs/containers";
import { frameworks, type NamingName } from "../../monitor/logs/frameworks";
import type { UnknownName } from "../../monitor/logs/logReader";
import type { Watched } from "../../monitor/echoTrapMonitor";
import { anatomyChart, type AnatomyPanel, type Chart } from "../../plot";
import type { SignalName } from "../../monitor/signals";
import { logRules } from "./logRules";
import { worthInWords } from "./worth";

/** What is known of a log besides its records. */
export interface LogFacts {
  readonly framework: NamingName;
  /** Why its names are thought to be those of that framework. */
  readonly why: string;
  readonly container: ContainerName | "JSON";
  /** Names that stand for no metric. */
  readonly unknown: readonly UnknownName[];
}

/** A mean of success that is below 75 % of its best. */
export interface Dip {
  readonly update: number;
  /** The share of random orders of the same steps in which success falls as deep. */
  readonly chance: number;
}

/** What the monitor makes of a log. */
export interface LogVerdict {
  readonly alarms: readonly Alarm[];
  /** Rules that no record has had a signal for. */
  readonly blind: readonly string[];
  /** The step at which success had fallen; null if it never did, or no deeper than chance takes it. */
  readonly fall: number | null;
  /** The step at which the mean of 10 steps was below 75 % of its best, and how often random order does the same; null if never. */
  readonly dip: Dip | null;
  readonly watched: readonly Watched[];
}

const panels: readonly (readonly [SignalName, string, Partial<AnatomyPanel>])[] = [
  ["success", "success", {}],
  ["stdShare", "in-group std, share of its highest", { domain: [0, 1] }],
  ["unearnedSilence", "unearned silence", {}],
  ["entropyShare", "entropy, share of its highest", { domain: [0, 1] }],
  ["gradNorm", "gradient norm", { log: true }],
  ["clipFraction", "clipped tokens", {}],
  ["informationLoss", "information lost", {}],
  ["mismatch", "mismatch, nats per token", {}],
  ["staleness", "staleness, updates", {}],
  ["turns", "turns", {}],
  ["toolFailures", "failed tool calls", {}],
];

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

  /** The same as a table: what went off, and what that has been worth. */
  card(options: MonitorOptions = {}): Card {
    const { alarms, blind, fall, dip } = this.watch(options);
    const first = this.records[0]?.update;
    const last = this.records.at(-1)?.update;
    const strange = this.unknown.map(({ name, nearest }) => (nearest ? `${name} (near ${nearest})` : name));
    return card({
      title: `A log of ${frameworks[this.framework].title}: ${this.records.length} steps, ${first} to ${last}`,
      about: `${this.container}; ${this.why}. ${courseInWords(fall, dip)}`,
      head: ["step", "alarm", "value", "what it has been worth"],
      rows: alarms.map(({ rule, update, value, threshold }) => [
        String(update),
        rule,
        short(value),
        worthInWords({ name: rule, threshold }),
      ]),
      note: [
        ...(alarms.length === 0 ? ["No alarm."] : []),
        ...(blind.length === 0 ? [] : [`Not watched for want of metrics: ${blind.join(", ")}.`]),
        ...(strange.length === 0 ? [] : [`Names that are not read: ${strange.join(", ")}.`]),
      ].join(" "),
      next: [{ does: "To draw its signals", code: "log.draw()" }],
    });
  }

  toString(): string {
    return this.card().toString();
  }

  /** What a notebook shows in its place. */
  [displaySymbol](): MimeBundle {
    return this.card()[displaySymbol]();
  }
}

function courseInWords(fall: number | null, dip: Dip | null): string {
  if (dip === null) return "Success did not fall.";
  const share = `${(100 * dip.chance).toFixed(1)} % of random orders of the same steps`;
  return fall === null
    ? `Success was below 75 % of its best at step ${dip.update}, as deep as in ${share}: that is no fall, but noise.`
    : `Success had fallen at step ${fall}, as deep as in ${share}.`;
}
