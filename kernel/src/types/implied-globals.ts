import ts from "typescript";
import type { CellDiagnostic } from "./engine.js";
import { parse } from "./transform/parse.js";

/** "Cannot find name", also with a proposal, and as a shorthand property. */
const unknownNames: ReadonlySet<number> = new Set([2304, 2552, 18004]);

/** Unknown names of a cell to which it assigns: in plain JavaScript they become globals. */
export function impliedGlobals(source: string, found: readonly CellDiagnostic[]): string[] {
  const unknown = new Set(
    found
      .filter(({ code }) => unknownNames.has(code))
      .map(({ start, length }) => source.slice(start, start + length)),
  );
  if (unknown.size === 0) return [];
  return [...assignedNames(parse(source, "cell.ts"))].filter((name) => unknown.has(name));
}

/** Names that an assignment or a loop sets, without a declaration. */
function assignedNames(file: ts.SourceFile): Set<string> {
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && isAssigned(node)) names.add(node.text);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return names;
}

/** Whether an expression is what an assignment or a loop sets, or a part of such a pattern. */
export function isAssigned(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isBinaryExpression(parent)) {
    if (parent.left !== node || parent.operatorToken.kind !== ts.SyntaxKind.EqualsToken) return false;
    return true;
  }
  if (ts.isForInStatement(parent) || ts.isForOfStatement(parent)) return parent.initializer === node;
  if (ts.isParenthesizedExpression(parent) || ts.isSpreadElement(parent) || ts.isSpreadAssignment(parent))
    return isAssigned(parent);
  if (ts.isShorthandPropertyAssignment(parent)) return parent.name === node && isAssigned(parent.parent);
  if (ts.isPropertyAssignment(parent)) return parent.initializer === node && isAssigned(parent.parent);
  return ts.isArrayLiteralExpression(parent) && isAssigned(parent);
}
