import ts from "typescript";
import { parse } from "./transform/parse.js";

/**
 * Names to which a cell assigns and which neither it nor an earlier one declares: in plain JavaScript they become globals. Found
 * without a check, which would first look through all packages for a name that nothing declares.
 */
export function impliedGlobals(source: string, isKnown: (name: string) => boolean): string[] {
  // Nearly every cell ends here, before it is parsed once more.
  if (!/=|\bin\b|\bof\b/.test(source)) return [];
  const file = parse(source, "cell.ts");
  const declared = declaredNames(file);
  return [...assignedNames(file)].filter(
    (name) => !declared.has(name) && !isKnown(name) && !(name in globalThis),
  );
}

/** All names that a cell declares, at any depth. */
function declaredNames(file: ts.SourceFile): Set<string> {
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    const { name } = node as { name?: ts.Node };
    const declares = !ts.isPropertyAccessExpression(node) && !ts.isPropertyAssignment(node);
    if (declares && !ts.isShorthandPropertyAssignment(node) && name && ts.isIdentifier(name))
      names.add(name.text);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return names;
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
