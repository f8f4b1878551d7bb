import ts from "typescript";
import type { Edits } from "./edits.js";
import { runtimeName } from "./runtime-name.js";
import { isAmbient } from "./strip.js";

/** The top-level names of a cell and what must move to its front. */
export interface TopLevel {
  /** Functions that are used before they are written: they go first. */
  hoisted: [number, number][];
  /** `var` names of nested statements: they belong to the whole notebook. */
  nestedVars: string[];
}

/**
 * Rewrites the top level of a cell for V8's REPL mode.
 *
 * - `import` becomes an awaited import that resolves from the notebook's folder; `export` is dropped.
 * - `var`, `const` and `function` become `let`: REPL mode lets only `let` and `class` follow each other, so a later
 *   cell may then redeclare any name as anything. Writes to a constant are left to the type checker.
 * - The value of a last expression is kept for display.
 */
export function rewriteTopLevel(file: ts.SourceFile, edits: Edits): TopLevel {
  const hoisted: [number, number][] = [];
  const declaredVars = new Set<string>();
  const nestedVars = new Set<string>();
  const usedBefore = new Set<string>();

  for (const statement of file.statements) {
    if (ts.isImportDeclaration(statement)) rewriteImport(file, statement, edits);
    else if (ts.isImportEqualsDeclaration(statement)) rewriteImportEquals(file, statement, edits);
    else if (ts.isExportDeclaration(statement)) edits.blank(statement.getStart(file), statement.end, ";");
    else if (ts.isExportAssignment(statement)) {
      edits.blank(statement.getStart(file), statement.expression.getStart(file), ";");
    } else dropExport(file, statement, edits);

    if (ts.isFunctionDeclaration(statement) && statement.body && statement.name && !isAmbient(statement)) {
      if (usedBefore.has(statement.name.text)) hoisted.push([statement.getStart(file), statement.end]);
      functionToLet(file, statement, edits);
    } else {
      collectIdentifiers(statement, usedBefore);
    }
    if (ts.isVariableStatement(statement) && !isAmbient(statement)) {
      constToLet(file, statement.declarationList, edits);
      rewriteVar(file, statement.declarationList, edits, declaredVars, undefined);
    }
    forEachNestedVar(statement, (list) => rewriteVar(file, list, edits, declaredVars, nestedVars));
  }
  return { hoisted, nestedVars: [...nestedVars] };
}

/** Keeps the value of the last statement, when it is an expression, for display. */
export function keepLastValue(file: ts.SourceFile, edits: Edits): void {
  const expression = lastExpression(file);
  if (expression) edits.insert(expression.getStart(file), `${runtimeName}.v=(`);
}

/** The closing half of `keepLastValue`; it must follow all edits inside the expression. */
export function closeLastValue(file: ts.SourceFile, edits: Edits): void {
  const expression = lastExpression(file);
  if (expression) edits.insert(expression.end, ")");
}

function lastExpression(file: ts.SourceFile): ts.Expression | undefined {
  // TypeScript's printer ends a module without exports with `export {}`.
  const last = file.statements.findLast((statement) => !ts.isExportDeclaration(statement));
  return last && (ts.isExpressionStatement(last) || ts.isExportAssignment(last))
    ? last.expression
    : undefined;
}

function awaitImport(specifier: string): string {
  return `${runtimeName}.r(${runtimeName}.c,await ${runtimeName}.w(${runtimeName}.import(${specifier})))`;
}

function rewriteImport(file: ts.SourceFile, node: ts.ImportDeclaration, edits: Edits): void {
  const start = node.getStart(file);
  const clause = node.importClause;
  if (clause?.isTypeOnly) return edits.blank(start, node.end, ";");
  const source = awaitImport(JSON.stringify((node.moduleSpecifier as ts.StringLiteral).text));
  if (!clause) return edits.replace(start, node.end, `${source};`);
  const bindings = clause.namedBindings;
  const names: string[] = clause.name ? [`default: ${clause.name.text}`] : [];
  if (bindings && ts.isNamespaceImport(bindings)) {
    const space = bindings.name.text;
    const text = `let ${space} = ${source}${names.length > 0 ? `, {${names[0]}} = ${space}` : ""};`;
    return edits.replace(start, node.end, text);
  }
  const elements = bindings?.elements.filter((element) => !element.isTypeOnly) ?? [];
  for (const element of elements) {
    const imported = element.propertyName;
    if (!imported) names.push(element.name.text);
    else {
      const key = ts.isStringLiteral(imported) ? JSON.stringify(imported.text) : imported.text;
      names.push(`${key}: ${element.name.text}`);
    }
  }
  // `import { type A } from "x"` still loads x for its effects only in TypeScript's verbatim mode; here it is a type.
  if (names.length === 0 && bindings && bindings.elements.length > 0)
    return edits.blank(start, node.end, ";");
  edits.replace(start, node.end, `let {${names.join(", ")}} = ${source};`);
}

