// Uses internals of turnwise-kernel/types, turnwise-kernel/front.
import assert from "node:assert/strict";
import ts from "typescript";
import { StaleNames } from "turnwise-kernel/dist/front/stale-names.js";
import { sharedNames } from "turnwise-kernel/dist/types/referred-names.js";

const parsed = (code: string): ts.SourceFile => ts.createSourceFile("cell.ts", code, ts.ScriptTarget.ESNext);
const used = (code: string): string[] => [...sharedNames(parsed(code)).uses].sort();

describe("the names that a cell uses of others", () => {
  const cases: readonly (readonly [code: string, names: readonly string[]])[] = [
    ['check("a", answer) // it\'s not x', ["answer", "check"]],
    ["/* it's */ check('a', answer) // it's", ["answer", "check"]],
    ["obj.answer; obj['key']; obj[key]", ["key", "obj"]],
    [
      "({ answer: 1, [computed]: 2, shorthand, method() { return inside } })",
      ["computed", "inside", "shorthand"],
    ],
    ["const f = (r: Kind[], x = start) => r.map((y) => y + x + far)", ["far", "start"]],
    ["const { a, b: { c = other } } = source", ["other", "source"]],
    ["function g(this: T, ...rest: T[]) { return rest.length + later }", ["later"]],
    ["class A extends Base { static s = init; #p = 1; m() { return this.#p } }", ["Base", "init"]],
    ["type A = B; interface C extends D {}; let x: E = y as F", ["y"]],
    ["outer: for (const i of list) { if (i) break outer }", ["list"]],
    ["import { a } from 'b'; a(c)", ["c"]],
    ["enum E { A = start }; namespace N { export const z = w }", ["start", "w"]],
    ["try { run() } catch (error) { log(error) }", ["log", "run"]],
    ["`text ${value}`; tag`x`; a?.b?.(c); new K(d)", ["K", "a", "c", "d", "tag", "value"]],
  ];
  for (const [code, names] of cases) it(code, () => assert.deepEqual(used(code), names));
});

describe("names whose cell has failed", () => {
  const namesOf = (code: string): ReturnType<typeof sharedNames> => sharedNames(parsed(code));
  const stale = new StaleNames();
  const ran = (code: string, failed = false): void => stale.ended(namesOf(code), failed);
  const usedBy = (code: string): string[] => stale.usedBy(namesOf(code));

  it("are told where a cell uses them, by itself or by what it calls, and not where a parameter has the name", () => {
    ran("const x = 1", true);
    ran("const helper = (r: number[]) => r.length");
    ran("const answer = (x: number) => helper([x])");
    assert.deepEqual(usedBy("check('sum', answer)"), []);
    ran("const helper = (r: number[]) => broken", true);
    assert.deepEqual(usedBy("check('sum', answer)"), ["helper"]);
    assert.deepEqual(usedBy("x + 1"), ["x"]);
    ran("const helper = (r: number[]) => 1");
    assert.deepEqual(usedBy("check('sum', answer)"), []);
    stale.clear();
    assert.deepEqual(usedBy("x + 1"), []);
  });

  it("are also those that it assigns, whatever the pattern, but not what its functions assign later", () => {
    ran("let answer = (x: number) => x, other = 1, far = 1, later = 1");
    ran("answer = (x) => broken; ({ other, a: [far = 2] } = source); const f = () => { later = 2 }", true);
    assert.deepEqual(usedBy("check('sum', answer, other, far, later)"), ["answer", "other", "far"]);
    assert.deepEqual(usedBy("answer = (x: number) => x; check('sum', answer)"), []);
    ran("if (true) answer = (x: number) => x");
    assert.deepEqual(usedBy("check('sum', answer)"), []);
    ran("obj.answer = 2; answer.name = 'a'; far === 1; far += 1", true);
    assert.deepEqual(usedBy("check('sum', answer)"), []);
    stale.clear();
  });
});
