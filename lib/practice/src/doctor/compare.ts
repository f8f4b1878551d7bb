import { short } from "turnwise/internal/base/curve";
import { displaySymbol, type MimeBundle } from "turnwise/internal/base/display";
import type { MetricName, Metrics } from "turnwise/internal/base/glossary";
import type { MonitorRecord } from "turnwise/internal/monitor/signals";
import { worstOf, type Code } from "../watch/codes";
import { escapeHtml } from "turnwise/internal/base/escapeHtml";
import { doctor, type DoctorOptions } from "./doctor";
import { eventsOf } from "../report/events";
import { documentOf, fragmentOf } from "./page/html";
import { wrapped } from "./page/text";
import type { DoctorReport } from "./report";
import { lookedSignals, type LookedSignal } from "../report/signals";

/** A signal in which two runs part. */
export interface Parting {
  readonly title: string;
  /** The first step from which on they are apart, and the one by which they are half as far apart as they get. */
  readonly from: number;
  readonly to: number;
  /** The means of both over the last ten common steps. */
  readonly a: number;
  readonly b: number;
}

/** Two runs side by side. */
export class Comparison {
  constructor(
    readonly a: DoctorReport,
    readonly b: DoctorReport,
    /** Settings that differ, by the names that both trainers have; undefined where one has none. */
    readonly settings:
      readonly { readonly name: string; readonly a: string; readonly b: string }[] | undefined,
    /** Places where the curves part, in that order. */
    readonly partings: readonly Parting[],
    /** Steps that both have. */
    readonly common: number,
  ) {}

  /** The worse of both. */
  get code(): Code {
    return worstOf([this.a.code, this.b.code]);
  }

  toString(): string {
    const named = (report: DoctorReport): string => report.targets.join(" ");
    const [first] = this.partings;
    const head =
      first === undefined
        ? this.common < 20
          ? `Cannot tell where the runs part: they have ${this.common} steps in common, and 20 are needed.`
          : `The runs do not part in ${this.common} common steps, in any signal that both log.`
        : `The runs part first in ${first.title}, steps ${first.from} to ${first.to}: ${short(first.a)} and ${short(first.b)} at the end.`;
    const settings =
      this.settings === undefined
        ? ["Settings: not compared, as one of them has no configuration."]
        : this.settings.length === 0
          ? ["Settings: the same, as far as both are written."]
          : ["Settings that differ", ...this.settings.map(({ name, a, b }) => `  ${name}: ${a} | ${b}`)];
    const parts = this.partings.map(
      ({ title, from, to, a, b }, i) =>
        `  ${i === 0 ? "first" : "then "}  ${title}, steps ${from} to ${to}: ${short(a)} | ${short(b)}`,
    );
    return [
      ...wrapped(head, "", ""),
      "",
      ...settings.flatMap((line) => wrapped(line, /^ */.exec(line)![0], "    ")),
      ...(parts.length > 0
        ? ["", "Where the curves part", ...parts.flatMap((line) => wrapped(line, "  ", "    "))]
        : []),
      "",
      ...wrapped(`a  ${named(this.a)}: ${this.a.headline}`, "", "   "),
      ...wrapped(`b  ${named(this.b)}: ${this.b.headline}`, "", "   "),
    ].join("\n");
  }

  /** The page as a file for a browser. */
  toHtml(): string {
    return documentOf("Two runs", this.#fragment());
  }

  /** The page as part of another. */
  #fragment(): string {
    const both = [this.a, this.b].map(({ parts, code }) => fragmentOf(parts, code));
    return `<pre style="white-space:pre-wrap">${escapeHtml(this.toString())}</pre>${both.join("")}`;
  }

  toJSON(): object {
    const { code, settings = null, partings, common, a, b } = this;
    return { code, settings, partings, common, a: a.toJSON(), b: b.toJSON() };
  }

