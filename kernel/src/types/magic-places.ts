import ts from "typescript";

/** Place where a magic is allowed: between statements. Undefined for a place inside a template, a comment or an expression. */
export function statementAt(file: ts.SourceFile, at: number): { insideFunction: boolean } | undefined {
  let container: ts.Node = file;
  for (;;) {
    const children = childrenOf(container);
    const child = children.find((one) => one.pos <= at && at < one.end);
    const trivia = child ? child.pos : (children.at(-1)?.end ?? container.getStart(file));
    if (!child || at < child.getStart(file)) {
      if (!holdsStatements(container) || inComment(file.text, trivia, at)) return undefined;
      return { insideFunction: hasFunction(container) };
    }
    container = child;
  }
}

/** Whether a line that begins with `!` is TypeScript: it parses, and all names in it are known. */
export function standsAlone(
  file: ts.SourceFile,
  { at, end }: { at: number; end: number },
  isKnown: (name: string) => boolean,
): boolean {
  const { parseDiagnostics } = file as unknown as { parseDiagnostics: ts.DiagnosticWithLocation[] };
  const statement = statementStartingAt(file, at);
  if (!statement) return parseDiagnostics.length === 0;
  const last = Math.max(end, statement.end);
  if (parseDiagnostics.some(({ start }) => at <= start && start <= last)) return false;
  // Two statements in the line that nothing separates would be an error; what else is there belongs to the expression.
  return [...freeOf(statement)].every(isKnown);
}

/** The names that a piece of code mentions, other than as a property. */
export function freeOf(root: ts.Node): Set<string> {
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) names.add(node.text);
    else if (ts.isPropertyAccessExpression(node)) visit(node.expression);
    else if (ts.isPropertyAssignment(node)) visit(node.initializer);
    else ts.forEachChild(node, visit);
  };
  visit(root);
  names.delete("");
  return names;
}

function statementStartingAt(file: ts.SourceFile, at: number): ts.ExpressionStatement | undefined {
  const find = (node: ts.Node): ts.ExpressionStatement | undefined => {
    if (node.pos > at || node.end <= at) return undefined;
    if (ts.isExpressionStatement(node) && node.getStart(file) === at) return node;
    return ts.forEachChild(node, find);
  };
  return find(file);
}

function childrenOf(node: ts.Node): ts.Node[] {
  const children: ts.Node[] = [];
  ts.forEachChild(node, (child) => void children.push(child));
  return children;
}

function holdsStatements(node: ts.Node): boolean {
  return (
    ts.isSourceFile(node) || ts.isBlock(node) || ts.isModuleBlock(node) || ts.isCaseOrDefaultClause(node)
  );
}

function inComment(text: string, from: number, at: number): boolean {
  const comments = [
    ...(ts.getTrailingCommentRanges(text, from) ?? []),
    ...(ts.getLeadingCommentRanges(text, from) ?? []),
  ];
  return comments.some(({ pos, end }) => pos <= at && at < end);
}

function hasFunction(node: ts.Node): boolean {
  for (let up: ts.Node | undefined = node; up; up = up.parent as ts.Node | undefined) {
    if (ts.isFunctionLike(up) || ts.isClassLike(up)) return true;
  }
  return false;
}
