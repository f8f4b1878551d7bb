import ts from "typescript";
import { waited } from "../binding-code.js";
import type { Edits } from "./edits.js";
import type { GlobalNames } from "./globals.js";
import { runtimeName } from "./runtime-name.js";

/** The names that an import declares. */
export function importedNames({ importClause: clause }: ts.ImportDeclaration): string[] {
  const bindings = clause?.namedBindings;
  const named = bindings && (ts.isNamedImports(bindings) ? bindings.elements : [bindings]);
  return [clause, ...(named ?? [])].flatMap((one) => (one?.name ? [one.name.text] : []));
}

/** @param wantsDefault whether the default export is given a name, so that a module without one must say so */
const awaitImport = (specifier: string, wantsDefault: boolean): string =>
  waited(`${runtimeName}.import(${specifier}${wantsDefault ? ",true" : ""})`);

/** An `import` becomes an awaited import that resolves from the notebook's folder. */
export function rewriteImport(
  file: ts.SourceFile,
  node: ts.ImportDeclaration,
  edits: Edits,
  globals: GlobalNames | undefined,
): void {
  const start = node.getStart(file);
  const clause = node.importClause;
  if (clause?.isTypeOnly) return edits.blank(start, node.end, ";");
  const specifier = JSON.stringify((node.moduleSpecifier as ts.StringLiteral).text);
  const source = awaitImport(specifier, clause?.name !== undefined);
  if (!clause) return edits.replace(start, node.end, `${source};`);
  const bindings = clause.namedBindings;
  const names: string[] = clause.name ? [`default: ${clause.name.text}`] : [];
  if (bindings && ts.isNamespaceImport(bindings)) {
    const space = bindings.name.text;
    const lead = globals?.take(importedNames(node)) ? "" : "let ";
    const text = `${lead}${space} = ${source}${names.length > 0 ? `, {${names[0]}} = ${space}` : ""};`;
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
  const own = [clause, ...elements].flatMap(({ name }) => (name ? [name.text] : []));
  // A brace at the start of a statement would open a block.
  const lead = globals?.take(own) ? "0," : "let ";
  edits.replace(start, node.end, `${lead}{${names.join(", ")}} = ${source};`);
}

/** `import a = require("b")`, or a name for a part of a namespace. */
export function rewriteImportEquals(
  file: ts.SourceFile,
  node: ts.ImportEqualsDeclaration,
  edits: Edits,
  globals: GlobalNames | undefined,
): void {
  const reference = node.moduleReference;
  if (node.isTypeOnly) return edits.blank(node.getStart(file), node.end, ";");
  const value = ts.isExternalModuleReference(reference)
    ? `require(${reference.expression.getText(file)})`
    : ifThere(reference.getText(file));
  const lead = globals?.take([node.name.text]) ? "" : "let ";
  edits.replace(node.getStart(file), node.end, `${lead}${node.name.text} = ${value};`);
}

/** The names that a cell gives to namespaces by `import A = N`. */
export function namespaceAliases(file: ts.SourceFile): Set<string> {
  const all = file.statements.filter(ts.isImportEqualsDeclaration);
  const those = all.filter(({ moduleReference }) => !ts.isExternalModuleReference(moduleReference));
  return new Set(those.map(({ name }) => name.text));
}

/** The value of a namespace: one that holds types alone has none, and is then no name at run time. */
export function ifThere(namespace: string): string {
  const [root] = namespace.split(".");
  return `typeof ${root}==="undefined"?undefined:${namespace.replaceAll(".", "?.")}`;
}
