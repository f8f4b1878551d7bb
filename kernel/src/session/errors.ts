import { withAdvice } from "./error-advice.js";
import { boundedText } from "../display/bounded.js";
import { bold, codeFrame, dim, red } from "../display/code-frame.js";
import type { ErrorContent } from "../protocol/message.js";
import { originalPosition, type PositionMap } from "../types/transform/edits.js";
import { Stacks, type CellSource, type StackHost } from "./stacks.js";

/** Held here: what the engine throws is of this class, whatever a cell gives its name to. */
const NativeError = Error;

const deepestCause = 5;
const mostFrames = 10;
/** Characters of a message, of a line of a traceback, and of all of it: more than that no notebook should carry. */
const longestText = 20_000;
const longestTraceback = 200_000;

export type { CellSource };

/** The local files that cells import. */
export interface LocalFiles {
  files: { mapOf(path: string): PositionMap | undefined };
  modules: { textOf(path: string): string | undefined };
}

/** Turns thrown values into error messages whose lines point into cells. */
export class ErrorFormatter {
  readonly stacks: Stacks;

  constructor(
    private readonly cells: ReadonlyMap<string, CellSource>,
    private readonly local: () => LocalFiles,
    host: StackHost,
  ) {
    this.stacks = new Stacks(cells, (path) => local().files.mapOf(path), host);
  }

  /** The message for a thrown value, which may be one that throws at every look. */
  format(thrown: unknown): ErrorContent {
    try {
      return this.formatted(thrown);
    } catch {
      const text = "a value that cannot be shown, since looking at it throws";
      return { ename: "Thrown", evalue: text, traceback: [`${bold(red("Thrown"))}: ${text}`] };
    }
  }

  private formatted(thrown: unknown): ErrorContent {
    if (!isError(thrown)) {
      const text = shortened(boundedText(thrown, { depth: 3 }));
      return { ename: "Thrown", evalue: text, traceback: [`${bold(red("Thrown"))}: ${text}`] };
    }
    return {
      ename: errorName(thrown),
      evalue: messageOf(thrown),
      traceback: bounded(this.describe(thrown, [])),
    };
  }

  /** The message for a script that V8 could not compile; line and column count from 0. */
  formatSyntaxError(message: string, script: string, line: number, column: number): ErrorContent {
    const evalue = message.replace(/^(Uncaught )?SyntaxError: /, "").split("\n")[0]!;
    const cell = this.cells.get(script);
    const at = cell && originalPosition(cell.map, line, column);
    return {
      ename: "SyntaxError",
      evalue,
      traceback: [
        `${bold(red("SyntaxError"))}: ${evalue}`,
        ...(cell && at ? codeFrame(cell.source, at[0], at[1]) : []),
      ],
    };
  }

  /** @param outer the errors that this one is a part or a cause of */
  private describe(error: Error, outer: readonly Error[]): string[] {
    const lines = [`${bold(red(errorName(error)))}: ${messageOf(error)}`];
    // Where in Node an interrupt has met the cell says nothing.
    const all = this.stacks.of(error);
    const frames =
      errorName(error) === "KernelInterrupt" ? all.filter((line) => !line.includes("(node:")) : all;
    const position = /([\w.-]+\.tsx?):(\d+):(\d+)\)?$/.exec(frames.find((frame) => this.isCell(frame)) ?? "");
    if (position) {
      const cell = this.cells.get(position[1]!)!;
      lines.push(...codeFrame(cell.source, Number(position[2]) - 1, Number(position[3]) - 1));
    }
    lines.push(...this.moduleFrame(frames), ...this.shortened(frames).map(dim));
    const extra = Object.keys(error).filter(
      (key) => !["stack", "message", "name", "cause", "errors"].includes(key),
    );
    if (extra.length > 0) {
      const own = Object.fromEntries(
        extra.map((key) => [key, (error as unknown as Record<string, unknown>)[key]]),
      );
      lines.push(boundedText(own, { depth: 1, maxStringLength: 1_000 }));
    }
    const inner = error instanceof AggregateError ? (error.errors as unknown[]) : [];
    const around = [...outer, error];
    for (const one of inner.slice(0, 10)) lines.push(...indent(this.describeAny(one, around)));
    if (error.cause !== undefined && error.cause !== null) {
      lines.push("Caused by:", ...this.describeAny(error.cause, around));
    }
    return lines;
  }

  /** The first frames, and below them the cell's own, however deep in libraries the error was thrown. */
  private shortened(frames: readonly string[]): readonly string[] {
    const first = frames.slice(0, mostFrames);
    if (frames.length <= mostFrames || first.some((frame) => this.isCell(frame))) return first;
    const cellAt = frames.findIndex((frame) => this.isCell(frame));
    if (cellAt < 0) return first;
    const between = cellAt - mostFrames;
    return [...first, ...(between === 0 ? [] : [`    ... ${between} more`]), frames[cellAt]!];
  }

  /** The line of a module of the notebook at which an error was thrown. */
  private moduleFrame(frames: readonly string[]): string[] {
    const [, path, line, column] =
      /(?:^\s*at (?:async )?|\()((?:\/|[A-Za-z]:).*\.(?:[cm]?[jt]sx?|json)):(\d+):(\d+)\)?$/.exec(
        frames[0] ?? "",
      ) ?? [];
    const text =
      path === undefined ? undefined : (this.local().modules.textOf(path!) ?? this.stacks.textOf(path!));
    if (text === undefined) return [];
    return [
      `${path!.replace(/^.*[\\/]/, "")}:${line}`,
      ...codeFrame(text, Number(line) - 1, Number(column) - 1),
    ];
  }

  private isCell(frame: string): boolean {
    return this.stacks.cellOf(frame) !== undefined;
  }

  private describeAny(value: unknown, outer: readonly Error[]): string[] {
    if (outer.length > deepestCause) return ["..."];
    if (outer.includes(value as Error)) return [`${errorName(value as Error)} again, as above`];
    return isError(value) ? this.describe(value, outer) : [boundedText(value, { depth: 2 })];
  }
}

function isError(value: unknown): value is Error {
  // Including errors from another realm (vm contexts, workers), for which instanceof fails.
  return value instanceof NativeError || Object.prototype.toString.call(value) === "[object Error]";
}

function messageOf(error: Error): string {
  try {
    return withAdvice(error, shortened(String(error.message)));
  } catch {
    return "its message cannot be read";
  }
}

function errorName(error: Error): string {
  const { name } = error;
  if (name && name !== "Error") return shortened(String(name), 200);
  return error.constructor?.name || "Error";
}

/** The beginning of a text, and how much of it was left out. */
function shortened(text: string, most = longestText): string {
  const more = text.length - most;
  return more > 0 ? `${text.slice(0, most)} ... ${more.toLocaleString("en")} more characters` : text;
}

function bounded(lines: readonly string[]): string[] {
  const kept: string[] = [];
  let size = 0;
  for (const [i, line] of lines.entries()) {
    const text = shortened(line, longestText + 1_000);
    size += text.length;
    if (size > longestTraceback) return [...kept, `... ${lines.length - i} more lines`];
    kept.push(text);
  }
  return kept;
}

function indent(lines: string[]): string[] {
  return lines.map((line) => `  ${line}`);
}
