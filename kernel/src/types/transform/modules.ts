import ts from "typescript";
import type { Edits } from "./edits.js";
import { runtimeName } from "./runtime-name.js";
import { isAmbient } from "./strip.js";

/** What of a cell's top level goes elsewhere. */
export interface TopLevel {
  /** Functions, and imports that are used above their line: they go first. */
  hoisted: [number, number][];
  /** Names of `var`: they belong to the whole notebook, and hold their value until they are assigned. */
  vars: string[];
}

/**
 * Rewrites the top level of a cell for V8's REPL mode.
 *
 * - `import` becomes an awaited import that resolves from the notebook's folder; `export` is dropped.
 * - `const` and `function` become `let`: REPL mode lets only `let` and `class` follow each other, so a later
 *   cell may then redeclare any name as anything. Writes to a constant are left to the type checker.
 * - Functions go first, as in any script. A `var` becomes an assignment, since the session declares its name before.
 *
 * @param printed names of `var` that TypeScript's printer has made (of an enum, of a helper): they begin anew
 */
export function rewriteTopLevel(
  file: ts.SourceFile,
  edits: Edits,
  printed: (name: string) => boolean = () => false,
): TopLevel {
  const imports: [number, number][] = [];
  const functions: ts.FunctionDeclaration[] = [];
  const names = new Set<string>();
  const vars = new Set<string>();
  const mentioned = new Set<string>();

  for (const statement of file.statements) {
    if (isHoistedFunction(statement)) {
      functions.push(statement);
      collectIdentifiers(statement, mentioned);
    }
  }
  for (const statement of file.statements) {
    if (ts.isImportDeclaration(statement)) {
      if (importedNames(statement).some((name) => mentioned.has(name)))
        imports.push([statement.getStart(file), statement.end]);
      rewriteImport(file, statement, edits);
    } else if (ts.isImportEqualsDeclaration(statement)) rewriteImportEquals(file, statement, edits);
    else if (ts.isExportDeclaration(statement)) edits.blank(statement.getStart(file), statement.end, ";");
    else if (ts.isExportAssignment(statement)) {
      edits.blank(statement.getStart(file), statement.expression.getStart(file), ";");
    } else dropExport(file, statement, edits);

    if (isHoistedFunction(statement)) {
      // Of several by one name the last counts, as in any script.
      functionToLet(file, statement, edits, names.has(statement.name.text) ? "" : "let ");
      names.add(statement.name.text);
      continue;
    }
    collectIdentifiers(statement, mentioned);
    if (ts.isVariableStatement(statement)) {
      if (isAmbient(statement)) continue;
      constToLet(file, statement.declarationList, edits);
    }
    forEachVar(statement, (list) => rewriteVar(file, list, edits, { vars, printed }));
  }
  for (const name of names) vars.delete(name);
  const starts = functions.map((one): [number, number] => [one.getStart(file), one.end]);
  return { hoisted: [...imports, ...starts], vars: [...vars] };
}

function isHoistedFunction(node: ts.Statement): node is ts.FunctionDeclaration & { name: ts.Identifier } {
  return ts.isFunctionDeclaration(node) && node.body !== undefined && !!node.name && !isAmbient(node);
}

function importedNames({ importClause: clause }: ts.ImportDeclaration): string[] {
  const bindings = clause?.namedBindings;
  const named = bindings && (ts.isNamedImports(bindings) ? bindings.elements : [bindings]);
  return [clause, ...(named ?? [])].flatMap((one) => (one?.name ? [one.name.text] : []));
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
  let last = file.statements.findLast((statement) => !ts.isExportDeclaration(statement));
  if (last && disposesOnly(last)) last = last.tryBlock.statements.at(-1);
  return last && (ts.isExpressionStatement(last) || ts.isExportAssignment(last))
    ? last.expression
    : undefined;
}

/** What TypeScript's printer makes of a cell with `using` at its top level: all of it stands in the `try`. */
function disposesOnly(statement: ts.Statement): statement is ts.TryStatement {
  if (!ts.isTryStatement(statement) || !statement.finallyBlock) return false;
  return /^\{\s*(const result_\d+ = )?__disposeResources\(/.test(statement.finallyBlock.getText());
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
  // `export default function () {}` declares nothing, and is an expression without its first two words.
  if (
    (ts.isFunctionDeclaration(node) && node.body && !node.name) ||
    (ts.isClassDeclaration(node) && !node.name)
  ) {
    const start = ts.getModifiers(node)!.at(1)!.end;
    edits.insert(start, ";(");
    edits.insert(node.end, ");");
  }
}

function functionToLet(
  file: ts.SourceFile,
  node: ts.FunctionDeclaration,
  edits: Edits,
  declare: string,
): void {
  const isAsync = ts.getModifiers(node)?.find((modifier) => modifier.kind === ts.SyntaxKind.AsyncKeyword);
  const keyword =
    isAsync ?? node.getChildren(file).find((child) => child.kind === ts.SyntaxKind.FunctionKeyword)!;
  edits.insert(keyword.getStart(file), `${declare}${node.name!.text}=`);
  // Without a name of its own, the function calls whatever the notebook calls by that name, even after a redefinition.
  edits.blank(node.name!.getStart(file), node.name!.end);
}

function constToLet(file: ts.SourceFile, list: ts.VariableDeclarationList, edits: Edits): void {
  if ((list.flags & ts.NodeFlags.BlockScoped) !== ts.NodeFlags.Const) return;
  const keyword = list.getStart(file);
  edits.replace(keyword, keyword + "const".length, "let  ");
}

/** The session declares the names before the cell runs; what stays here is the assignment. */
function rewriteVar(
  file: ts.SourceFile,
  list: ts.VariableDeclarationList,
  edits: Edits,
  o: { vars: Set<string>; printed: (name: string) => boolean },
): void {
  const names: string[] = [];
  for (const declaration of list.declarations) collectNames(declaration.name, names);
  const keyword = list.getStart(file);
  const alone = ts.isVariableStatement(list.parent);
  if (alone && ts.isSourceFile(list.parent.parent) && names.every((name) => o.printed(name))) {
    edits.replace(keyword, keyword + 3, "let");
    return;
  }
  for (const name of names) o.vars.add(name);
  // The line above may lack its semicolon, and must not go on with what has lost its keyword.
  const listed = alone && "statements" in list.parent.parent;
  edits.blank(keyword, keyword + 3, listed ? ";" : "");
  if (ts.isForInStatement(list.parent) || ts.isForOfStatement(list.parent)) return;
  for (const declaration of list.declarations) {
    if (!declaration.initializer) edits.replace(declaration.getStart(file), declaration.name.end, "0");
    else if (!ts.isIdentifier(declaration.name)) {
      edits.insert(declaration.getStart(file), "(");
      edits.insert(declaration.end, ")");
    }
  }
}

/** The names of all `var` that belong to the notebook. */
export function varNames(file: ts.SourceFile): Set<string> {
  const names: string[] = [];
  const note = (list: ts.VariableDeclarationList): void =>
    list.declarations.forEach(({ name }) => collectNames(name, names));
  file.statements.forEach((statement) => forEachVar(statement, note));
  return new Set(names);
}

/** All `var` of a statement that belong to the notebook, however deep they stand. */
function forEachVar(statement: ts.Statement, handle: (list: ts.VariableDeclarationList) => void): void {
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) || ts.isClassLike(node) || ts.isModuleDeclaration(node)) return;
    if (ts.isVariableDeclarationList(node) && (node.flags & ts.NodeFlags.BlockScoped) === 0) handle(node);
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
