import assert from "node:assert/strict";
import { letDoze } from "turnwise-kernel/dist/types/doze.js";
import { letSleep } from "turnwise-kernel/dist/types/sleep.js";
import ts from "typescript";

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

  it("is read when a cell needs its exports, once, and not when another needs its own", () => {
    const { check, reads } = program({
      "/cell.ts": 'import { a } from "./a"; export const n: number = a.size;',
      "/a.d.ts": 'import { B } from "./b"; import "./c"; export declare const a: B;',
      "/b.d.ts": "export interface B { size: number }",
      "/c.d.ts": "export declare const c: string;",
    });
    assert.deepEqual(check(), []);
    assert.deepEqual(check(), []);
    assert.deepEqual(reads, { "/a.d.ts": 1, "/b.d.ts": 1 });
  });

  it("knows what it declares for modules of other names", () => {
    const { check, reads } = program({
      "/cell.ts": 'import { join } from "node:path"; export const text: string = join("a");',
      "/globals.d.ts":
        'declare module "path" { export function join(one: string): string; }\n' +
        'declare module "node:path" { export * from "path"; }',
      "/globals2.d.ts": 'declare module "fs" { export const size: number; }',
    });
    assert.deepEqual(check(), []);
    assert.deepEqual(reads, { "/globals.d.ts": 1 });
  });

  it("does not sleep if it adds to what all cells see", () => {
    const { check, reads } = program(
      {
        "/cell.ts": 'import "./a"; export const n: number = everywhere;',
        "/a.d.ts": "export {}; declare global { const everywhere: number; }",
        "/globals.d.ts": "declare const other: number;",
      },
      { doze: false },
    );
    assert.deepEqual(check(), []);
    assert.deepEqual(reads, {});
  });

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

  it("keeps the names that it adds for all cells, and is not read while no cell uses them", () => {
    const { check, reads } = program({ "/cell.ts": "export const x = 1;", ...everywhere });
    assert.deepEqual(check(), []);
    assert.deepEqual(reads, {});
  });

  it("is read when a cell uses what it adds, and finds what is wrong there", () => {
    const right =
      'const n: number = box.put("a").size; const p: Pair<number>[0] = f(1).at + deep.go(1)[1].more[1].size;' +
      'const v: string = box.inner[0].value; late = { kind: "late" }; late = new Point(1); export {};';
    const { check, reads } = program({ "/cell.ts": right, ...everywhere });
    assert.deepEqual(check(), []);
    assert.deepEqual(check(), []);
    assert.deepEqual(Object.keys(reads).sort(), ["/globals.d.ts", "/globals2.d.ts", "/globals3.d.ts"]);
    for (const times of Object.values(reads)) assert.ok(times <= 2, "at most again after a collection");
    const wrong = program({ ...everywhere, "/cell.ts": "export {};" });
    assert.deepEqual(wrong.check(), []);
    wrong.change("/cell.ts", 'box.put(1); f({ b: "" }); const s: string = deep.go(1)[0].size; export {};');
    assert.deepEqual(wrong.check(), [
      "Argument of type 'number' is not assignable to parameter of type 'string'.",
      "No overload matches this call.   Overload 1 of 2, '(a: { b: number; }): Box<string>', gave the following error.     " +
        "Type 'string' is not assignable to type 'number'.   Overload 2 of 2, '(a: number): Point', gave the following error.     " +
        "Argument of type '{ b: string; }' is not assignable to parameter of type 'number'.",
      "Type 'number' is not assignable to type 'string'.",
    ]);
  });
});
