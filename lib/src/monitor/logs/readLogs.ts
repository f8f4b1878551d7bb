import { parseCsvLine } from "../../base/csv";
import { glossary, type MetricName, type Metrics } from "../../base/glossary";
import type { MonitorRecord } from "../signals";
import { namings, type Naming, type NamingName } from "./namings";

/** The text of a log, whole or in pieces that may end in the middle of a line, as from a file stream. */
export type LogText = string | Iterable<string> | AsyncIterable<string>;

/**
 * Reads records from a log with one JSON object per line, in the naming of a framework.
 *
 * Lines without a metric that the naming knows (of evaluation, say, or timing) are left out, and so are values that are not
 * finite. A record without a step gets its number in the log.
 *
 * @throws {TypeError} if a line is not a JSON object
 * @throws {RangeError} if the naming is unknown
 * @example
 * import { monitor, recordsFromJsonl } from "turnwise";
 * const log = '{"step": 1, "reward": 0.5, "entropy": 1.2}\n{"step": 2, "reward": 0.6, "entropy": 1.1}\n';
 * for await (const { record } of monitor(recordsFromJsonl(log, "trl"))) console.log(record.metrics["reward/mean"]);
 */
export async function* recordsFromJsonl(
  text: LogText,
  naming: NamingName = "turnwise",
): AsyncGenerator<MonitorRecord, void, undefined> {
  const names = namingOf(naming);
  let count = 0;
  let line = 0;
  for await (const content of linesOf(text)) {
    line += 1;
    if (content.trim() === "") continue;
    const record = toRecord(parseLine(content, line), names, count + 1);
    if (!record) continue;
    count += 1;
    yield record;
  }
}

/**
 * Reads records from a CSV table with a header, as dashboards export them, in the naming of a framework.
 *
 * Empty cells are missing values.
 *
 * @throws {TypeError} if a row does not have as many cells as the header
 * @throws {RangeError} if the naming is unknown
 * @example
 * import { recordsFromCsv } from "turnwise";
 * const log = "step,actor/entropy,actor/grad_norm\n1,1.2,0.3\n2,1.1,\n";
 * for await (const { update, metrics } of recordsFromCsv(log, "verl")) console.log(update, metrics["policy/gradNorm"]);
 */
export async function* recordsFromCsv(
  text: LogText,
  naming: NamingName = "turnwise",
): AsyncGenerator<MonitorRecord, void, undefined> {
  const names = namingOf(naming);
  let header: readonly string[] | undefined;
  let count = 0;
  let line = 0;
  for await (const content of linesOf(text)) {
    line += 1;
    if (content.trim() === "") continue;
    const cells = parseCsvLine(content);
    if (!header) {
      header = cells;
      continue;
    }
    if (cells.length !== header.length) {
      throw new TypeError(
        `Cannot read a log as each row must have ${header.length} cells: line ${line} has ${cells.length}`,
      );
    }
    const entries = header.map(
      (name, i) => [name, cells[i]!.trim() === "" ? null : Number(cells[i])] as const,
    );
    const record = toRecord(Object.fromEntries(entries), names, count + 1);
    if (!record) continue;
    count += 1;
    yield record;
  }
}

function namingOf(name: NamingName): Naming {
  if (Object.hasOwn(namings, name)) return namings[name];
  throw new RangeError(
    `Cannot read a log as its naming must be one of ${Object.keys(namings).join(", ")}: current value is "${String(name)}"`,
  );
}

function toRecord(
  line: Readonly<Record<string, unknown>>,
  naming: Naming,
  next: number,
): MonitorRecord | undefined {
  const inner = naming.nested === null ? undefined : line[naming.nested];
  const values = isObject(inner) ? { ...line, ...inner } : line;
  const metrics: Metrics = {};
  for (const name of Object.keys(glossary) as MetricName[]) {
    const sources = naming.metrics[name] ?? [name];
    const pattern = naming.patterns[name];
    const matched = pattern ? Object.keys(values).filter((key) => pattern.test(key)) : [];
    const value = [...sources, ...matched].map((key) => values[key]).find(isFiniteNumber);
    if (value !== undefined) metrics[name] = value;
  }
  if (Object.keys(metrics).length === 0) return undefined;
  const update = naming.step.map((key) => values[key]).find(isFiniteNumber) ?? next;
  return { update, metrics };
}

function parseLine(content: string, line: number): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    // Python writes NaN and Infinity, which are not JSON: they become missing values.
    value = JSON.parse(content.replace(/(?<=[:,[]\s*)-?(?:NaN|Infinity)(?=\s*[,}\]])/g, "null"));
  } catch {
    value = undefined;
  }
  if (isObject(value)) return value;
  throw new TypeError(
    `Cannot read a log as each line must be a JSON object: line ${line} is ${JSON.stringify(content.slice(0, 80))}`,
  );
}

async function* linesOf(text: LogText): AsyncGenerator<string, void, undefined> {
  let rest = "";
  for await (const piece of typeof text === "string" ? [text] : text) {
    const lines = (rest + piece).split(/\r?\n/);
    rest = lines.pop()!;
    yield* lines;
  }
  if (rest !== "") yield rest;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isFiniteNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}
