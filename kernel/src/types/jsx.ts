import ts from "typescript";

/** Whether a cell is a program only if it is read as JSX, which takes `<T>x` for the beginning of an element. */
export function needsJsx(source: string): boolean {
  if (!source.includes("<")) return false;
  return isBroken(source, ts.ScriptKind.TS) && !isBroken(source, ts.ScriptKind.TSX);
}

function isBroken(source: string, kind: ts.ScriptKind): boolean {
  const file = ts.createSourceFile("cell", source, ts.ScriptTarget.ESNext, false, kind);
  return (file as unknown as { parseDiagnostics: unknown[] }).parseDiagnostics.length > 0;
}

/** The names that JSX uses without a mention: those of the functions that make elements and fragments. */
export function jsxNames({
  jsxFactory = "React",
  jsxFragmentFactory = "React",
}: ts.CompilerOptions): string[] {
  return [jsxFactory, jsxFragmentFactory].map((name) => name.split(".")[0]!);
}
