import { files as fs } from "#files";
import { path } from "#path";
import { lock, unlock } from "../base/host/files/lock";
import { replaceFile } from "../base/host/files/replaceFile";
import { bytesOf } from "../base/host/files/store";
import { currentRow } from "./deprecatedNames";
import { toLine } from "./json";
import { isTraining, type Shard, type SweepPlan } from "./plan";
import {
  differences,
  HEADER_START,
  headerLine,
  isHeader,
  parseHeader,
  parseRow,
  type Header,
  type ResultRow,
} from "./resultLines";

/** A results file as it is on disk. */
export interface SweepFile {
  readonly plan: SweepPlan;
  readonly shard: Shard | undefined;
  readonly rows: readonly ResultRow[];
}

/**
 * Reads a results file; a last line that was cut off is left out.
 *
 * @throws {RangeError} if it is not a results file, or one of its lines is not a result
 * @example
 * import { readSweep, sweep } from "turnwise";
 * await sweep({ recipe: "grpo", env: "LookUp-v0", updates: 5, seeds: 2, file: "grpo.jsonl" });
 * readSweep("grpo.jsonl").rows.length; // => 2
 */
export function readSweep(file: string): SweepFile {
  const { header, rows } = parsed(file, wholeLines(fs.readFileSync(file, "utf8")));
  return { plan: header.plan, shard: header.shard ?? undefined, rows };
}

/** A file to which results are appended line by line; jobs whose results it already holds do not run again. */
export class ResultFile {
  readonly rows: readonly ResultRow[];
  readonly #fd: number;
  /** Number of bytes up to the end of the last whole line. */
  #size = 0;

  /**
   * Opens a new file, or one of the same plan to go on with it.
   *
   * @throws {RangeError} if it holds another plan or shard or anything else, or if a living process writes it
   */
  constructor(
    readonly file: string,
    plan: SweepPlan,
    shard: Shard | undefined,
  ) {
    this.file = path.resolve(file);
    fs.mkdirSync(path.dirname(this.file), { recursive: true });
    lock(this.file);
    let fd: number | undefined;
    try {
      this.#fd = fd = fs.openSync(this.file, "a+");
      this.rows = this.#resume({ plan, shard: shard ?? null });
    } catch (error) {
      if (fd !== undefined) fs.closeSync(fd);
      unlock(this.file);
      throw error;
    }
  }

  /** @throws {RangeError} if the line cannot be written whole; nothing of it is left then */
  append(line: string): void {
    const bytes = bytesOf(line + "\n");
    try {
      for (let at = 0; at < bytes.length;) at += fs.writeSync(this.#fd, bytes, at);
    } catch (error) {
      // In place: only half of the line that could not be written goes.
      fs.ftruncateSync(this.#fd, this.#size);
      throw new RangeError(`Cannot keep a result: ${this.file} must take it: ${(error as Error).message}`, {
        cause: error,
      });
    }
    this.#size += bytes.length;
  }

  close(): void {
    fs.closeSync(this.#fd);
    unlock(this.file);
  }

  #resume(header: Header): readonly ResultRow[] {
    const text = fs.readFileSync(this.file, "utf8");
    // Nothing is cut off before it is clear that the file is a sweep's own.
    const found = ownLines(this.file, text);
    if (found) checkSame(this.file, found.header, header);
    // A process that was killed while it wrote leaves half a line.
    this.#size = bytesOf(text.slice(0, text.lastIndexOf("\n") + 1)).length;
    // In place: half of a line goes, whose job runs again.
    fs.ftruncateSync(this.#fd, this.#size);
    if (!found) this.append(headerLine(header));
    return found?.rows ?? [];
  }
}

/**
 * Writes the results of a whole sweep at once, in place of what the file held.
 *
 * @throws {RangeError} if it holds anything but results of the plan, or if a living process writes it
 */
export function writeSweep(file: string, plan: SweepPlan, rows: readonly ResultRow[]): void {
  const target = path.resolve(file);
  lock(target);
  try {
    const found = fs.existsSync(target) ? ownLines(target, fs.readFileSync(target, "utf8")) : undefined;
    if (found) checkSame(target, found.header, { plan, shard: found.header.shard });
    const lines = [headerLine({ plan, shard: null }), ...rows.map((row) => toLine(row, row.key))];
    replaceFile(target, lines.join("\n") + "\n");
  } finally {
    unlock(target);
  }
}

interface Parsed {
  readonly header: Header;
  readonly rows: readonly ResultRow[];
}

/** Contents of a file that is about to be written; undefined if there is nothing to keep. */
function ownLines(file: string, text: string): Parsed | undefined {
  const lines = wholeLines(text);
  // Half of a first line is what a killed process leaves.
  if (
    lines.length === 0 ? HEADER_START.startsWith(text) || text.startsWith(HEADER_START) : isHeader(lines[0]!)
  ) {
    return lines.length === 0 ? undefined : parsed(file, lines);
  }
  throw new RangeError(`Cannot write ${file}: it must be new or a sweep's own, but it holds something else.`);
}

function parsed(file: string, lines: readonly string[]): Parsed {
  const header = parseHeader(file, lines[0]);
  const rows = lines.flatMap((line, i) => (i === 0 || line === "" ? [] : parseRow(file, line, i + 1)));
  return { header, rows: isTraining(header.plan.task) ? rows.map(currentRow) : rows };
}

function checkSame(file: string, found: Header, wanted: Header): void {
  const differing = differences(found, wanted);
  if (differing.length === 0) return;
  throw new RangeError(
    `Cannot go on with ${file}: it must hold the same plan and shard, but it has another ${differing.join(", ")}.`,
  );
}

function wholeLines(text: string): string[] {
  const lines = text.slice(0, text.lastIndexOf("\n") + 1).split("\n");
  return lines.slice(0, -1);
}
