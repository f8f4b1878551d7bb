import ts from "typescript";
import { collectNames } from "./binding-names.js";
import type { Edits } from "./edits.js";
import { GlobalNames } from "./globals.js";
import { ifThere, importedNames, rewriteImport, rewriteImportEquals } from "./imports.js";
import { isLeftToV8, type Scopes } from "./redeclared.js";
import { runtimeName } from "./runtime-name.js";
import { isAmbient } from "./strip.js";

/**
 * Forms of a cell: a script for V8's REPL mode or, if that is unavailable, the text of an asynchronous function whose
 * top-level names are properties of the global object.
 */
export type CellForm = "repl" | "global";

/** Parts of a cell's top level that are moved. */
export interface TopLevel {
  /** Functions, and imports that are used above their line: they go first. */
  hoisted: [number, number][];
  /** Names of `var`: they belong to the whole notebook, and hold their value until they are assigned. */
  vars: string[];
  /** Names of enums and namespaces: they are undefined from the cell's first line on, whatever they were before. */
  anew: string[];
  /** In the global form: the names that the cell declares, but for those of `var`. */
  globals?: string[];
}

/**
 * Rewrites the top level of a cell for V8's REPL mode.
 *
 * - `import` becomes an awaited import that resolves from the notebook's folder; `export` is dropped.
 * - `const` and `function` become `let`: REPL mode lets only `let` and `class` follow each other, so a later
 *   cell may then redeclare any name as anything. Writes to a constant are left to the type checker.
 * - Functions go first, as in any script. A `var` becomes an assignment, since the session declares its name before.
 *
 * In the global form, every declaration becomes an assignment.
 *
 * @param o.printed names of `var` that TypeScript's printer has made (of an enum, of a helper): they begin again
 * @param o.aliases names that the cell has by `import A = N`, which the printer makes variables of
 */
export function rewriteTopLevel(
  file: ts.SourceFile,
  edits: Edits,
  {
    form,
    printed = () => false,
    aliases = new Set(),
  }: { form: CellForm; printed?: (name: string) => boolean; aliases?: ReadonlySet<string> },
): TopLevel {
  const globals = form === "global" ? new GlobalNames(file, varNames(file)) : undefined;
  const imports: [number, number][] = [];
  const functions: ts.FunctionDeclaration[] = [];
  const names = new Set<string>();
  const vars = new Set<string>();
  const anew = new Set<string>();
  const o = { vars, anew, printed, globals, scopes: new Map() };
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
      rewriteImport(file, statement, edits, globals);
    } else if (ts.isImportEqualsDeclaration(statement)) rewriteImportEquals(file, statement, edits, globals);
    else if (ts.isExportDeclaration(statement)) edits.blank(statement.getStart(file), statement.end, ";");
    else if (ts.isExportAssignment(statement)) {
      edits.blank(statement.getStart(file), statement.expression.getStart(file), ";");
    } else dropExport(file, statement, edits);

    if (isHoistedFunction(statement)) {
      // Of several by one name the last counts, as in any script.
      const isKnown = names.has(statement.name.text) || globals?.take([statement.name.text]);
      functionToLet(file, statement, edits, isKnown ? "" : "let ");
      names.add(statement.name.text);
      continue;
    }
    collectIdentifiers(statement, mentioned);
    if (ts.isVariableStatement(statement)) {
      if (isAmbient(statement)) continue;
      for (const { name, initializer } of statement.declarationList.declarations) {
        if (!initializer || !ts.isIdentifier(name) || !aliases.has(name.text)) continue;
        edits.replace(initializer.getStart(file), initializer.end, ifThere(initializer.getText(file)));
      }
      if (!letToGlobal(file, statement.declarationList, edits, globals))
        constToLet(file, statement.declarationList, edits);
    }
    if (globals && ts.isClassDeclaration(statement) && hasName(statement) && !isAmbient(statement))
      globals.assignClass(file, statement, edits);
    forEachVar(statement, (list) => rewriteVar(file, list, edits, o));
  }
  for (const name of names) {
    vars.delete(name);
    anew.delete(name);
  }
  const starts = functions.map((one): [number, number] => [one.getStart(file), one.end]);
  return {
    hoisted: [...imports, ...starts],
    vars: [...vars],
    anew: [...anew],
    ...(globals && { globals: [...globals.names] }),
  };
}

function hasName(node: ts.ClassDeclaration): node is ts.ClassDeclaration & { name: ts.Identifier } {
  return node.name !== undefined;
}

function letToGlobal(
  file: ts.SourceFile,
  list: ts.VariableDeclarationList,
  edits: Edits,
  globals: GlobalNames | undefined,
): boolean {
  const kind = list.flags & ts.NodeFlags.BlockScoped;
  if (kind === ts.NodeFlags.Const) return globals?.assign(file, list, "const", edits) ?? false;
  return kind === ts.NodeFlags.Let && (globals?.assign(file, list, "let", edits) ?? false);
}

function isHoistedFunction(node: ts.Statement): node is ts.FunctionDeclaration & { name: ts.Identifier } {
  return ts.isFunctionDeclaration(node) && node.body !== undefined && !!node.name && !isAmbient(node);
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

/** Whether TypeScript's printer put all of a cell with `using` at its top level into the `try`. */
function disposesOnly(statement: ts.Statement): statement is ts.TryStatement {
  if (!ts.isTryStatement(statement) || !statement.finallyBlock) return false;
  return /^\{\s*(const result_\d+ = )?__disposeResources\(/.test(statement.finallyBlock.getText());
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
    const isDefault = ts.getModifiers(node)?.find(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword);
    // Without it, V8 says that a name is missing.
    if (!isDefault) return;
    edits.insert(isDefault.end, ";(");
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
  // Without a value it is an error, which a `let` would hide.
  if (list.declarations.some(({ initializer }) => !initializer)) return;
  const keyword = list.getStart(file);
  edits.replace(keyword, keyword + "const".length, "let  ");
}

/** The session declares the names before the cell runs; what stays here is the assignment. */
function rewriteVar(
  file: ts.SourceFile,
  list: ts.VariableDeclarationList,
  edits: Edits,
  o: {
    vars: Set<string>;
    anew: Set<string>;
    printed: (name: string) => boolean;
    globals: GlobalNames | undefined;
    scopes: Scopes;
  },
): void {
  const names: string[] = [];
  for (const declaration of list.declarations) collectNames(declaration.name, names);
  if (isLeftToV8(list, names, o.scopes, o.globals ? "global" : "repl")) return;
  const keyword = list.getStart(file);
  const alone = ts.isVariableStatement(list.parent);
  const hasValue = list.declarations.some(({ initializer }) => initializer);
  const isPrinted = alone && ts.isSourceFile(list.parent.parent) && names.every((name) => o.printed(name));
  // A helper asks whether it is there already: as a property of the global object it is like any var.
  if (isPrinted && !(hasValue && o.globals)) {
    if (hasValue) edits.replace(keyword, keyword + 3, "let");
    else {
      for (const name of names) o.anew.add(name);
      edits.blank(keyword, list.parent.end, ";");
    }
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

function collectIdentifiers(node: ts.Node, into: Set<string>): void {
  if (ts.isIdentifier(node)) into.add(node.text);
  ts.forEachChild(node, (child) => collectIdentifiers(child, into));
}
