import assert from "node:assert/strict";
import { injectParameters, parseParameter } from "turnwise-kernel/dist/runner/parameters.js";
import { code, markdown, notebookOf } from "../support/notebook.js";

const source = "let lr = 0.1, name = 'a';\nconst fixed = 3;\n{ let inner = 1; }\nfunction f() {}";

describe("parameters of a notebook", () => {
  it("are read as JSON if the text is JSON, or else as text", () => {
    const cases: [string, unknown][] = [
      ["lr=0.05", 0.05],
      ["on=true", true],
      ["x=null", null],
      ["list=[1,2]", [1, 2]],
      ['quoted="1"', "1"],
      ["name=grpo", "grpo"],
      ["path=a=b", "a=b"],
      ["empty=", ""],
    ];
    for (const [text, value] of cases) assert.deepEqual(parseParameter(text)[1], value, text);
    for (const text of ["lr", "=1", "1a=2", "a b=2"]) {
      assert.throws(() => parseParameter(text), /-p must be followed by name=value, got /, text);
    }
  });

  it("are injected after the tagged cell: variables assigned, constants declared again", () => {
    const notebook = notebookOf(markdown("x"), code(source, "parameters"), code("lr"));
    const result = injectParameters(notebook, { lr: 0.5, fixed: { a: "</script>" } });
    assert.equal(result.cells.length, 4);
    assert.deepEqual(result.cells[2].metadata.tags, ["injected-parameters"]);
    assert.equal(
      result.cells[2].source,
      '// Parameters\nlr = 0.5;\nconst fixed = {"a":"</script>"};\nvoid 0;',
    );
    assert.equal(notebook.cells.length, 3, "the notebook given is not changed");
  });

  it("replace those of an earlier run", () => {
    const first = injectParameters(notebookOf(code(source, "parameters"), code("lr")), { lr: 1 });
    const second = injectParameters(first, { name: "b" });
    assert.deepEqual(
      second.cells.map((cell) => cell.source),
      [source, '// Parameters\nname = "b";\nvoid 0;', "lr"],
    );
  });

  it("must be declared at the top level of the tagged cell; the error names those that are", () => {
    const notebook = notebookOf(code(source, "parameters"));
    assert.throws(
      () => injectParameters(notebook, { learningRate: 1, inner: 2, lr: 3 }),
      /^Complaint: Cannot set learningRate, inner: the cell tagged "parameters" must declare each parameter, but it has lr, name, fixed\.$/,
    );
    assert.throws(() => injectParameters(notebookOf(code("let lr = 1")), { lr: 2 }), /, but it has none\.$/);
  });

  it("change nothing when none is given", () => {
    const notebook = notebookOf(code("1"));
    assert.equal(injectParameters(notebook, {}), notebook);
  });
});
