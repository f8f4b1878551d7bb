import ts from "typescript";
import type { CellNames } from "./messages.js";
import { topLevelNames } from "./names.js";

/** The names that a cell shares with others. One that it assigns again counts as declared: `answer = (x) => x`. */
export function sharedNames(file: ts.SourceFile): CellNames {
  const declares = [...topLevelNames(file).keys()];
  return { declares: [...declares, ...assignedNames(file)], uses: [...referredNames(file, declares)] };
}

/** The names that a cell gives a value with `=` when it runs; what its functions assign later is not among them. */
function assignedNames(file: ts.SourceFile): Set<string> {
  const names = new Set<string>();
  const target = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) names.add(node.text);
    else if (ts.isArrayLiteralExpression(node)) node.elements.forEach(target);
    else if (ts.isObjectLiteralExpression(node)) node.properties.forEach(target);
    else if (ts.isShorthandPropertyAssignment(node)) target(node.name);
    else if (ts.isPropertyAssignment(node)) target(node.initializer);
    else if (ts.isParenthesizedExpression(node) || ts.isSpreadElement(node) || ts.isSpreadAssignment(node))
      target(node.expression);
    else if (isAssignment(node)) target(node.left);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) || ts.isClassLike(node)) return;
    if (isAssignment(node)) target(node.left);
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(file, visit);
  return names;
}

const isAssignment = (node: ts.Node): node is ts.AssignmentExpression<ts.EqualsToken> =>
  ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken;

/**
 * The names of other cells that a cell may use: what its code refers to, without members, types, labels, and whatever it declares
 * itself, at any depth. A name that it both declares somewhere and uses elsewhere is left out.
 */
function referredNames(file: ts.SourceFile, declares: readonly string[]): Set<string> {
  const used = new Set<string>();
  const declared = new Set(declares);

  const declare = (name: ts.Node | undefined): void => {
    if (name && ts.isIdentifier(name)) declared.add(name.text);
    else if (name) visit(name);
  };
  const computed = (name: ts.Node | undefined): void => {
    if (name && ts.isComputedPropertyName(name)) visit(name.expression);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) && !ts.isExpressionWithTypeArguments(node)) return;
    if (ts.isImportDeclaration(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node))
      return;
    if (ts.isIdentifier(node)) return void used.add(node.text);
    if (ts.isPropertyAccessExpression(node)) return visit(node.expression);
    if (ts.isBreakOrContinueStatement(node)) return;
    if (ts.isLabeledStatement(node)) return visit(node.statement);
    if (ts.isShorthandPropertyAssignment(node)) return void used.add(node.name.text);
    const { name } = node as { name?: ts.Node };
    if (ts.isBindingElement(node)) computed(node.propertyName);
    if (ts.isObjectLiteralElement(node) || ts.isClassElement(node)) computed(name);
    else if (!ts.isPropertyAccessChain(node)) declare(name);
    const skipped = new Set([name, (node as { propertyName?: ts.Node }).propertyName]);
    ts.forEachChild(node, (child) => {
      if (!skipped.has(child)) visit(child);
    });
  };
  ts.forEachChild(file, visit);
  for (const name of declared) used.delete(name);
  return used;
}