  /** MIME bundle that a notebook displays for this object. */
  [displaySymbol](): MimeBundle {
    return { "text/html": this.#fragment(), "text/plain": this.toString() };
  }
}

/**
 * Two runs side by side: the settings in which they differ, and where their curves part.
 *
 * Curves part where their difference, step by step, leaves its level farther than chance takes it; the test is that of single signals.
 *
 * @throws {RangeError} if one of them cannot be read, or a twin is asked for
 */
export async function compareRuns(a: string, b: string, options: DoctorOptions = {}): Promise<Comparison> {
  if (options.twin !== undefined && options.twin !== false) {
    throw new RangeError(
      "Cannot compare two runs: a twin is of one run, so ask for each alone: doctor a/ --twin",
    );
  }
  const [first, second] = [await doctor(a, options), await doctor(b, options)];
  const { partings, common } = partingsOf(recordsOf(first), recordsOf(second));
  return new Comparison(first, second, settingsOf(first, second), partings, common);
}

const recordsOf = ({ parts }: DoctorReport): readonly MonitorRecord[] => parts.view.run?.records ?? [];

/** The paths of files and the like differ in every run and say nothing. */
const ofNoMatter =
  /(^|[._])(path|dir|files?|name|project|experiment|logger|output|run|seed|hub|token|url|host|port)([._]|$)/i;

function settingsOf({ parts: a }: DoctorReport, { parts: b }: DoctorReport): Comparison["settings"] {
  const [mine, theirs] = [a.view.config, b.view.config].map((config) => config?.lint.subject.parts.flags);
  if (mine === undefined || theirs === undefined) return undefined;
  const names = [...new Set([...Object.keys(mine), ...Object.keys(theirs)])].sort();
  const shown = (flags: Readonly<Record<string, unknown>>, name: string): string =>
    Object.hasOwn(flags, name) ? String(JSON.stringify(flags[name])).replace(/^"|"$/g, "") : "not given";
  return names
    .map((name) => ({ name, a: shown(mine, name), b: shown(theirs, name) }))
    .filter((one) => one.a !== one.b && !ofNoMatter.test(one.name));
}

const success: readonly LookedSignal[] = (["success/mean", "reward/mean"] as const).map((metric) => ({
  metric,
  title: metric === "success/mean" ? "success" : "reward",
  factor: 1,
  distance: 0.02,
}));

function partingsOf(
  a: readonly MonitorRecord[],
  b: readonly MonitorRecord[],
): { partings: Parting[]; common: number } {
  const other = new Map(b.map(({ update, metrics }) => [update, metrics]));
  const common = a.filter(({ update }) => other.has(update));
  const signals = [...success, ...lookedSignals];
  const differences = common.map(({ update, metrics }) => ({
    update,
    metrics: differenceOf(
      metrics,
      other.get(update)!,
      signals.map(({ metric }) => metric),
    ),
  }));
  const partings = eventsOf(
    differences,
    signals.map((one) => ({ ...one, factor: 1 })),
  ).map(({ metric, title, from, to }) => ({
    title,
    from,
    to,
    a: lastOf(common.map(({ metrics }) => metrics[metric])),
    b: lastOf(common.map(({ update }) => other.get(update)![metric])),
  }));
  // A curve that comes back parts twice.
  const once = partings.filter((one, i) => partings.findIndex(({ title }) => title === one.title) === i);
  return { partings: once, common: common.length };
}

function differenceOf(a: Readonly<Metrics>, b: Readonly<Metrics>, names: readonly MetricName[]): Metrics {
  const pairs = names.flatMap((name) =>
    a[name] === undefined || b[name] === undefined ? [] : [[name, a[name] - b[name]] as const],
  );
  return Object.fromEntries(pairs) as Metrics;
}

function lastOf(values: readonly (number | undefined)[]): number {
  const some = values.filter((value) => value !== undefined).slice(-10);
  return some.reduce((sum, value) => sum + value, 0) / some.length;
}
