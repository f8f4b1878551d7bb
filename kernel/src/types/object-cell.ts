import ts from "typescript";
import type { MagicCell } from "./magic-lines.js";
import { parse } from "./transform/parse.js";

const beginsWithBrace = /^(?:\s|\/\/[^\n]*\n|\/\*[^]*?\*\/)*\{/;

const errorsOf = (file: ts.SourceFile): readonly unknown[] =>
  (file as unknown as { parseDiagnostics: unknown[] }).parseDiagnostics;

/**
 * A cell that is an object and nothing else, in parentheses; undefined for any other. As a program it would be wrong, or a block
 * with a label, which has no value; the consoles of Deno and Node show the object. What parses as any other block stays one.
 */
export function objectCell({ source, called }: MagicCell): MagicCell | undefined {
  if (called.length > 0 || !beginsWithBrace.test(source)) return undefined;
  const program = parse(source, "cell.ts");
  if (errorsOf(program).length === 0 && !isLabelInBlock(program)) return undefined;
  // On a line of its own: the cell may end with a comment.
  const text = `(${source}\n)`;
  const file = parse(text, "cell.ts");
  const [only, ...more] = file.statements;
  const isObject =
    errorsOf(file).length === 0 &&
    more.length === 0 &&
    only !== undefined &&
    ts.isExpressionStatement(only) &&
    ts.isParenthesizedExpression(only.expression) &&
    ts.isObjectLiteralExpression(only.expression.expression);
  const shifts = [{ line: 0, column: 0, lead: 1, code: 0 }];
  return isObject ? { source: text, runs: text, shifts, called } : undefined;
}

function isLabelInBlock({ statements }: ts.SourceFile): boolean {
  const [only, ...more] = statements;
  if (!only || more.length > 0 || !ts.isBlock(only)) return false;
  const [inside, ...others] = only.statements;
  return (
    others.length === 0 &&
    inside !== undefined &&
    ts.isLabeledStatement(inside) &&
    ts.isExpressionStatement(inside.statement)
  );
}
