import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { blankSourceFile } from "ts-blank-space";
import ts from "typescript";
import { Edits } from "turnwise-kernel/dist/types/transform/edits.js";
import { NeedsDownlevel, stripTypes } from "turnwise-kernel/dist/types/transform/strip.js";
import { root } from "../support/paths.js";

function parsed(source: string): ts.SourceFile {
  return ts.createSourceFile("cell.ts", source, ts.ScriptTarget.ESNext, true);
}

/** The text without its types; undefined where it needs TypeScript's printer. */
function stripped(file: ts.SourceFile): string | undefined {
  const edits = new Edits(file.text);
  try {
    stripTypes(file, edits);
  } catch (error) {
    if (error instanceof NeedsDownlevel) return undefined;
    throw error;
  }
  return edits.build().code;
}

/** Imports and exports are rewritten by another step: what the stripper leaves of them does not count. */
function withoutModules(file: ts.SourceFile, code: string): string {
  let text = code;
  for (const statement of file.statements) {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) continue;
    const [start, end] = [statement.getStart(file), statement.end];
    text = text.slice(0, start) + " ".repeat(end - start) + text.slice(end);
  }
  return text;
}

const ink = (text: string): string => text.replace(/[\s;]/g, "");

describe("stripping types", function () {
  this.timeout(60_000);
  this.slow(20_000);

  it("leaves of each file of this repository what ts-blank-space leaves, each character at its place", () => {
    let compared = 0;
    for (const folder of ["kernel/src", "lib/src"]) {
      for (const name of readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })) {
        if (!name.endsWith(".ts")) continue;
        const file = parsed(readFileSync(join(root, folder, name), "utf8"));
        const mine = stripped(file);
        if (mine === undefined) continue;
        compared++;
        const theirs = blankSourceFile(file, () => assert.fail(`ts-blank-space refuses ${name}`));
        // It moves the parenthesis of an arrow function's parameters where its type spans lines: places are compared below.
        assert.equal(ink(withoutModules(file, mine)), ink(withoutModules(file, theirs)), name);
        assert.equal(mine.length, file.text.length, name);
        for (let at = 0; at < mine.length; at++) {
          if (mine[at] !== file.text[at]) assert.match(mine[at]!, /[ ;]/, `${name} at ${at}`);
        }
      }
    }
    assert.ok(compared > 400, `${compared} files were compared`);
  });

  const same: [string, string][] = [
    ["annotations", "let a: number = 1, b!: string; const { c }: { c: number } = x"],
    [
      "signatures",
      "function f<T>(this: T, a?: number, ...rest: string[]): asserts a is number { return a! }",
    ],
    ["overloads", "function f(a: string): void; function f(a: any) {}"],
    ["assertions", "const a = x as unknown as number; const b = y satisfies T; const c = z!.d!"],
    ["a cast before a line that would continue the expression", "let b = x as any\n(1)\nlet c = y!\n[1]"],
    ["a cast before a template", "let x = y satisfies T\n`a`"],
    [
      "type arguments",
      "f<T>(1); new F<T>(); class A<T> extends B<T> implements C, D {}; tag<T>`x`; const g = h<T>",
    ],
    [
      "classes",
      "abstract class Q { declare z: string; private readonly a?: number = 1; static override m?(): void {} [k: string]: any }",
    ],
    ["abstract members", "abstract class Q { abstract m(): void; abstract n: number; m2() {} }"],
    [
      "declarations",
      "interface I { a: 1 } type T = 2; declare const c: 3; declare function d(): void; declare namespace M {}",
    ],
    ["a declaration as the body of a branch", "if (a) interface I {}"],
    ["generic arrow functions", "const f = <T,>(x: T): T => x, g = async <T>(x: T): Promise<T> => x"],
    ["comments that hold code", "let a: /* ) => */ number = 1 // as x"],
    ["a return type behind a comment", "const f = (a /* ) */): /* ( */ number => a"],
  ];
  for (const [what, source] of same) {
    it(`agrees with ts-blank-space on ${what}`, () => {
      const file = parsed(source);
      const theirs = blankSourceFile(file, (node) => assert.fail(ts.SyntaxKind[node.kind]));
      assert.equal(ink(stripped(file)!), ink(theirs));
      new Function(`return async () => {\n${stripped(file)!}\n}`);
    });
  }

  const printed: [string, string][] = [
    ["an enum", "enum A { x }"],
    ["a namespace with values", "namespace N { export const q = 1 }"],
    ["a parameter property", "class A { constructor(private x: number) {} }"],
    ["a decorator", "class A { @dec m(): void {} }"],
    ["an accessor field", "class A { accessor y: number = 1 }"],
    ["using", "using x: T = y"],
    [
      "a return type behind which an arrow would stand on a line of its own",
      "const f = (a: number):\n  number => a",
    ],
  ];
  for (const [what, source] of printed) {
    it(`leaves ${what} to TypeScript's printer`, () => {
      assert.equal(stripped(parsed(source)), undefined);
    });
  }
});
