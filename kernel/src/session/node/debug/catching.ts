import { createRequire } from "node:module";
import type * as TypeScript from "typescript";

/** A script in which places can be looked up. */
export interface Script {
  readonly ts: typeof TypeScript;
  readonly file: TypeScript.SourceFile;
}

/** Path of an error through a place: caught there, on to the caller, or out of the script's own code. */
export type Passage = "caught" | "caller" | "top";

/** Reads a script as V8 runs it. */
export function readScript(source: string): Script {
  // Loaded when a debugger first asks for uncaught errors: it takes 200 ms.
  const ts = createRequire(__filename)("typescript") as typeof TypeScript;
  return {
    ts,
    file: ts.createSourceFile("script.js", source, ts.ScriptTarget.ESNext, true, ts.ScriptKind.JS),
  };
}

/**
 * Path of an error that arises at a place (both count from 0), as far as the text of its function shows: a `try` around
 * it, or a handler of the resulting promise.
 */
export function passage({ ts, file }: Script, line: number, column: number): Passage {
  const starts = file.getLineStarts();
  const offset = Math.min((starts[line] ?? file.end) + column, file.end);
  let at: TypeScript.Node = file;
  for (let inner: TypeScript.Node | undefined = file; inner;) {
    at = inner;
    inner = ts.forEachChild(at, (child) => (child.pos <= offset && offset < child.end ? child : undefined));
  }
  for (; !ts.isSourceFile(at); at = at.parent) {
    const { parent } = at;
    if (ts.isTryStatement(parent) && parent.catchClause && at === parent.tryBlock) return "caught";
    if (isHandled(ts, at)) return "caught";
    if (ts.isFunctionLike(at) || ts.isClassStaticBlockDeclaration(at)) return "caller";
  }
  return "top";
}

/** `at.catch(handler)` or `at.then(done, handler)`. */
function isHandled(ts: typeof TypeScript, at: TypeScript.Node): boolean {
  const member = at.parent;
  if (!ts.isPropertyAccessExpression(member) || member.expression !== at) return false;
  const call = member.parent;
  if (!ts.isCallExpression(call) || call.expression !== member) return false;
  const handlers = { catch: 1, then: 2 }[member.name.text as "catch" | "then"] ?? Infinity;
  return call.arguments.length >= handlers;
}
