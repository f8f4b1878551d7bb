import { files, path } from "turnwise/internal/base/host/index";
import { expectKnown, expectWhole } from "turnwise/internal/base/expect";
import { didYouMean } from "turnwise/internal/base/suggest";
import { jsonlReader, parseLenient } from "../logs/containers/jsonl";
import { isObject, type Row } from "../logs/row";
import { readFormats, type ReadFormatName } from "./formats";
import type { ReadFormat } from "./formats/contract";
import { arrayRecords, beginsArray } from "./arrayRecords";
import { partOf, piecesOf } from "../logs/pieces";
import type { StoredTrajectory } from "./trace";

/** Options of reading trajectories. */
export interface TrajectoryOptions {
  /** In what form they are stored. Default: the first that fits a record. */
  readonly format?: ReadFormatName;
  /**
   * Number of consecutive trajectories that began with the same task, as verl and TRL store them. Default: those are a
   * group that the record says, or that have the same prompt, which puts tasks together that differ in what is not in
   * the prompt.
   */
  readonly groupSize?: number;
}

/**
 * Reads trajectories that another trainer stored, one after the other: verl's rollout dumps, TRL's completions (Parquet), episodes of
 * verifiers and prime-rl, of rLLM, Atropos' scored data, chats with tool calls and log-probs, and records of token ids with masks and
 * log-probs.
 *
 * A file is read in pieces, so that one that is larger than the memory streams.
 *
 * @param source path of a file, or of a folder of rLLM's episodes, its text, or its records
 * @throws {RangeError} if the file is not there or a record has none of the forms
 * @throws {TypeError} if a part of a record has another form than its format says
 * @example
 * import { readTrajectories } from "turnwise-practice";
 * const chat = { messages: [{ role: "user", content: "2 + 2?" }, { role: "assistant", content: "4" }], reward: 1 };
 * for await (const { reward, turns } of readTrajectories(JSON.stringify(chat))) console.log(reward, turns.length);
 */
export async function* readTrajectories(
  source: string | Iterable<Row> | AsyncIterable<Row>,
  options: TrajectoryOptions = {},
): AsyncGenerator<StoredTrajectory, void, undefined> {
  expectKnown("readTrajectories", options, ["format", "groupSize"]);
  const { format, groupSize } = options;
  if (groupSize !== undefined) expectWhole("read trajectories", "groupSize", groupSize, 1);
  if (format !== undefined && !Object.hasOwn(readFormats, format)) {
    throw new RangeError(
      `Cannot read trajectories: format must be one of ${Object.keys(readFormats).join(", ")}, got ` +
        `"${String(format)}".${didYouMean(String(format), Object.keys(readFormats))}`,
    );
  }
  let number = 0;
  let count = 0;
  for await (const record of typeof source === "string" ? recordsOf(source) : source) {
    const form = format === undefined ? formOf(record, number) : readFormats[format];
    for (const one of form.read(record, number)) {
      yield groupSize === undefined ? one : { ...one, group: String(Math.floor(count / groupSize)) };
      count += 1;
    }
    number += 1;
  }
}

/** Title of the form in which a file stores its trajectories, by its first record; an empty file has none. */
export async function formatTitleOf(file: string, { format }: TrajectoryOptions): Promise<string> {
  if (format !== undefined) return readFormats[format].title;
  for await (const record of recordsOf(file)) return formOf(record, 0).title;
  return "rollouts";
}

function formOf(record: Row, number: number): ReadFormat {
  const found = Object.values(readFormats).find(({ is }) => is(record));
  if (found) return found;
  throw new RangeError(
    `Cannot read trajectories: a record must have the form of ${Object.values(readFormats)
      .map(({ title }) => title)
      .join(", or ")}, but record ${number} has ${Object.keys(record).join(", ")}.`,
  );
}

