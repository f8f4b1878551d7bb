import ts from "typescript";

/** A text as cells, and the places between its statements at which it was not cut. */
export interface Cut {
  cells: string[];
  /**
   * Places at which a cell would use a function or a `var` that only a later one declares, as no notebook can know it, or
   * between the parts of an enum or a namespace, which begins again in each cell.
   */
  barred: number;
}

/** A file of thousands of statements is not cut into thousands of cells. */
const mostCuts = 40;

/** Cuts a text at random places between its statements, at each with even odds. */
export function cut(source: string, file: ts.SourceFile, random: () => number): Cut {
  const { statements } = file;
  const starts: number[] = [];
  let barred = 0;
  const declared = statements.map((one) => hoisted([one]));
  const mentioned = new Set<string>();
  const before = new Set<string>();
  const partsBefore = partsOf(statements.slice(0, 1));
  for (let i = 1; i < statements.length; i++) {
    for (const word of words(statements[i - 1]!.getFullText(file))) mentioned.add(word);
    for (const name of declared[i - 1]!.keys()) before.add(name);
    const merged = [...partsOf(statements.slice(i))].some((name) => partsBefore.has(name));
    for (const name of partsOf([statements[i]!])) partsBefore.add(name);
    const early = declared
      .slice(i)
      .some((names) =>
        [...names].some(([name, kind]) => mentioned.has(name) && !(kind === "var" && before.has(name))),
      );
    if (early || merged) barred++;
    else if (random() < Math.min(0.5, mostCuts / statements.length)) starts.push(statements[i]!.pos);
  }
  const ends = [...starts, source.length];
  return { cells: ends.map((end, i) => source.slice(i === 0 ? 0 : starts[i - 1], end)), barred };
}

/** The names that a text declares outside of functions, as a file does: those whose values are compared. */
export function declaredNames(file: ts.SourceFile): string[] {
  const names = new Set(hoisted(file.statements).keys());
  for (const statement of file.statements) {
    if (ts.isVariableStatement(statement))
      for (const { name } of statement.declarationList.declarations) bind(name, (one) => names.add(one));
    if ((ts.isClassDeclaration(statement) || ts.isEnumDeclaration(statement)) && statement.name)
      names.add(statement.name.text);
  }
  return [...names];
}

/** Names that TypeScript puts together of several declarations. */
function partsOf(statements: readonly ts.Statement[]): Set<string> {
  const names = new Set<string>();
  for (const one of statements) {
    const isPart =
      ts.isEnumDeclaration(one) ||
      ts.isModuleDeclaration(one) ||
      ts.isClassDeclaration(one) ||
      ts.isFunctionDeclaration(one);
    if (isPart && one.name && ts.isIdentifier(one.name)) names.add(one.name.text);
  }
  return names;
}

function hoisted(statements: readonly ts.Statement[]): Map<string, "var" | "function"> {
  const names = new Map<string, "var" | "function">();
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) || ts.isClassLike(node) || ts.isModuleDeclaration(node)) return;
    if (ts.isVariableDeclarationList(node) && (node.flags & ts.NodeFlags.BlockScoped) === 0)
      for (const { name } of node.declarations) bind(name, (one) => names.set(one, "var"));
    ts.forEachChild(node, visit);
  };
  statements.forEach(visit);
  for (const statement of statements)
    if (ts.isFunctionDeclaration(statement) && statement.name) names.set(statement.name.text, "function");
  return names;
}

function bind(name: ts.BindingName, note: (name: string) => void): void {
  if (ts.isIdentifier(name)) note(name.text);
  else for (const one of name.elements) if (ts.isBindingElement(one)) bind(one.name, note);
}

function words(text: string): Set<string> {
  return new Set(text.match(/[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/gu) ?? []);
}
