import ts from "typescript";
import type { CellNames } from "./messages.js";
import { topLevelNames } from "./names.js";

/** The names that a cell shares with others. */
export function sharedNames(file: ts.SourceFile): CellNames {
  const declares = [...topLevelNames(file).keys()];
  return { declares, uses: [...referredNames(file, declares)] };
}

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
