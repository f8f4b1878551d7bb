import { files } from "#files";
import { formatCsv, parseCsv } from "../base/csv";
import { currentMetric, withCurrentMetrics } from "../base/deprecatedMetrics";
import { extensionOf } from "../base/extension";
import type { TrainRecord } from "../train";
import { saveFile } from "../train/files/saveFile";
import { readRecords as recordsOfFolder } from "../train/files/trainInFolder";
import { flatRecords, type FlatRecord } from "./flatRecords";
import { parseLine, toLine } from "./json";
import type { Runs } from "./runsOf";

const endings = ["csv", "jsonl", "parquet"] as const;
const action = "save records";

/** The columns of a file of records that are no metric. */
const own = ["series", "seed", "update", "samples", "optimizerSteps", "seconds", "compute"] as const;
const texts: readonly string[] = ["series", "compute"];

/** A record of a file: it names its series and its seed where the file holds several. */
export interface SavedRecord extends TrainRecord {
  readonly series?: string;
  readonly seed?: number;
}

/**
 * Writes records to a file, and gives its path: `.csv` and `.parquet` have a row for each record and a column for each
 * number and metric, `.jsonl` has a record on each line.
 *
 * Takes records, a list of runs, what `trainSeeds` and `sweep` give, or several of these by name; then columns tell the series
 * and the seed. `readRecords` gives the same numbers back, bit by bit, and charts take what it gives.
 *
 * @throws {RangeError} if the path has another ending, its folder does not exist, or there is no record
 * @throws {TypeError} if the value holds no runs
 * @example
 * import { readRecords, saveRecords, trainSeeds } from "turnwise";
 * const setting = { env: "LookUp-v0", updates: 5 };
 * const grpo = await trainSeeds({ ...setting, recipe: "grpo" }, 3);
 * const rloo = await trainSeeds({ ...setting, recipe: "rloo" }, 3);
 * await saveRecords("both.csv", { grpo, rloo }); // => "both.csv"
 * (await readRecords("both.csv")).length; // => 30
 */
export async function saveRecords(path: string, runs: Runs): Promise<string> {
  const ending = extensionOf(path, endings, action);
  const rows = flatRecords(runs, action);
  if (rows.length === 0) throw new RangeError(`Cannot ${action}: there must be at least one, got none.`);
  const columns = columnsOf(rows);
  switch (ending) {
    case "csv":
      return saveFile(path, formatCsv(columns, rows.map(written)), action);
    case "jsonl":
      return saveFile(path, rows.map((row) => `${toLine(record(row), "a record")}\n`).join(""), action);
    case "parquet":
      return saveFile(path, await parquetOf(columns, rows), action);
  }
}

/**
 * All records of a folder of `trainInFolder`, oldest first, or of a file that `saveRecords` has written.
 *
 * A last line of a folder that was cut off is left out; a folder that is not there has no records.
 *
 * @throws {RangeError} if a file is not there or holds no records
 * @example
 * import { readRecords } from "turnwise";
 * await readRecords("runs/nowhere"); // => []
 */
export async function readRecords(path: string): Promise<SavedRecord[]> {
  const ending = endings.find((one) => path.toLowerCase().endsWith(`.${one}`));
  if (ending === undefined) return recordsOfFolder(path);
  const bytes = await files.promises.readFile(path).catch((error: unknown) => {
    throw new RangeError(`Cannot read ${path}: it must be a file of records: ${(error as Error).message}`, {
      cause: error,
    });
  });
  const records =
    ending === "parquet"
      ? await fromParquet(path, bytes)
      : fromText(path, ending, new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes));
  for (const [i, { update }] of records.entries()) {
    if (typeof update === "number" && !Number.isNaN(update)) continue;
    throw new RangeError(
      `Cannot read ${path}: each record must have an update, but record ${i + 1} has none.`,
    );
  }
  return records;
}

/** The columns in the order of their kinds, metrics last as they come. */
function columnsOf(rows: readonly FlatRecord[]): string[] {
  const found = new Set(rows.flatMap((row) => Object.keys(row)));
  const metrics = [...found].filter((name) => !(own as readonly string[]).includes(name));
  return [...own.filter((name) => found.has(name)), ...metrics];
}

/** Numbers as text that gives the same number back; -0 has its sign only by name. */
function written(row: FlatRecord): Record<string, string | number> {
  return Object.fromEntries(Object.entries(row).map(([name, x]) => [name, Object.is(x, -0) ? "-0" : x]));
}

function fromText(path: string, ending: "csv" | "jsonl", text: string): SavedRecord[] {
  if (ending === "csv") {
    return parseCsv(path, text).map((row) => {
      const cells = Object.entries(row).filter(([, cell]) => cell !== "");
      return record(
        Object.fromEntries(cells.map(([name, cell]) => [name, texts.includes(name) ? cell : Number(cell)])),
      );
    });
  }
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line, i) => {
      try {
        const found = parseLine(line) as unknown as SavedRecord;
        return { ...found, metrics: withCurrentMetrics(found.metrics) };
      } catch (error) {
        throw new RangeError(`Cannot read ${path}: every line must be a record, but line ${i + 1} is not.`, {
          cause: error,
        });
      }
    });
}

/** A flat row as a record: what is no column of its own is a metric. */
function record(row: Readonly<Record<string, unknown>>): SavedRecord {
  const has = (name: string): boolean => (own as readonly string[]).includes(name);
  const cells = Object.entries(row);
  return {
    ...Object.fromEntries(cells.filter(([name]) => has(name))),
    metrics: Object.fromEntries(
      cells.flatMap(([name, cell]) => (has(name) ? [] : [[currentMetric(name), cell]])),
    ),
  } as unknown as SavedRecord;
}

/** Loaded on first use: few programs write Parquet. */
async function parquetOf(columns: readonly string[], rows: readonly FlatRecord[]): Promise<Uint8Array> {
  const { parquetWriteBuffer } = await import("hyparquet-writer");
  const columnData = columns.map((name) => ({
    name,
    data: rows.map((row) => row[name] ?? null),
    type: texts.includes(name) ? ("STRING" as const) : ("DOUBLE" as const),
    nullable: true,
  }));
  return new Uint8Array(parquetWriteBuffer({ columnData }));
}

async function fromParquet(path: string, bytes: Uint8Array): Promise<SavedRecord[]> {
  const { parquetReadObjects } = await import("hyparquet");
  const file = Uint8Array.from(bytes).buffer;
  const rows = await parquetReadObjects({ file }).catch((error: unknown) => {
    throw new RangeError(`Cannot read ${path}: it must be a Parquet file: ${(error as Error).message}`, {
      cause: error,
    });
  });
  return rows.map((row) =>
    record(Object.fromEntries(Object.entries(row).filter(([, cell]) => cell !== null))),
  );
}
