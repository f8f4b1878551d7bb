import type { CheckHost } from "../magics/contract.js";
import type { ModuleLine, ModuleMagic } from "../magics/module-line.js";
import { questionedName } from "../magics/question.js";
import type { JsonObject } from "../protocol/message.js";
import { directives, type Directives } from "./directives.js";
import { isComplete } from "./is-complete.js";
import { pythonParameters } from "./python-parameters.js";
import { readMagics, type MagicCell } from "./magic-lines.js";

/** The program text of a cell. */
export interface CellText {
  source: string;
  /** It is a module's, which sees no names of the notebook. */
  alone: boolean;
  /** Text that a magic takes; it is no program. */
  text: string | undefined;
}

/** Settings that a cell makes by its magics and directives. */
export interface AskedCell {
  read: MagicCell;
  directives: Directives;
  /** The cell becomes this file. */
  file?: ModuleMagic;
}

/** The text of a cell that someone is still writing: an unfinished magic changes nothing. */
export function textOf(code: string, isKnown: (name: string) => boolean): CellText {
  try {
    const { source, text, called } = readMagics(pythonParameters(code) ?? code, isKnown);
    const alone = called[0]?.magic.name === "module";
    return { source, alone, text: alone ? undefined : text?.body };
  } catch {
    return { source: code, alone: false, text: undefined };
  }
}

const aloneCellMagic = /^\s*%%\w+[^\r\n]*(\r?\n)?$/;

/** Whether a console should run the code of a cell. */
export function textComplete(code: string, { source, text }: CellText): JsonObject {
  if (questionedName(code) !== undefined) return { status: "complete" };
  // A second line break runs it in any case.
  if (aloneCellMagic.test(code)) return { status: "incomplete", indent: "" };
  if (text === undefined) return isComplete(source);
  return text.trim() === "" ? { status: "incomplete", indent: "" } : { status: "complete" };
}

/**
 * Reads what a cell asks for, and sets what its magics set.
 *
 * @throws {RangeError} if a magic is unknown or misused
 */
export function askedOf(
  code: string,
  isKnown: (name: string) => boolean,
  settings: Omit<CheckHost, "writeModule">,
): AskedCell {
  const read = readMagics(pythonParameters(code) ?? code, isKnown);
  const asks: { line?: ModuleLine } = {};
  const writeModule = (line: ModuleLine): void => void (asks.line = line);
  for (const { magic, call } of read.called) magic.check?.(call, { ...settings, writeModule });
  const { line } = asks;
  const { source, text } = read;
  return {
    read,
    directives: directives(source),
    ...(line && text && { file: { ...line, source, line: text.line } }),
  };
}
