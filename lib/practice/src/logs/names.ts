import { glossary, type MetricName, type Metrics } from "turnwise/internal/base/glossary";
import { didYouMean } from "turnwise/internal/base/suggest";
import type { Framework, Read } from "./framework";
import { BAR } from "./progressBar";
import { isFiniteNumber, isObject, notFinite, type Row } from "./row";

/** Your own names, each with the metric that it stands for. */
export type OwnNames = Readonly<Record<string, MetricName>>;

const metricNames = Object.keys(glossary) as MetricName[];

/** @throws {RangeError} if a name stands for something that is no metric */
export function expectMetrics(map: OwnNames): void {
  for (const [name, metric] of Object.entries(map)) {
    if (Object.hasOwn(glossary, metric)) continue;
    throw new RangeError(
      `Cannot read a log: map must name metrics of the glossary, but "${name}" maps to "${String(metric)}".` +
        didYouMean(String(metric), metricNames),
    );
  }
}

/** Values of a line, with its inner metrics moved up one level, and those further in under their path, `actor/pg_loss`. */
export function valuesOf(row: Row, { nested }: Framework): Row {
  const inner = nested === null ? undefined : row[nested];
  if (!isObject(inner)) return flat(row);
  const { [nested!]: _, ...rest } = row;
  return flat({ ...rest, ...inner });
}

/** A row without objects in it: what they hold has the path to it as its name, as loggers unfold it (EasyR1's). */
function flat(row: Row): Row {
  if (!Object.values(row).some(isObject)) return row;
  return Object.fromEntries(
    Object.entries(row).flatMap(([name, value]): (readonly [string, unknown])[] =>
      isObject(value)
        ? Object.entries(flat(value)).map(([inner, one]) => [`${name}/${inner}`, one] as const)
        : [[name, value] as const],
    ),
  );
}

/** The metrics of a line; own names come first. */
export function metricsOf(values: Row, names: Framework, own: OwnNames = {}): Metrics {
  const read: Read = (name) =>
    ["", ...names.prefixes].map((prefix) => values[prefix + name]).find(isFiniteNumber);
  const mapped = Object.entries(own);
  const metrics: Metrics = {};
  for (const metric of metricNames) {
    const pattern = names.patterns[metric];
    const value =
      mapped
        .filter(([, to]) => to === metric)
        .map(([from]) => values[from])
        .find(isFiniteNumber) ??
      (names.metrics[metric] ?? (names.derived[metric] ? [] : [metric]))
        .map(read)
        .find((one) => one !== undefined) ??
      (pattern &&
        Object.keys(values)
          .flatMap((key) => (pattern.test(key) ? [values[key]] : []))
          .find(isFiniteNumber)) ??
      names.derived[metric]?.from(read);
    if (value !== undefined) metrics[metric] = value;
  }
  return metrics;
}

/** The parts of the reward that a line has, if it has several. */
export function partsOf(values: Row, { parts }: Framework): { parts?: Readonly<Record<string, number>> } {
  if (parts === undefined) return {};
  const found = Object.entries(values).flatMap(([name, value]) => {
    const part = parts.exec(name)?.groups?.part;
    return part !== undefined && isFiniteNumber(value) ? [[part, value] as const] : [];
  });
  return found.length < 2 ? {} : { parts: Object.fromEntries(found) };
}

/** The lengths of the shortest and the longest answer of a line, if it has both. */
export function lengthsOf(
  values: Row,
  { lengths, prefixes }: Framework,
): { lengths?: readonly [least: number, most: number] } {
  const [least, most] = (lengths ?? []).map((name) =>
    ["", ...prefixes].map((prefix) => values[prefix + name]).find(isFiniteNumber),
  );
  return least === undefined || most === undefined ? {} : { lengths: [least, most] };
}

/** The values of a line that are NaN or infinite, of the names that stand for a metric; undefined if all are finite. */
export function notFiniteOf(
  values: Row,
  isKnown: (name: string) => boolean,
): Readonly<Record<string, number>> | undefined {
  const found = Object.entries(values).flatMap(([name, value]) => {
    const number = notFinite(value);
    return number !== undefined && isKnown(name) ? [[name, number] as const] : [];
  });
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

/** The step that a line names, also as "17/124". */
export function stepOf(values: Row, { step }: Framework): number | undefined {
  return [...step, "_step", "Step", BAR].map((key) => numberOfStep(values[key])).find(isFiniteNumber);
}

const ofAll = /^(?<step>\d+)\s*\/\s*\d+$/;

function numberOfStep(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  const step = typeof value === "string" ? ofAll.exec(value)?.groups?.step : undefined;
  return step === undefined ? undefined : Number(step);
}

/** Counter that grows with the run if a line names no step. */
export const clockOf = (values: Row): number | undefined =>
  ["epoch", "train/epoch", "num_tokens"].map((key) => values[key]).find(isFiniteNumber);

/** Every name that a framework's metrics are read by, with the metric. */
export function knownNames(names: Framework): ReadonlyMap<string, MetricName> {
  const known = new Map<string, MetricName>();
  for (const metric of metricNames) {
    const sources = names.metrics[metric] ?? names.derived[metric]?.uses ?? [metric];
    for (const source of [...sources, ...(names.derived[metric]?.uses ?? [])]) {
      if (!known.has(source)) known.set(source, metric);
    }
  }
  return known;
}

/** Whether a framework reads a name, passes it over as no signal of training, or does not know it. */
export function standing(
  name: string,
  names: Framework,
  known: ReadonlyMap<string, MetricName> = knownNames(names),
): "known" | "aside" | "unknown" {
  const bare = bareName(name, names);
  if (known.has(name) || known.has(bare)) return "known";
  if (Object.values(names.patterns).some((pattern) => pattern.test(name))) return "known";
  // wandb's own are under _wandb.
  if (isStep(name, names) || name.startsWith("_wandb/")) return "aside";
  return names.aside.test(name) || names.aside.test(bare) ? "aside" : "unknown";
}

/** A name without what the framework's loggers put before it. */
export function bareName(name: string, { prefixes }: Framework): string {
  const prefix = prefixes.find((one) => name.startsWith(one));
  return prefix === undefined ? name : name.slice(prefix.length);
}

const isStep = (name: string, { step }: Framework): boolean =>
  step.includes(name) ||
  ["Step", "step", "_step", "_runtime", "_timestamp", "Wall time", "Relative Time (Process)"].includes(name);
