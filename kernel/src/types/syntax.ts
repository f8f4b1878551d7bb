import ts from "typescript";
import type { CellDiagnostic } from "./engine.js";
import { pythonAdvice } from "./python-advice.js";
import { shellAdvice } from "./shell-advice.js";
import { parse } from "./transform/parse.js";

/** "The parser expected to find a ')' to match the '(' token here." */
const toMatch = 1007;
const unterminated = { template: 1160, comment: 1010 };

/**
 * Errors that the parser finds in a text by itself, independently of the kernel's next steps. What is missed at the end
 * of the text is to be fixed where it was opened, and comes first: other findings often follow from it.
 */
export function syntaxErrors(source: string, fileName: string): CellDiagnostic[] {
  const file = parse(source, fileName);
  const { parseDiagnostics } = file as unknown as { parseDiagnostics: ts.DiagnosticWithLocation[] };
  const found = parseDiagnostics.map((one) => ({ one, opened: openedAt(one, file) }));
  found.sort((a, b) => Number(b.opened !== undefined) - Number(a.opened !== undefined));
  return found.map(({ one, opened }, i) => {
    const line = lineAt(file, one.start);
    const advice = i === 0 ? (pythonAdvice(line) ?? shellAdvice(line)) : undefined;
    const found = ts.flattenDiagnosticMessageText(one.messageText, "\n");
    const message = advice === undefined ? found : `${found} ${advice}`;
    const { start, length, code } = one;
    if (!opened) return { start, length, code, message, syntax: true };
    const what = file.text.slice(opened.start, opened.start + opened.length);
    return { ...opened, code, message: `${message} Nothing closes this ${what}`, syntax: true };
  });
}

function lineAt(file: ts.SourceFile, position: number): string {
  const { line } = file.getLineAndCharacterOfPosition(position);
  return file.text.split(/\r?\n/)[line] ?? "";
}

/** Start of the bracket, the template or the comment that is not closed. */
function openedAt(found: ts.DiagnosticWithLocation, file: ts.SourceFile): ts.TextSpan | undefined {
  const noted = found.relatedInformation?.find((one) => one.code === toMatch);
  if (noted?.start !== undefined) return { start: noted.start, length: noted.length ?? 1 };
  if (found.start < file.text.trimEnd().length) return undefined;
  if (found.code === unterminated.comment) return { start: file.text.lastIndexOf("/*"), length: 2 };
  const open = unclosed(file);
  if (!open) return undefined;
  const expected =
    found.code === unterminated.template || closing[file.text[open.start]!] === expectedIn(found);
  return expected ? open : undefined;
}

const closing: Record<string, string> = { "(": ")", "[": "]", "{": "}", "`": "`" };

function expectedIn({ messageText }: ts.Diagnostic): string | undefined {
  return /^'(.)' expected/.exec(ts.flattenDiagnosticMessageText(messageText, "\n"))?.[1];
}

/** The last bracket or template that is opened and not closed. */
function unclosed(file: ts.SourceFile): ts.TextSpan | undefined {
  const open: { span: ts.TextSpan; until: string }[] = [];
  const visit = (node: ts.Node): void => {
    const [start, text] = [node.getStart(file), node.getText(file)];
    if (text !== "" && node.getChildCount(file) > 0) return node.getChildren(file).forEach(visit);
    const ends = open.at(-1)?.until;
    // The parts of a template are `text${, }text${ and }text`.
    if (text.startsWith("}") ? ends === "}" : text.length === 1 && text === ends) open.pop();
    if (text.length === 1 && "([{".includes(text))
      open.push({ span: { start, length: 1 }, until: closing[text]! });
    else if (text.startsWith("`") && !/^`[^]*[^\\]`$|^``$/.test(text)) {
      open.push({ span: { start, length: 1 }, until: "`" });
    }
    if (ts.isTemplateTail(node) && !node.isUnterminated) open.pop();
  };
  visit(file);
  return open.at(-1)?.span;
}
