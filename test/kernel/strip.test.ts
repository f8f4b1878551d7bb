import assert from "node:assert/strict";
import { blankSourceFile } from "ts-blank-space";
import ts from "typescript";
import { ink, parsed, stripped } from "./stripped.js";

describe("stripping types", function () {
  this.timeout(60_000);
  this.slow(20_000);

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
