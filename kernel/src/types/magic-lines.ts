import ts from "typescript";
import type { Magic, MagicCall, MagicForm } from "../magics/contract.js";
import { calledMagic, findMagic } from "../magics/find.js";
import { dotnetCell } from "./dotnet.js";
import { filledIn } from "./filled-in.js";
import { host } from "./host.js";
import { freeOf, statementAt, standsAlone } from "./magic-places.js";
import type { Shift } from "./magic-shift.js";
import { topLevelAwait } from "./names.js";
import { runtimeName } from "./transform/runtime-name.js";

/** A cell whose magics have been read. */
export interface MagicCell {
  /** Code that TypeScript checks: magics are blanked out, all positions stay. */
  source: string;
  /** Code that runs: each magic is a call in its own line. */
  runs: string;
  /** Code that a call has moved to the right, by its line. */
  shifts: readonly Shift[];
  called: readonly { magic: Magic; call: MagicCall }[];
  /** The text of a cell that is no TypeScript; of a module, it is TypeScript nevertheless. */
  text?: { body: string; line: number };
  /** The cell says that it is JavaScript, whatever the notebook is. */
  javascript?: true;
}

const mayHaveMagic = /^[ \t]*[%!]/m;
const firstLine = /^(?:\s|\/\/[^\n]*\n)*?[ \t]*(%%\w*)[ \t]*([^\r\n]*)/;
const candidate = /^([ \t]*)(?:(%%?[A-Za-z]\w*)(?=\s|$)[ \t]*|!(?!=))([^\r\n]*)/gm;

/**
 * Reads the magics of a cell. `isKnown` tells the names of the notebook: a line with `!` that is TypeScript over them is no
 * command.
 *
 * @throws {RangeError} if there is no such magic, or if it cannot stand where it does
 */
export function readMagics(code: string, isKnown: (name: string) => boolean): MagicCell {
  const dotnet = dotnetCell(code);
  if (dotnet)
    return { ...readMagics(dotnet.code, isKnown), ...(dotnet.javascript && { javascript: true as const }) };
  if (!mayHaveMagic.test(code)) return { source: code, runs: code, shifts: [], called: [] };
  const first = firstLine.exec(code);
  if (!first) return readLines(code, code, isKnown);
  const [all, written, rest] = first as unknown as [string, string, string];
  const magic = calledMagic(written, host().magics);
  const start = all.slice(0, all.length - rest.length).lastIndexOf(written);
  const line = code.slice(0, start).split("\n").length - 1;
  const below = code.slice(all.length);
  const blanked = code.slice(0, start) + " ".repeat(all.length - start) + below;
  const form = magic.forms.find((one): one is MagicForm => one.endsWith("cell"))!;
  if (form === "text cell") {
    const body = below.replace(/^\r?\n/, "");
    const runs = `await ${callOf(magic, rest, JSON.stringify(body))};`;
    return {
      source: blanked,
      runs,
      shifts: [],
      called: [{ magic, call: { rest, body } }],
      text: { body, line },
    };
  }
  const head = code.slice(0, start);
  if (form === "cell") {
    const read = readLines(blanked, `${head}${callOf(magic, rest)};${below}`, isKnown);
    return { ...read, called: [{ magic, call: { rest } }, ...read.called] };
  }
  const read = readLines(
    `${head}{${" ".repeat(all.length - start - 1)}${below}`,
    `${head};${below}`,
    isKnown,
  );
  const arrow = waits(below) ? "async () =>" : "() =>";
  const opened = read.runs.slice(head.length + 1);
  return {
    source: `${read.source}\n}`,
    runs: `${head}await ${runtimeName}.magic(${JSON.stringify(magic.name)},${JSON.stringify(rest)},${arrow} {${opened}\n});`,
    shifts: read.shifts,
    called: [{ magic, call: { rest } }, ...read.called],
  };
}

