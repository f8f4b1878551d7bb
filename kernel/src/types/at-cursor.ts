import ts from "typescript";

/** The text of the string literal that the cursor stands in, whether it is closed or not. */
export function openQuotes(source: string, offset: number): ts.TextSpan | undefined {
  const file = ts.createSourceFile("cell.ts", source, ts.ScriptTarget.ESNext, true);
  const find = (node: ts.Node): ts.TextSpan | undefined => {
    if (node.getStart(file) >= offset || node.getEnd() < offset) return undefined;
    if (!ts.isStringLiteralLike(node)) return ts.forEachChild(node, find);
    const start = node.getStart(file) + 1;
    const closed = node.getText(file).length > 1 && source[node.getEnd() - 1] === source[start - 1];
    return closed && offset === node.getEnd() ? undefined : { start, length: offset - start };
  };
  return find(file);
}

/** The identifier around a place, unless it is a property; "" where there is none. */
export function nameAt(source: string, at: number): string {
  const before = /[\p{ID_Continue}$]*$/u.exec(source.slice(0, at))![0];
  const after = /^[\p{ID_Continue}$]*/u.exec(source.slice(at))![0];
  const property = /\.\s*$/.test(source.slice(0, at - before.length));
  return property ? "" : before + after;
}

/** The text of the object whose member stands at a place, if it is `any` or may have members of any name. */
export function openAt(program: ts.Program | undefined, path: string, at: number): string | undefined {
  const file = program?.getSourceFile(path);
  if (!program || !file) return undefined;
  const find = (node: ts.Node): ts.PropertyAccessExpression | undefined => {
    if (node.pos > at || node.end < at) return undefined;
    const inner = ts.forEachChild(node, find);
    if (inner) return inner;
    return ts.isPropertyAccessExpression(node) && node.expression.end < at && at <= node.name.end
      ? node
      : undefined;
  };
  const object = find(file)?.expression;
  if (!object) return undefined;
  const type = program.getTypeChecker().getTypeAtLocation(object);
  const open = (type.flags & ts.TypeFlags.Any) !== 0 || type.getStringIndexType() !== undefined;
  return open ? object.getText(file) : undefined;
}
