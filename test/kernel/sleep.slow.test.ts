import assert from "node:assert/strict";
import { letDoze } from "turnwise-kernel/dist/types/doze.js";
import { letLibrariesSleep } from "turnwise-kernel/dist/types/registry.js";
import { letSleep } from "turnwise-kernel/dist/types/sleep.js";
import ts from "typescript";
import { repository } from "./with-kernel.js";
import { checkerIn } from "./with-types.js";

describe("a library that sleeps", function () {
  this.timeout(60_000);

  /** A program of a cell and of libraries that count how often they are read. */
  function program(
    files: Record<string, string>,
    o: { doze?: boolean } = {},
  ): {
    check(): string[];
    change(name: string, text: string): void;
    reads: Record<string, number>;
  } {
    const parse = (name: string): ts.SourceFile =>
      ts.createSourceFile(name, files[name]!, ts.ScriptTarget.ESNext);
    const sources = new Map(Object.keys(files).map((name) => [name, parse(name)]));
    const reads: Record<string, number> = {};
    const check = (): string[] => {
      const host: ts.CompilerHost = {
        ...ts.createCompilerHost({}),
        getSourceFile: (name) => sources.get(name),
        fileExists: (name) => sources.has(name),
        readFile: (name) => files[name],
        getCurrentDirectory: () => "/",
      };
      const roots = ["/cell.ts", ...Object.keys(files).filter((name) => name.startsWith("/globals"))];
      const checked = ts.createProgram(roots, { noLib: true, types: [], strict: true }, host);
      return checked
        .getSemanticDiagnostics(checked.getSourceFile("/cell.ts"))
        .map((one) => ts.flattenDiagnosticMessageText(one.messageText, " "));
    };
    assert.deepEqual(check(), [], "bound, as libraries are before they sleep");
    for (const [name, file] of sources) {
      const read = (): ts.SourceFile => {
        reads[name] = (reads[name] ?? 0) + 1;
        return parse(name);
      };
      const sleeps = letSleep(file, read);
      if (!sleeps && file.isDeclarationFile && o.doze !== false) letDoze(file, read);
    }
    const change = (name: string, text: string): void => {
      files[name] = text;
      sources.set(name, parse(name));
    };
    return { check, change, reads };
  }

  /** What stays in every program: an interface in two files, a class, overloads, a namespace, an augmentation. */
  const everywhere = {
    "/globals.d.ts":
      "interface Box<T> { put<U extends T>(one: U): Box<U>; readonly size: number; inner: { value: T }[] }\n" +
      "declare var box: Box<string>; declare namespace deep { function go(n: number): Pair<Box<string>>; }\n" +
      "declare function f(a: { b: number }): typeof box; declare function f(a: number): Point;\n" +
      "type Pair<T> = [T, Box<T>]; declare class Point { constructor(x: number); at: number; }\n" +
      "interface Array<T> { [n: number]: T; length: number }",
    "/globals2.d.ts": "interface Box<T> { more: Pair<T>; }",
    "/globals3.d.ts": 'import "./a"; declare global { var late: Point | { kind: "late" }; }',
    "/a.d.ts": "export declare const a: string;",
  };

  it("tells a cell the same as one that is awake", () => {
    const cells = [
      'import { recipe } from "turnwise"; const wrong: string = recipe("rloo").advantage',
      'import { readFileSync, type Stats } from "node:fs"; const s: Stats = readFileSync("a")',
      'import * as tf from "@tensorflow/tfjs-core"; const wrong: string = tf.tensor([1]).add(1)',
      'import { missing } from "turnwise"',
      "const port: number = new URL('http://a').port; process.exitCode = {}",
    ];
    const completed = 'import * as path from "node:path"; path.';
    const asked = 'import { inspect } from "node:util"; inspect';
    const answers = (): unknown[] => {
      const engine = checkerIn(repository, {});
      const found = [
        ...cells.map((cell) => engine.check(cell)),
        engine.complete(completed, completed.length),
        engine.inspect(asked, asked.length),
      ];
      engine.close();
      return found;
    };
    const awake = answers();
    for (const found of awake.slice(0, cells.length)) assert.notDeepEqual(found, []);
    letLibrariesSleep();
    assert.deepEqual(answers(), awake);
  });
});
