import { parseCsvLine } from "turnwise/internal/base/csv";
import type { MonitorRecord } from "turnwise/internal/monitor/signals";
import { rowOf } from "./containers/csv";
import { parseJsonLine } from "./containers/jsonl";
import { Lines } from "./containers/lines";
import type { Framework } from "./framework";
import { frameworkOf, type NamingName } from "./frameworks";
import { metricsOf, notFiniteOf, standing, stepOf, valuesOf } from "./names";
import type { Row } from "./row";

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
 * import { monitor } from "turnwise";
import { recordsFromJsonl } from "turnwise-practice";
 * const log = '{"step": 1, "reward": 0.5, "entropy": 1.2}\n{"step": 2, "reward": 0.6, "entropy": 1.1}\n';
 * for await (const { record } of monitor(recordsFromJsonl(log, "trl"))) console.log(record.metrics["reward/mean"]);
 */
export async function* recordsFromJsonl(
  text: LogText,
  naming: NamingName = "turnwise",
): AsyncGenerator<MonitorRecord, void, undefined> {
  const names = frameworkOf(naming);
  let count = 0;
  let line = 0;
  for await (const content of linesOf(text)) {
    line += 1;
    if (content.trim() === "") continue;
    const record = toRecord(parseJsonLine(content, line), names, count + 1);
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
 * import { recordsFromCsv } from "turnwise-practice";
 * const log = "step,actor/entropy,actor/grad_norm\n1,1.2,0.3\n2,1.1,\n";
 * for await (const { update, metrics } of recordsFromCsv(log, "verl")) console.log(update, metrics["policy/gradNorm"]);
 */
export async function* recordsFromCsv(
  text: LogText,
  naming: NamingName = "turnwise",
): AsyncGenerator<MonitorRecord, void, undefined> {
  const names = frameworkOf(naming);
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
    const record = toRecord(rowOf(header, cells, line), names, count + 1);
    if (!record) continue;
    count += 1;
    yield record;
  }
}

function toRecord(row: Row, names: Framework, next: number): MonitorRecord | undefined {
  const values = valuesOf(row, names);
  const metrics = metricsOf(values, names);
  const notFinite = notFiniteOf(values, (name) => standing(name, names) === "known");
  if (Object.keys(metrics).length === 0 && notFinite === undefined) return undefined;
  return { update: stepOf(values, names) ?? next, metrics, ...(notFinite !== undefined && { notFinite }) };
}

async function* linesOf(text: LogText): AsyncGenerator<string, void, undefined> {
  const lines = new Lines();
  for await (const piece of typeof text === "string" ? [text] : text) yield* lines.push(piece);
  yield* lines.end();
}
