import ts from "typescript";
import { host } from "./host.js";
import { exportedNames, topLevelNames } from "./names.js";

/** The file that an import in another one means. */
export type Find = (specifier: string, from: string) => string | undefined;

/**
 * The names that a module exports, as its text says: `default` among them where it has one. A program that checks would know as well,
 * but costs seconds and tens of megabytes for a library that no cell may ever import.
 */
export function declaredExports(path: string, find: Find, seen = new Set<string>()): Set<string> {
  const names = new Set<string>();
  if (seen.has(path)) return names;
  seen.add(path);
  const file = ts.createSourceFile(path, host().files.read(path) ?? "", ts.ScriptTarget.ESNext, true);
  for (const name of exportedNames(file)) names.add(name);
  for (const statement of file.statements) {
    if (ts.isExportAssignment(statement)) {
      names.add("default");
      if (statement.isExportEquals) for (const name of membersOf(file, statement)) names.add(name);
    } else if (isDefault(statement)) names.add("default");
    else if (ts.isExportDeclaration(statement)) {
      const { exportClause: clause, moduleSpecifier: from } = statement;
      if (clause && ts.isNamespaceExport(clause)) names.add(clause.name.text);
      const target = !clause && from && ts.isStringLiteral(from) ? find(from.text, path) : undefined;
      if (target === undefined) continue;
      for (const name of declaredExports(target, find, seen)) if (name !== "default") names.add(name);
    }
  }
  return names;
}

function isDefault(statement: ts.Statement): boolean {
  const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined;
  return modifiers?.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword) ?? false;
}

/** Declarations in the namespace that `export =` names: in declaration files all of it is exported. */
function membersOf(file: ts.SourceFile, { expression }: ts.ExportAssignment): string[] {
  if (!ts.isIdentifier(expression)) return [];
  return file.statements.flatMap((statement) => {
    if (!ts.isModuleDeclaration(statement) || statement.name.text !== expression.text) return [];
    const { body } = statement;
    if (!body || !ts.isModuleBlock(body)) return [];
    return [...topLevelNames(ts.factory.updateSourceFile(file, body.statements)).keys()];
  });
}
