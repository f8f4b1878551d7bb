import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseLine, toLine, type Json } from "./json";
import type { Shard, SweepPlan } from "./plan";

/** What one job gave, as a line of a results file holds it. */
export interface ResultRow {
  readonly key: string;
  readonly cell: Readonly<Record<string, Json>>;
  readonly seed: number;
  readonly value: Json;
  /** Time that the job took; the one part of a row that differs from run to run. */
  readonly seconds: number;
}

interface Header {
  readonly format: "turnwise-sweep";
  readonly version: 1;
  readonly plan: SweepPlan;
  readonly shard: Shard | null;
}

/** A results file as it is on disk. */
export interface SweepFile {
  readonly plan: SweepPlan;
  readonly shard: Shard | undefined;
  readonly rows: readonly ResultRow[];
}

const open = new Set<string>();

/**
 * Reads a results file; a last line that was cut off is left out.
 *
 * @throws RangeError for a file that is no results file
 */
export function readSweep(file: string): SweepFile {
  const lines = wholeLines(fs.readFileSync(file, "utf8"));
  const header = parseHeader(lines[0]);
  if (!header) {
    throw new RangeError(`Cannot read ${file} as its first line must describe a sweep: it does not`);
  }
  return {
    plan: header.plan,
    shard: header.shard ?? undefined,
    rows: lines.slice(1).map((line) => parseLine(line) as unknown as ResultRow),
  };
}

/** Results that are appended to a file, line by line; what the file holds already is not asked for again. */
export class ResultFile {
  readonly rows: readonly ResultRow[];
  readonly #fd: number;

  /**
   * Opens a new file, or one of the same plan to go on with it.
   *
   * @throws RangeError when it holds another plan or shard, or when a living process writes it
   */
  constructor(
    readonly file: string,
    plan: SweepPlan,
    shard: Shard | undefined,
  ) {
    this.file = path.resolve(file);
    fs.mkdirSync(path.dirname(this.file), { recursive: true });
    lock(this.file);
    try {
      this.#fd = fs.openSync(this.file, "a+");
      this.rows = this.#resume({ format: "turnwise-sweep", version: 1, plan, shard: shard ?? null });
    } catch (error) {
      unlock(this.file);
      throw error;
    }
  }

  append(line: string): void {
    fs.writeSync(this.#fd, line + "\n");
  }

  close(): void {
    fs.closeSync(this.#fd);
    unlock(this.file);
  }

  #resume(header: Header): readonly ResultRow[] {
    const text = fs.readFileSync(this.file, "utf8");
    const lines = wholeLines(text);
    // A process that was killed while it wrote leaves half a line.
    fs.ftruncateSync(this.#fd, Buffer.byteLength(text.slice(0, text.lastIndexOf("\n") + 1)));
    if (lines.length === 0) {
      this.append(toLine(header, "the plan"));
      return [];
    }
    const found = parseHeader(lines[0]);
    if (!found) {
      throw new RangeError(
        `Cannot write ${this.file} as it must be new or a sweep's own: it holds something else`,
      );
    }
    const differs = (["plan", "shard"] as const).filter(
      (part) => toLine(found[part], part) !== toLine(header[part], part),
    );
    if (differs.length > 0) {
      throw new RangeError(
        `Cannot go on with ${this.file} as it must hold the same ${differs.join(" and ")}: it holds another`,
      );
    }
    return readSweep(this.file).rows;
  }
}

function wholeLines(text: string): string[] {
  return text
    .slice(0, text.lastIndexOf("\n") + 1)
    .split("\n")
    .filter((line) => line !== "");
}

function parseHeader(line: string | undefined): Header | undefined {
  if (!line?.startsWith('{"format":"turnwise-sweep"')) return undefined;
  return parseLine(line) as unknown as Header;
}

function lock(file: string): void {
  const name = `${file}.lock`;
  if (open.has(file)) throw inUse(file, String(process.pid));
  const here = os.hostname();
  const own = `${process.pid}@${here}`;
  try {
    fs.writeFileSync(name, own, { flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    const [pid, host] = fs.readFileSync(name, "utf8").split("@") as [string, string | undefined];
    // On a shared disk: whether a process of another machine still runs cannot be seen from here.
    if (host !== undefined && host !== here) throw inUse(file, `${pid} of ${host}`);
    // A lock of this very process that it does not know of was left by a killed one with the same number.
    if (Number(pid) !== process.pid && isAlive(Number(pid))) throw inUse(file, pid);
    fs.writeFileSync(name, own);
  }
  open.add(file);
}

function unlock(file: string): void {
  open.delete(file);
  fs.rmSync(`${file}.lock`, { force: true });
}

function isAlive(pid: number): boolean {
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function inUse(file: string, pid: string): RangeError {
  return new RangeError(
    `Cannot write ${file} as one process at a time must write it: process ${pid} does ` +
      `(if it does not, delete ${path.basename(file)}.lock)`,
  );
}