/** The line magics of a text; `runs` is the same text, but for its first magic. */
function readLines(source: string, runs: string, isKnown: (name: string) => boolean): MagicCell {
  const found = [...source.matchAll(candidate)].map((match) => {
    const [all, indent, name, rest] = match as unknown as [string, string, string | undefined, string];
    return { at: match.index + indent.length, end: match.index + all.length, written: name ?? "!", rest };
  });
  if (found.length === 0) return { source, runs, shifts: [], called: [] };
  const without = blank(source, found);
  const parsed = parse(without);
  const placed = found.filter(({ at }) => statementAt(parsed, at) !== undefined);
  const withCommands = parse(
    blank(
      source,
      placed.filter(({ written }) => written !== "!"),
    ),
  );
  const known = (name: string): boolean => isKnown(name) || freeOf(parsed).has(name) || name in globalThis;
  const taken = placed.filter((one) => {
    if (one.written === "!") return !standsAlone(withCommands, one, known);
    if (one.written.startsWith("%%")) throw misplaced(source, one);
    return isMagic(one.written) || !isTypeScript(source, placed, one);
  });
  const called = taken.map((one) => ({ ...one, ...read(one, statementAt(parsed, one.at)!, known) }));
  // From the last to the first, so that places stay.
  let [checked, run] = [source, runs];
  const moved = runs.length - source.length;
  const shifts: Shift[] = [];
  for (const { at, end, code, text, shift } of called.toReversed()) {
    const keep = code === undefined ? "" : code;
    checked = checked.slice(0, at) + " ".repeat(end - at - keep.length) + keep + checked.slice(end);
    run = run.slice(0, at + moved) + text + run.slice(end + moved);
    const before = source.slice(0, at).split("\n");
    const [line, column] = [before.length - 1, before.at(-1)!.length];
    shifts.push({ line, column, lead: shift ?? text.length, code: column + end - at - keep.length });
  }
  return { source: checked, runs: run, shifts, called };
}

interface Line {
  at: number;
  end: number;
  written: string;
  rest: string;
}

/** Translation of a line: the call, and the code that it takes, which is checked. */
function read(
  { written, rest }: Line,
  place: { insideFunction: boolean },
  isKnown: (name: string) => boolean,
): { magic: Magic; call: MagicCall; text: string; code?: string; shift?: number } {
  const magic = calledMagic(written, host().magics);
  if (place.insideFunction) {
    throw new RangeError(`Cannot run ${written}: it must not be in a function.`);
  }
  if (!magic.forms.includes("code line")) {
    const given = written === "!" ? filledIn(rest.trim(), isKnown) : undefined;
    return { magic, call: { rest }, text: `await ${callOf(magic, rest, undefined, given)};` };
  }
  const options = /^(?:-\w+\s*\d*\s+)*/.exec(rest)![0];
  const code = rest.slice(options.length);
  const statements = parse(code).statements;
  const [statement] = statements;
  if (!statement || statements.length > 1 || !ts.isExpressionStatement(statement)) {
    const now = code.trim() === "" ? "got none" : `got ${JSON.stringify(code.trim())}`;
    throw new RangeError(
      `Cannot time the line: one expression must follow ${written}, ${now}. For example: ${written} x = f(). To time a whole cell: %${written}`,
    );
  }
  const expression = code.slice(0, statement.expression.end);
  const arrow = waits(expression) ? "async () =>" : "() =>";
  const lead = `await ${runtimeName}.magic(${JSON.stringify(magic.name)},${JSON.stringify(options.trim())},${arrow} (`;
  return {
    magic,
    call: { rest: options.trim() },
    text: `${lead}${expression}));`,
    code,
    shift: lead.length,
  };
}

/** `given` is code whose value takes the place of `rest`. */
function callOf(magic: Magic, rest: string, body?: string, given?: string): string {
  const parts = [
    JSON.stringify(magic.name),
    given ?? JSON.stringify(rest.trim()),
    ...(body === undefined ? [] : [body]),
  ];
  return `${runtimeName}.magic(${parts.join(",")})`;
}

function isMagic(written: string): boolean {
  try {
    findMagic(written, host().magics);
    return true;
  } catch {
    return false;
  }
}

/** Whether a line with an unknown name goes on with the expression above it: `total\n%count`. */
function isTypeScript(source: string, all: readonly Line[], one: Line): boolean {
  const file = parse(
    blank(
      source,
      all.filter((other) => other !== one),
    ),
  );
  return (file as unknown as { parseDiagnostics: unknown[] }).parseDiagnostics.length === 0;
}

function misplaced(source: string, { written, at }: Line): RangeError {
  const line = source.slice(0, at).split("\n").length;
  return new RangeError(`Cannot run the cell: ${written} must be its first line, but it is line ${line}.`);
}

function waits(code: string): boolean {
  return topLevelAwait(parse(code)) !== undefined;
}

function blank(source: string, lines: readonly Line[]): string {
  let text = source;
  for (const { at, end } of lines) text = text.slice(0, at) + " ".repeat(end - at) + text.slice(end);
  return text;
}

function parse(text: string): ts.SourceFile {
  return ts.createSourceFile(
    "cell.ts",
    text,
    {
      languageVersion: ts.ScriptTarget.ESNext,
      setExternalModuleIndicator: (file) => {
        (file as { externalModuleIndicator?: true }).externalModuleIndicator = true;
      },
    },
    true,
  );
}
