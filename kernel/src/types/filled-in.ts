import ts from "typescript";
import { freeOf } from "./magic-places.js";

const braces = /(?<![$\\])\{([^{}]+)\}/g;

/**
 * A command with the values of `{expression}` in it, as code. Braces that are the shell's stay: `{a,b}`, `${HOME}`, and whatever is no
 * TypeScript over names that the notebook knows.
 */
export function filledIn(command: string, isKnown: (name: string) => boolean): string {
  const parts: string[] = [];
  let from = 0;
  for (const { 0: all, 1: code, index } of command.matchAll(braces)) {
    if (!isValue(code!, isKnown)) continue;
    parts.push(JSON.stringify(command.slice(from, index)), `[(${code})].flat().join(" ")`);
    from = index + all.length;
  }
  return [...parts, JSON.stringify(command.slice(from))].join("+");
}

function isValue(code: string, isKnown: (name: string) => boolean): boolean {
  const file = ts.createSourceFile("value.ts", `(${code})`, ts.ScriptTarget.ESNext, true);
  if ((file as unknown as { parseDiagnostics: unknown[] }).parseDiagnostics.length > 0) return false;
  const [statement, ...more] = file.statements;
  if (!statement || more.length > 0 || !ts.isExpressionStatement(statement)) return false;
  const inner = ts.isParenthesizedExpression(statement.expression)
    ? statement.expression.expression
    : statement.expression;
  if (ts.isBinaryExpression(inner) && inner.operatorToken.kind === ts.SyntaxKind.CommaToken) return false;
  const names = [...freeOf(inner)];
  return names.length > 0 && names.every(isKnown);
}
