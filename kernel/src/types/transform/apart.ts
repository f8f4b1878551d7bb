import ts from "typescript";
import { mentionedNames } from "../names.js";
import { namesOfCells, suffix } from "./apart-name.js";
import { collectNames } from "./binding-names.js";
import { Edits, type PositionMap } from "./edits.js";
import { parse } from "./parse.js";
import { isAmbient } from "./strip.js";

// A top-level name of a script hides the global of that name from all code of the realm, the kernel's and every package's, while in a file
// it hides it from that file alone. So `class Buffer {}` in a cell declares another name, which looks the same, and means it in this cell
// and in later ones.

/** Names by which packages find out where they run: a notebook's `window` must not make them believe in a browser. */
const askedFor = [
  "window",
  "self",
  "document",
  "importScripts",
  "define",
  "module",
  "exports",
  "Deno",
  "Bun",
];

/** Names of Node that the cells of a page have, too, and that whatever transforms those cells may lack. */
const ofNode = ["Buffer", "process", "global", "setImmediate", "clearImmediate"];

let own: ReadonlySet<string> | undefined;
/** Whether code of others may look for a global of this name. */
const isGlobal = (name: string): boolean =>
  (own ??= new Set([...namesOfGlobal(), ...askedFor, ...ofNode])).has(name);

/** In a worker of a page most of them are its prototypes'. */
function namesOfGlobal(): string[] {
  const names: string[] = [];
  let scope: object | null = globalThis;
  for (; scope !== null && scope !== Object.prototype; scope = Object.getPrototypeOf(scope) as object | null)
    names.push(...Object.getOwnPropertyNames(scope));
  return names;
}

/** A notebook's name as the session has it. */
export const apartName = (name: string): string => (isGlobal(name) ? name + suffix : name);

/**
 * The text of a cell in which names that are global elsewhere are the notebook's own; undefined where there are none.
 *
 * @param known whether this cell or an earlier one declares a name
 */
export function namesApart(
  source: string,
  fileName: string,
  known: (name: string) => boolean,
): { readonly code: string; readonly map: PositionMap; readonly earlier: readonly string[] } | undefined {
  // Nearly every cell ends here, before it is parsed once more.
  const names = new Set(
    [...mentionedNames(source)].filter((name) => (known(name) && isGlobal(name)) || namesOfCells.has(name)),
  );
  if (names.size === 0) return undefined;
  const file = parse(source, fileName);
  const declared = apartNames(file);
  const edits = new Edits(source);
  const scopes = new Map<ts.Node, ReadonlySet<string>>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && names.has(node.text) && isReference(node) && !isInner(node, scopes))
      edits.insert(node.end, lead(node) + suffix);
    ts.forEachChild(node, visit);
  };
  file.statements.forEach(visit);
  for (const statement of file.statements)
    if (ts.isClassDeclaration(statement) && statement.name && names.has(statement.name.text))
      keepName(file, statement, statement.name.text, edits);
  // An earlier cell may have failed before it came to its declaration: then the global is meant.
  const earlier = [...names]
    .filter((name) => !declared.has(name) && known(name))
    .map((name) => name + suffix);
  return { ...edits.build(), earlier };
}

/** The names of values that a cell declares, and that are global elsewhere. */
export const apartNames = (file: ts.SourceFile): Set<string> =>
  new Set([...valueNames(file)].filter(isGlobal));

/** The names of values that a cell declares at its top level. */
function valueNames(file: ts.SourceFile): Set<string> {
  const names: string[] = [];
  const vars: string[] = [];
  for (const statement of file.statements) {
    if (isAmbient(statement)) continue;
    const { name } = statement as { name?: ts.Node };
    if (ts.isImportDeclaration(statement)) names.push(...importedValues(statement));
    else if (ts.isImportEqualsDeclaration(statement)) {
      if (!statement.isTypeOnly) names.push(statement.name.text);
    } else if (
      (ts.isClassDeclaration(statement) ||
        ts.isFunctionDeclaration(statement) ||
        ts.isEnumDeclaration(statement)) &&
      statement.name
    )
      names.push(statement.name.text);
    else if (ts.isModuleDeclaration(statement) && name && ts.isIdentifier(name) && name.text !== "global")
      names.push(name.text);
    else if (ts.isVariableStatement(statement)) blockScoped(statement.declarationList, names);
    hoistedVars(statement, vars);
  }
  return new Set([...names, ...vars.filter((name) => !constant.includes(name))]);
}

/** Names for which a `var` means nothing. */
const constant = ["undefined", "NaN", "Infinity", "eval", "arguments"];

/** Adds the names of `let`, `const` and `using`. */
function blockScoped(list: ts.VariableDeclarationList, into: string[]): void {
  if ((list.flags & ts.NodeFlags.BlockScoped) !== 0)
    for (const { name } of list.declarations) collectNames(name, into);
}

function importedValues({ importClause: clause }: ts.ImportDeclaration): string[] {
  if (!clause || clause.isTypeOnly) return [];
  const bindings = clause.namedBindings;
  const named =
    bindings && ts.isNamedImports(bindings) ? bindings.elements.filter((one) => !one.isTypeOnly) : [];
  const whole = bindings && ts.isNamespaceImport(bindings) ? [bindings] : [];
  return [clause, ...named, ...whole].flatMap((one) => (one.name ? [one.name.text] : []));
}

