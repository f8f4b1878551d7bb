import { withCurrentMetrics } from "../../base/deprecatedMetrics";
import { bytesOf } from "../../base/host/files/store";
import { files } from "#files";
import { path as paths } from "#path";
import type { TrainRecord } from "../records";

/** The records' name in a folder of `trainInFolder`. */
export const RECORDS = "records.jsonl";

/** The lines of a file of records, without a last one that was cut off. */
class RecordLines {
  constructor(
    private readonly file: string,
    readonly records: readonly TrainRecord[],
    /** For each record the number of its line, and of bytes up to its end. */
    private readonly places: readonly { readonly line: number; readonly end: number }[],
  ) {}

  /** Number of bytes of the first records. */
  endOf(count: number): number {
    return count === 0 ? 0 : this.places[count - 1]!.end;
  }

  /** @throws {RangeError} unless the records go from the one after `from` to `to`, and on, one by one */
  expectComplete(from: number, to: number): void {
    const { file, records } = this;
    const hint =
      "Put them back, or start over: { again: true } as third argument of trainInFolder keeps the old files in a folder next to it.";
    const wrong = records.findIndex(({ update }, i) => update !== from + 1 + i);
    if (wrong >= 0) {
      throw new RangeError(
        `Cannot go on from ${file}: line ${this.places[wrong]!.line} must be update ${from + 1 + wrong}, got ` +
          `update ${records[wrong]!.update}. Records are missing or of two runs. ${hint}`,
      );
    }
    const last = from + records.length;
    if (last >= to) return;
    const has = records.length === 0 ? "no records" : `updates ${from + 1} to ${last}`;
    throw new RangeError(
      `Cannot go on from ${file}: the checkpoint next to it is of update ${to}, but the file holds ${has}: ` +
        `${to - last} are missing. ${hint}`,
    );
  }
}

/** @throws {RangeError} if a line is no record; the message tells file and line */
export async function readRecordLines(folder: string): Promise<RecordLines> {
  const file = paths.join(folder, RECORDS);
  let bytes: Uint8Array;
  try {
    bytes = await files.promises.readFile(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return new RecordLines(file, [], []);
    throw new RangeError(`Cannot read the records ${file}: ${(error as Error).message}`, { cause: error });
  }
  const decoder = new TextDecoder();
  const records: TrainRecord[] = [];
  const places: { line: number; end: number }[] = [];
  for (let at = 0, line = 1, end: number; (end = bytes.indexOf(10, at)) >= 0; at = end + 1, line++) {
    const text = decoder.decode(bytes.subarray(at, end));
    if (text.trim() === "") continue;
    records.push(parsed(file, line, text));
    places.push({ line, end: end + 1 });
  }
  return new RecordLines(file, records, places);
}

function parsed(file: string, line: number, text: string): TrainRecord {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  const { update, metrics } = (value ?? {}) as Partial<TrainRecord>;
  if (Number.isInteger(update) && typeof metrics === "object") {
    return { ...(value as TrainRecord), metrics: withCurrentMetrics(metrics) };
  }
  throw new RangeError(
    `Cannot read ${file}: line ${line} is no record, it begins with ${JSON.stringify(text.slice(0, 40))}. ` +
      "Put back a copy of the file. If the checkpoint is of an earlier update, delete this line and those after it: they are made again.",
  );
}

/** Appends records to a file, of which the first bytes stay. */
export class RecordWriter {
  readonly #fd: number;
  #size: number;

  constructor(
    private readonly file: string,
    size: number,
  ) {
    this.#fd = files.openSync(file, "a+");
    // In place: records beyond the checkpoint go, which are made again bit for bit.
    files.ftruncateSync(this.#fd, size);
    this.#size = size;
  }

  /** @throws {RangeError} if the record cannot be written whole; nothing of it is left then */
  append(record: TrainRecord): void {
    const bytes = bytesOf(`${JSON.stringify(record)}\n`);
    try {
      for (let at = 0; at < bytes.length;) at += files.writeSync(this.#fd, bytes, at);
    } catch (error) {
      // In place: only half of the record that could not be written goes.
      files.ftruncateSync(this.#fd, this.#size);
      throw new RangeError(
        `Cannot write ${this.file}: ${(error as Error).message}. The records before are there; the same call goes on after them.`,
        { cause: error },
      );
    }
    this.#size += bytes.length;
  }

  sync(): void {
    files.fsyncSync(this.#fd);
  }

  close(): void {
    files.closeSync(this.#fd);
  }
}
