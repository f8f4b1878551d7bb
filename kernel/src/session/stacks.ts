import { originalPosition, type PositionMap } from "../types/transform/edits.js";

/** A cell's text, and where its generated code came from. */
export interface CellSource {
  source: string;
  map: PositionMap;
}

const longestFrame = 5_000;

type Prepare = (error: object, sites: NodeJS.CallSite[]) => unknown;

/** Services of the host that stacks need. */
export interface StackHost {
  /** A frame of the kernel itself, which is shown to nobody. */
  isKernel(frame: string): boolean;
  /** A frame as V8's REPL mode would write it. */
  plain(frame: string): string;
  /** The path of a local module that is named by an address. */
  pathOf(url: string): string;
  /** The text of a file; undefined if it is not there. */
  textOf(path: string): string | undefined;
}

/** Stacks whose lines point into cells and local files as they were written, without the frames of the kernel. */
export class Stacks {
  /** Errors with a stack that already has this form. */
  private readonly done = new WeakSet();
  /** Files that could not be run as they are written. */
  private readonly broken = new Set<string>();

  constructor(
    private readonly cells: ReadonlyMap<string, CellSource>,
    /** Source map of a local file's JavaScript, by its path or address. */
    private readonly fileMap: (place: string) => PositionMap | undefined,
    private readonly host: StackHost,
  ) {}

  /** Gives every error of the session such a stack, wherever it is caught, logged or shown. */
  install(): void {
    const prepare: Prepare = (error, sites) => {
      const head = headOf(error);
      try {
        this.done.add(error);
        return [head, ...this.rewrite(sites.map((site) => `    at ${String(site)}`))].join("\n");
      } catch {
        return head;
      }
    };
    Error.prepareStackTrace = prepare;
  }

  /** The frames of an error. */
  of(error: Error): string[] {
    const stack = stackOf(error);
    // A longer line is no frame, but a part of a message that looks like one.
    const lines = stack.split("\n").filter((line) => line.length < longestFrame && /^\s+at /.test(line));
    return this.done.has(error) ? lines : this.rewrite(lines);
  }

  /** An error that names its place itself, in a file that could not be run. */
  at(error: Error, path: string, line: number, column: number): Error {
    this.done.add(error);
    this.broken.add(path);
    error.stack = `${headOf(error)}\n    at ${path}:${line}:${column}`;
    return error;
  }

  /** An error that Node has made without any frame, as a failed read of a file may be, is shown where it was awaited. */
  awaited(error: unknown, site: string): void {
    try {
      if (!(error instanceof Error) || typeof error.stack !== "string" || /^[^\S\n]+at /m.test(error.stack))
        return;
      this.done.add(error);
      error.stack += `\n    at async ${site}`;
    } catch {
      // It is frozen, or does not let itself be looked at: then it stays without.
    }
  }

  /** The text of a file that could not be run. */
  textOf(path: string): string | undefined {
    return this.broken.has(path) ? this.host.textOf(path) : undefined;
  }

  /** The script of a frame, if it is a cell. */
  cellOf(frame: string): string | undefined {
    const script = /(?:^|[\s(])([\w.-]+\.tsx?):\d+:\d+\)?$/.exec(frame)?.[1];
    return script !== undefined && this.cells.has(script) ? script : undefined;
  }

  private rewrite(frames: readonly string[]): string[] {
    const lines: string[] = [];
    for (const raw of frames) {
      const line = this.host.plain(raw);
      if (this.host.isKernel(line) || /node:(inspector|internal)|\(<anonymous>\)$/.test(line)) continue;
      if (/at (async )?(Promise\.all|new Promise)/.test(line) && !line.includes("cell_")) continue;
      const mapped = this.mapLine(line);
      if (mapped !== undefined) lines.push(mapped);
    }
    // Below the cell itself there is only the machinery that runs it.
    const cellAt = lines.findLastIndex((line) => this.cellOf(line) !== undefined);
    return lines.filter((line, i) => cellAt < 0 || i <= cellAt || !line.includes("(node:"));
  }

  private mapLine(line: string): string | undefined {
    const local = /(file:[^?#]*\?turnwise=\d+):(\d+):(\d+)/.exec(line);
    if (local) {
      const [place, url] = local as unknown as [string, string];
      const map = this.fileMap(url);
      const at = map && originalPosition(map, Number(local[2]) - 1, Number(local[3]) - 1);
      // The lines that are put around a module.
      if (map && !at) return undefined;
      const [row, column] = at ? [at[0] + 1, at[1] + 1] : [local[2], local[3]];
      return line.replace(place, () => `${this.host.pathOf(url)}:${row}:${column}`);
    }
    const match = /((?:(?:\/|[A-Za-z]:[\\/])[^()]*[\\/])?)([\w.-]+\.[cm]?tsx?):(\d+):(\d+)/.exec(line);
    if (!match) return line;
    const [place, folder, name] = match as unknown as [string, string, string];
    const map = folder === "" ? this.cells.get(name)?.map : this.fileMap(folder + name);
    if (!map) return line;
    const at = originalPosition(map, Number(match[3]) - 1, Number(match[4]) - 1);
    if (!at) return folder === "" ? undefined : line;
    return line.replace(place, () => `${folder}${name}:${at[0] + 1}:${at[1] + 1}`);
  }
}

/** Reading a stack is what writes it; a cell may have put a getter there. */
function stackOf(error: Error): string {
  try {
    return typeof error.stack === "string" ? error.stack : "";
  } catch {
    return "";
  }
}

function headOf(error: object): string {
  try {
    return Error.prototype.toString.call(error);
  } catch {
    return "Error";
  }
}