function recordsOf(source: string): Iterable<Row> | AsyncIterable<Row> {
  if (source.includes("\n") || /^\s*\{/.test(source)) return jsonl([new TextEncoder().encode(source)]);
  if (!files.existsSync(source)) {
    throw new RangeError(`Cannot read trajectories: no such file: ${source}`);
  }
  if (files.statSync(source, { throwIfNoEntry: false })!.isDirectory()) return episodesIn(source);
  if (source.endsWith(".parquet")) return parquet(source);
  if (isArray(source)) return arrayRecords(piecesOf(source));
  const alone = printedRecord(source);
  return alone === undefined ? jsonl(piecesOf(source)) : [alone];
}

/** Whether a file is one of those in which rLLM keeps an episode each. */
export const isEpisode = (file: string): boolean => /^episode_.*\.json$/.test(path.basename(file));

/** The episodes of a folder, each in a file of its own. */
function* episodesIn(folder: string): Generator<Row, void, undefined> {
  for (const name of [...files.readdirSync(folder)].filter(isEpisode).sort()) {
    const record = objectIn(path.join(folder, name));
    if (record === undefined)
      throw new RangeError(
        `Cannot read trajectories: ${path.join(folder, name)} must hold one object of JSON.`,
      );
    yield record;
  }
}

/** A larger file is no single record. */
const LARGEST_RECORD = 1 << 26;

/** The object of JSON that a file is; undefined of any other file. */
function objectIn(file: string): Row | undefined {
  if (files.statSync(file, { throwIfNoEntry: false })!.size > LARGEST_RECORD) return undefined;
  try {
    const value = parseLenient(files.readFileSync(file, "utf8"));
    return isObject(value) ? value : undefined;
  } catch {
    // Several records, or none.
    return undefined;
  }
}

/** The record of a file that is one object of JSON over several lines; undefined of any other file. */
function printedRecord(file: string): Row | undefined {
  const [first] = piecesOf(file);
  const begins = new TextDecoder().decode(first?.subarray(0, 200));
  return /^\s*\{\s*\n/.test(begins) ? objectIn(file) : undefined;
}

/** Whether a file is one list of JSON. */
function isArray(file: string): boolean {
  const [first] = piecesOf(file);
  return first !== undefined && beginsArray(first);
}

/** The first record of a file of text, if that is JSON; undefined of any other file. */
export function firstRecord(file: string): Row | undefined {
  if (files.statSync(file, { throwIfNoEntry: false })?.isDirectory() === true) {
    const [name] = [...files.readdirSync(file)].filter(isEpisode).sort();
    return name === undefined ? undefined : objectIn(path.join(file, name));
  }
  const [first] = piecesOf(file);
  if (first === undefined) return undefined;
  try {
    if (!beginsArray(first)) return printedRecord(file) ?? jsonlReader().push(first)[0];
    for (const record of arrayRecords(piecesOf(file))) return record;
  } catch {
    // Whatever it is, it holds no records.
  }
  return undefined;
}

function* jsonl(pieces: Iterable<Uint8Array>): Generator<Row, void, undefined> {
  const reader = jsonlReader();
  for (const piece of pieces) yield* reader.push(piece);
  yield* reader.end();
}

/** The rows of a Parquet file, a row group at a time. */
async function* parquet(file: string): AsyncGenerator<Row, void, undefined> {
  const { parquetMetadataAsync, parquetReadObjects } = await import("hyparquet");
  const fd = files.openSync(file, "r");
  const byteLength = files.statSync(file, { throwIfNoEntry: false })!.size;
  const slice = (start: number, end = byteLength): ArrayBuffer =>
    partOf(fd, start < 0 ? byteLength + start : start, end).buffer as ArrayBuffer;
  try {
    const metadata = await parquetMetadataAsync({ byteLength, slice });
    let rowStart = 0;
    for (const { num_rows } of metadata.row_groups) {
      const rowEnd = rowStart + Number(num_rows);
      const rows = await parquetReadObjects({ file: { byteLength, slice }, metadata, rowStart, rowEnd });
      yield* rows.map(withNumbers);
      rowStart = rowEnd;
    }
  } finally {
    files.closeSync(fd);
  }
}

/** 64-bit integers, which TRL's steps are, as numbers: JSON has no other, and a reward in whole numbers is one. */
function withNumbers(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === "bigint" && Number.isSafeInteger(Number(value)) ? Number(value) : value,
    ]),
  );
}