function rewriteImportEquals(file: ts.SourceFile, node: ts.ImportEqualsDeclaration, edits: Edits): void {
  const reference = node.moduleReference;
  if (node.isTypeOnly) return edits.blank(node.getStart(file), node.end, ";");
  const value = ts.isExternalModuleReference(reference)
    ? `require(${reference.expression.getText(file)})`
    : reference.getText(file);
  edits.replace(node.getStart(file), node.end, `let ${node.name.text} = ${value};`);
}

function dropExport(file: ts.SourceFile, node: ts.Statement, edits: Edits): void {
  if (!ts.canHaveModifiers(node)) return;
  for (const modifier of ts.getModifiers(node) ?? []) {
    if (modifier.kind === ts.SyntaxKind.ExportKeyword || modifier.kind === ts.SyntaxKind.DefaultKeyword) {
      edits.blank(modifier.getStart(file), modifier.end);
    }
  }
}

function functionToLet(file: ts.SourceFile, node: ts.FunctionDeclaration, edits: Edits): void {
  const isAsync = ts.getModifiers(node)?.find((modifier) => modifier.kind === ts.SyntaxKind.AsyncKeyword);
  const keyword =
    isAsync ?? node.getChildren(file).find((child) => child.kind === ts.SyntaxKind.FunctionKeyword)!;
  edits.insert(keyword.getStart(file), `let ${node.name!.text}=`);
  // Without a name of its own, the function calls whatever the notebook calls by that name, even after a redefinition.
  edits.blank(node.name!.getStart(file), node.name!.end);
  edits.insert(node.end, ";");
}

function constToLet(file: ts.SourceFile, list: ts.VariableDeclarationList, edits: Edits): void {
  if ((list.flags & ts.NodeFlags.BlockScoped) !== ts.NodeFlags.Const) return;
  const keyword = list.getStart(file);
  edits.replace(keyword, keyword + "const".length, "let  ");
}

function rewriteVar(
  file: ts.SourceFile,
  list: ts.VariableDeclarationList,
  edits: Edits,
  declared: Set<string>,
  nested: Set<string> | undefined,
): void {
  if ((list.flags & ts.NodeFlags.BlockScoped) !== 0) return;
  const names: string[] = [];
  for (const declaration of list.declarations) collectNames(declaration.name, names);
  const keyword = list.getStart(file);
  if (!nested && names.every((name) => !declared.has(name))) {
    edits.replace(keyword, keyword + 3, "let");
    names.forEach((name) => declared.add(name));
    return;
  }
  // The declaration moves to the front of the cell (or was made earlier in it); what stays here is the assignment.
  const loop = ts.isForInStatement(list.parent) || ts.isForOfStatement(list.parent);
  edits.blank(keyword, keyword + 3);
  for (const declaration of list.declarations) {
    if (loop) continue;
    if (!declaration.initializer) edits.replace(declaration.getStart(file), declaration.name.end, "0");
    else if (!ts.isIdentifier(declaration.name)) {
      edits.insert(declaration.getStart(file), "(");
      edits.insert(declaration.end, ")");
    }
  }
  for (const name of names) {
    if (!declared.has(name)) nested?.add(name);
    declared.add(name);
  }
}

function forEachNestedVar(statement: ts.Statement, handle: (list: ts.VariableDeclarationList) => void): void {
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) || ts.isClassLike(node) || ts.isModuleDeclaration(node)) return;
    if (ts.isVariableDeclarationList(node) && node.parent !== statement) handle(node);
    else if (ts.isVariableDeclarationList(node) && !ts.isVariableStatement(statement)) handle(node);
    ts.forEachChild(node, visit);
  };
  visit(statement);
}

function collectNames(name: ts.BindingName, into: string[]): void {
  if (ts.isIdentifier(name)) into.push(name.text);
  else {
    for (const element of name.elements) {
      if (ts.isBindingElement(element)) collectNames(element.name, into);
    }
  }
}

function collectIdentifiers(node: ts.Node, into: Set<string>): void {
  if (ts.isIdentifier(node)) into.add(node.text);
  ts.forEachChild(node, (child) => collectIdentifiers(child, into));
}
