import assert from "node:assert/strict";
import path from "node:path";
import ts from "typescript";
import { examplesBelow, failuresOf, programOf, typeErrors, type DocExample } from "../support/docExamples.js";
import { root } from "../support/paths.js";

const example = (...lines: string[]): DocExample => ({
  where: "file.ts:1",
  file: path.join(root, "file.ts"),
  line: 1,
  code: lines.join("\n"),
});

describe("examples of docstrings", function () {
  this.timeout(300_000);
  const examples = ["turnwise", "practice", "course"].flatMap((name) =>
    examplesBelow(path.join(root, "lib", name, "src")),
  );
  const tier = path.join(root, "lib", "turnwise", "dist", "index.d.ts");
  let program: ts.Program;
  before(() => {
    program = programOf(examples, [tier]);
  });

  it("have the types that the library declares, and import from its tiers only", () => {
    assert.equal(typeErrors(program, examples).join("\n"), "");
  });

  it("stand at every function of the first tier", () => {
    const checker = program.getTypeChecker();
    const names = checker
      .getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(tier)!)!)
      .map((symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol))
      .filter((symbol) => symbol.flags & ts.SymbolFlags.Function)
      .filter((symbol) => !symbol.getJsDocTags(checker).some(({ name }) => name === "example"))
      .map(({ name }) => name);
    assert.deepEqual(names, []);
  });
});

describe("the reader of examples", () => {
  it("takes numbers by the digits that are written, and lists and objects part by part", async () => {
    const right = example(
      "2 / 3; // => 0.67",
      "new Float32Array([0.1, -0.5]); // => [0.1, -0.5]",
      '({ name: "a", rest: [NaN, undefined] }); // => { name: "a", rest: [NaN, undefined] }',
      "await Promise.resolve(1.5e-7); // => 1.5e-7",
    );
    assert.deepEqual(await failuresOf(right), []);
  });

  const wrong: readonly [string, string, string][] = [
    ["a digit", "2 / 3; // => 0.66", "file.ts:2: 0.66 is claimed, the value is 0.6666666666666666"],
    ["an integer", "2.1; // => 2", "file.ts:2: 2 is claimed, the value is 2.1"],
    ["a length", "[1, 2]; // => [1]", "file.ts:2: [1] is claimed, the value is [ 1, 2 ]"],
    ["a property", "({ a: 1 }); // => { b: 1 }", "file.ts:2: { b: 1 } is claimed, the value is { a: 1 }"],
    ["a text", '"a"; // => "b"', "file.ts:2: \"b\" is claimed, the value is 'a'"],
    [
      "a claim of nothing",
      "const a = 1; // => 1",
      'file.ts:1: a claim must follow an expression: "// => 1" follows const a = 1;',
    ],
    [
      "a claim inside a statement",
      "if (true) {\n  2; // => 2\n}",
      "file.ts:1: a claim must follow an expression: only 0 of 1 do",
    ],
    ["an error", 'throw new Error("no");', "file.ts:1: no"],
  ];
  for (const [what, code, failure] of wrong) {
    it(`refuses ${what} that is wrong`, async () => {
      assert.deepEqual(await failuresOf(example(code)), [failure]);
    });
  }

  it("refuses wrong types, unused imports and imports from the source", () => {
    const examples = [
      example('import { make, train } from "turnwise";', "make(1);"),
      example('import { nearest } from "../base/suggest";', "export { nearest };"),
    ];
    const errors = typeErrors(programOf(examples), examples);
    assert.equal(errors.length, 4);
    assert.match(errors[0]!, /^file\.ts:2: 'train' is declared but its value is never read/);
    assert.match(errors[1]!, /^file\.ts:3: Argument of type '1' is not assignable to parameter of type/);
    assert.match(errors[2]!, /^file\.ts:1: imports "\.\.\/base\/suggest", which is no tier of turnwise/);
    assert.match(errors[3]!, /^file\.ts:2: Cannot find module/);
  });
});
