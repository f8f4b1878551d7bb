import ts from "typescript";

/** Way in which a top-level name is passed on to later cells. */
export type NameKind =
  /** `let` and `var`: later cells may assign to it. */
  | "variable"
  | "constant"
  /** Anything that may also be a type: handed on by import. */
  | "declaration";

/** The names that a cell declares at top level. */
export function topLevelNames(file: ts.SourceFile): Map<string, NameKind> {
  const names = new Map<string, NameKind>();
  const bind = (name: ts.BindingName, kind: NameKind): void => {
    if (ts.isIdentifier(name)) names.set(name.text, kind);
    else {
      for (const element of name.elements) if (ts.isBindingElement(element)) bind(element.name, kind);
    }
  };
  const list = (declarations: ts.VariableDeclarationList): void => {
    const constant = (declarations.flags & ts.NodeFlags.BlockScoped) === ts.NodeFlags.Const;
    for (const declaration of declarations.declarations)
      bind(declaration.name, constant ? "constant" : "variable");
  };
  const nestedVars = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) || ts.isClassLike(node) || ts.isModuleDeclaration(node)) return;
    if (ts.isVariableDeclarationList(node) && (node.flags & ts.NodeFlags.BlockScoped) === 0) list(node);
    ts.forEachChild(node, nestedVars);
  };
  for (const statement of file.statements) {
    if (ts.isVariableStatement(statement)) list(statement.declarationList);
    else if (
      ts.isFunctionDeclaration(statement) ||
      ts.isClassDeclaration(statement) ||
      ts.isInterfaceDeclaration(statement) ||
      ts.isTypeAliasDeclaration(statement) ||
      ts.isEnumDeclaration(statement)
    ) {
      if (statement.name) names.set(statement.name.text, "declaration");
    } else if (ts.isModuleDeclaration(statement)) {
      if (ts.isIdentifier(statement.name)) names.set(statement.name.text, "declaration");
    } else if (ts.isImportDeclaration(statement)) {
      const clause = statement.importClause;
      if (clause?.name) names.set(clause.name.text, "declaration");
      const bindings = clause?.namedBindings;
      if (bindings && ts.isNamespaceImport(bindings)) names.set(bindings.name.text, "declaration");
      if (bindings && ts.isNamedImports(bindings)) {
        for (const element of bindings.elements) names.set(element.name.text, "declaration");
      }
    } else if (ts.isImportEqualsDeclaration(statement)) names.set(statement.name.text, "declaration");
    else nestedVars(statement);
  }
  names.delete("global");
  return names;
}

/** The top-level names that a cell exports by itself. */
export function exportedNames(file: ts.SourceFile): Set<string> {
  const names = new Set<string>();
  for (const statement of file.statements) {
    if (
      ts.isExportDeclaration(statement) &&
      statement.exportClause &&
      ts.isNamedExports(statement.exportClause)
    ) {
      for (const element of statement.exportClause.elements) names.add(element.name.text);
    }
    const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined;
    if (!modifiers?.some((modifier) => modifier.kind === ts.SyntaxKind.ExportKeyword)) continue;
    if (modifiers.some((modifier) => modifier.kind === ts.SyntaxKind.DefaultKeyword)) continue;
    const alone = ts.factory.updateSourceFile(file, [statement]);
    for (const name of topLevelNames(alone).keys()) names.add(name);
  }
  return names;
}

/** All identifiers in a text: more than its free names, but much cheaper to find. */
export function mentionedNames(source: string): Set<string> {
  return new Set(source.match(/[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/gu) ?? []);
}

/** First place where code awaits outside of functions; undefined if it does not. */
export function topLevelAwait(node: ts.Node): ts.Node | undefined {
  if (ts.isFunctionLike(node) || ts.isClassLike(node)) return undefined;
  if (ts.isAwaitExpression(node) || (ts.isForOfStatement(node) && node.awaitModifier)) return node;
  return ts.forEachChild(node, topLevelAwait);
}

/** Whether an export can be imported by its own name. */
export function isName(exported: string): boolean {
  return exported !== "default" && /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(exported);
}

/** Whether an export is more than a type. */
export function isValue(symbol: ts.Symbol, checker: ts.TypeChecker): boolean {
  const meant = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  return (meant.flags & ts.SymbolFlags.Value) !== 0;
}