/** Adds the names of `var` in a function or at the top level, however deep in blocks. */
function hoistedVars(node: ts.Node, into: string[]): void {
  if (ts.isFunctionLike(node) || ts.isClassLike(node) || ts.isModuleDeclaration(node)) return;
  if (ts.isVariableDeclarationList(node) && (node.flags & ts.NodeFlags.BlockScoped) === 0)
    for (const one of node.declarations) collectNames(one.name, into);
  ts.forEachChild(node, (child) => hoistedVars(child, into));
}

/** Whether an identifier stands for a variable, and not for a property, a label or what a module exports. */
function isReference(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) || ts.isMetaProperty(parent)) return parent.name !== node;
  if (ts.isQualifiedName(parent)) return parent.left === node;
  if (ts.isImportSpecifier(parent) || ts.isBindingElement(parent)) return parent.propertyName !== node;
  if (ts.isExportSpecifier(parent) || ts.isLabeledStatement(parent) || ts.isBreakOrContinueStatement(parent))
    return false;
  if (ts.isJsxAttribute(parent) || ts.isNamedTupleMember(parent) || ts.isNamespaceExport(parent))
    return false;
  const isProperty =
    ts.isPropertyAssignment(parent) ||
    ts.isEnumMember(parent) ||
    ts.isClassElement(parent) ||
    ts.isTypeElement(parent) ||
    (ts.isMethodDeclaration(parent) as boolean);
  return !(isProperty && (parent as ts.NamedDeclaration).name === node);
}

/** Text that must precede the suffix: if a name is short for a property and a variable, both. */
function lead(node: ts.Identifier): string {
  const { parent } = node;
  if (ts.isShorthandPropertyAssignment(parent)) return `: ${node.text}`;
  if (ts.isImportSpecifier(parent) && !parent.propertyName) return ` as ${node.text}`;
  const isShort =
    ts.isBindingElement(parent) &&
    parent.name === node &&
    !parent.propertyName &&
    !parent.dotDotDotToken &&
    ts.isObjectBindingPattern(parent.parent);
  return isShort ? `: ${node.text}` : "";
}

/** Whether a function, a block or a class around an identifier declares its name. */
function isInner(node: ts.Identifier, known: Map<ts.Node, ReadonlySet<string>>): boolean {
  for (let scope: ts.Node = node.parent; !ts.isSourceFile(scope); scope = scope.parent) {
    let names = known.get(scope);
    if (!names) known.set(scope, (names = new Set(namesOfScope(scope))));
    if (names.has(node.text)) return true;
  }
  return false;
}

function namesOfScope(scope: ts.Node): string[] {
  const names: string[] = [];
  const list = (one: ts.VariableDeclarationList): void => blockScoped(one, names);
  if (ts.isFunctionLike(scope)) {
    for (const { name } of scope.parameters) collectNames(name, names);
    const { body } = scope as { body?: ts.Node };
    if (body) hoistedVars(body, names);
    if (ts.isFunctionExpression(scope) && scope.name) names.push(scope.name.text);
  }
  if (ts.isClassExpression(scope) && scope.name) names.push(scope.name.text);
  if (ts.isClassStaticBlockDeclaration(scope)) hoistedVars(scope.body, names);
  if (ts.isCatchClause(scope) && scope.variableDeclaration)
    collectNames(scope.variableDeclaration.name, names);
  if (ts.isForStatement(scope) || ts.isForInStatement(scope) || ts.isForOfStatement(scope)) {
    const { initializer } = scope;
    if (initializer && ts.isVariableDeclarationList(initializer)) list(initializer);
  }
  if (ts.isEnumDeclaration(scope))
    for (const { name } of scope.members) if (ts.isIdentifier(name)) names.push(name.text);
  const statements =
    ts.isBlock(scope) || ts.isModuleBlock(scope)
      ? scope.statements
      : ts.isCaseBlock(scope)
        ? scope.clauses.flatMap((clause) => [...clause.statements])
        : [];
  for (const statement of statements) {
    if (ts.isVariableStatement(statement)) list(statement.declarationList);
    if (ts.isModuleBlock(scope)) hoistedVars(statement, names);
    const { name } = statement as { name?: ts.Node };
    const declares =
      ts.isClassDeclaration(statement) ||
      ts.isFunctionDeclaration(statement) ||
      ts.isEnumDeclaration(statement) ||
      ts.isModuleDeclaration(statement) ||
      ts.isImportEqualsDeclaration(statement);
    if (declares && name && ts.isIdentifier(name)) names.push(name.text);
  }
  return names;
}

/** A class goes on being called by its name, in errors and where it is shown. */
function keepName(file: ts.SourceFile, node: ts.ClassDeclaration, name: string, edits: Edits): void {
  const isTaken = node.members.some(
    (member) =>
      member.name?.getText(file) === "name" &&
      ts.canHaveModifiers(member) &&
      ts.getModifiers(member)?.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword),
  );
  if (isTaken) return;
  const text = `static{Object.defineProperty(this,"name",{value:${JSON.stringify(name)},configurable:true})}`;
  edits.insert(node.members.pos, text);
}
