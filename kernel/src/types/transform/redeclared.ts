import ts from "typescript";
import { collectNames } from "./binding-names.js";

/** Names that a script may not give to a `var`. */
const refused = ["eval", "arguments"];
/** Those for which that means nothing; in a function it would mean something. */
const constant = ["undefined", "NaN", "Infinity"];

/**
 * Whether a `var` is left to V8, as it has a name that no script lets it have: one that a block around it declares otherwise, or
 * `eval`. An assignment in its place would be allowed.
 */
export function isLeftToV8(
  list: ts.VariableDeclarationList,
  names: readonly string[],
  known: Scopes,
  form: "repl" | "global",
): boolean {
  const special = form === "global" ? refused : [...refused, ...constant];
  if (names.some((name) => special.includes(name))) return true;
  for (let scope: ts.Node | undefined = list.parent; scope !== undefined; scope = scope.parent) {
    let lexical = known.get(scope);
    if (!lexical) known.set(scope, (lexical = lexicalNames(scope)));
    if (names.some((name) => lexical.has(name))) return true;
  }
  return false;
}

/** Declarations of the blocks of a file, each computed once. */
export type Scopes = Map<ts.Node, ReadonlySet<string>>;

function lexicalNames(scope: ts.Node): Set<string> {
  const names: string[] = [];
  const declares = (list: ts.VariableDeclarationList): void => {
    if ((list.flags & ts.NodeFlags.BlockScoped) !== 0)
      list.declarations.forEach(({ name }) => collectNames(name, names));
  };
  for (const statement of statementsOf(scope)) {
    if (ts.isVariableStatement(statement)) declares(statement.declarationList);
    // At the top level a function is like a var.
    const own =
      ts.isClassDeclaration(statement) || (ts.isFunctionDeclaration(statement) && !ts.isSourceFile(scope));
    if (own && statement.name) names.push(statement.name.text);
  }
  if (ts.isForStatement(scope) || ts.isForInStatement(scope) || ts.isForOfStatement(scope)) {
    const { initializer } = scope;
    if (initializer && ts.isVariableDeclarationList(initializer)) declares(initializer);
  }
  // The plain name of a catch clause may be declared again, one that it takes apart may not.
  if (
    ts.isCatchClause(scope) &&
    scope.variableDeclaration &&
    !ts.isIdentifier(scope.variableDeclaration.name)
  )
    collectNames(scope.variableDeclaration.name, names);
  return new Set(names);
}

function statementsOf(scope: ts.Node): readonly ts.Statement[] {
  if (ts.isBlock(scope) || ts.isSourceFile(scope)) return scope.statements;
  return ts.isCaseBlock(scope) ? scope.clauses.flatMap(({ statements }) => statements) : [];
}
