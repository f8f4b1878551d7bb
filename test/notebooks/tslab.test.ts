// Uses internals of turnwise-kernel/runner.
import assert from "node:assert/strict";
import path from "node:path";
import type { NbformatOutput } from "turnwise-kernel";
import { readNotebook, upgradeNotebook, type Cell } from "turnwise-kernel/dist/runner/notebook.js";
import { notebookProblems } from "turnwise-kernel/dist/runner/validate.js";
import { root } from "../support/paths.js";
import { sharedKernel, type SharedKernel } from "./sharedKernel.js";

const folder = path.join(root, "test", "notebooks", "tslab");

/** Runs a notebook in its own folder; resolves with its code cells and what failed. */
async function runIn(
  kernel: SharedKernel,
  name: string,
  o: { mayFail?: boolean } = {},
): Promise<{ cells: Cell[]; failures: string[] }> {
  const notebook = upgradeNotebook(readNotebook(path.join(folder, `${name}.ipynb`)));
  assert.deepEqual(notebookProblems(notebook), []);
  assert.equal((notebook.metadata.kernelspec as { name: string }).name, "tslab");
  // As a person who goes on after an error runs them.
  if (o.mayFail) for (const cell of notebook.cells) cell.metadata.tags = ["raises-exception"];
  const result = await kernel.run(notebook, { budgetMs: 100_000 });
  return {
    cells: result.notebook.cells.filter(({ cell_type }) => cell_type === "code"),
    failures: result.failures,
  };
}

const textOf = (output: NbformatOutput): string =>
  output.output_type === "stream"
    ? output.text
    : output.output_type === "error"
      ? output.ename
      : String(output.data["text/plain"]);
const texts = (cells: Cell[]): string[] =>
  cells.map(({ outputs }) => (outputs ?? []).map(textOf).join("").trim());
/** The media type and content of everything a cell displays, without the text that goes along. */
const shown = ({ outputs }: Cell): [string, unknown][] =>
  (outputs ?? []).flatMap((output) =>
    "data" in output
      ? Object.entries(output.data).filter(([type, _], _i, all) => all.length === 1 || type !== "text/plain")
      : [],
  );

describe("notebooks made for tslab", function () {
  this.timeout(120_000);
  const kernel = sharedKernel({ cwd: folder });
  const run = (...given: [name: string, o?: { mayFail?: boolean }]): ReturnType<typeof runIn> =>
    runIn(kernel, ...given);

  it("run without an edit: first steps", async () => {
    const { cells, failures } = await run("first-steps");
    assert.deepEqual(failures, []);
    assert.deepEqual(texts(cells), [
      "kernel versions are strings: true",
      "",
      // Fibonacci's numbers 1, 1, 2, 3, 5 ...: the 21st is 10946.
      "ways(20) = 10946",
      "area 12.57",
      "'paused'",
      // What tslab shows, and a question that it does not ask.
      "Promise { <pending> }\nThis is a promise of a value, not the value: did you forget await?",
      "'nothing there'",
      "[ 10, 20, 30 ]",
      "{ a: 3, b: 4, rest: [ 5, 6 ] }",
    ]);
  });

  it("run without an edit: display", async () => {
    const { cells, failures } = await run("display");
    assert.deepEqual(failures, []);
    const types = cells.map((cell) => shown(cell).map(([type]) => type));
    assert.deepEqual(types, [
      [],
      ["text/html"],
      ["text/markdown"],
      ["text/latex"],
      ["image/svg+xml"],
      ["image/png"],
      ["application/json"],
      ["text/plain"],
      ["text/plain", "text/plain"],
      ["text/html"],
    ]);
    assert.match(String(shown(cells[5]!)[0]![1]), /^iVBORw0KGgo/);
    assert.deepEqual(shown(cells[7]!), [["text/plain", "step 5 of 5"]], "one display, overwritten");
    assert.deepEqual(shown(cells[9]!), [["text/html", "<i>by require</i>"]]);
  });

  it("run without an edit: modules, JSX, enums and imports of Node", async () => {
    const { cells, failures } = await run("modules");
    assert.deepEqual(failures, []);
    assert.deepEqual(texts([cells[1]!, cells[2]!, cells[4]!, cells[5]!]), [
      "[ 12, 4 ]",
      "'<ul><li>one</li><li>two</li></ul>'",
      "[ '.ipynb', true, 'function' ]",
      "[ 2, 'm', true ]",
    ]);
    assert.deepEqual(shown(cells[3]!), [["text/html", "<ul><li>one</li><li>two</li></ul>"]]);
  });

  it("run without an edit: data frames of danfo, and a plot by a script", async () => {
    const { cells, failures } = await run("data-frames");
    assert.deepEqual(failures, []);
    assert.equal(texts(cells)[1], "[ 3, 2 ]");
    assert.match(texts(cells)[2]!, /grpo[^]*0\.75/);
    assert.equal(texts(cells)[3], "[ [ 'rloo', 0.75 ] ]");
    assert.match(String(shown(cells[4]!)[0]![1]), /^<table><tr><td>rloo<\/td><td>0\.75<\/td>/);
    assert.match(String(shown(cells[5]!)[0]![1]), /newPlot\('scores', \[\{"x":\["rloo","grpo","ppo"\]/);
  });

  it("run without an edit: a model that is fitted", async () => {
    const { cells, failures } = await run("tensors");
    assert.deepEqual(failures, []);
    assert.deepEqual(shown(cells[2]!), [["text/plain", "epoch 200"]]);
    assert.equal(texts(cells)[3], "true");
  });

  it("stop where tslab stops, keep the variables that it loses, and run on", async () => {
    const { cells, failures } = await run("errors", { mayFail: true });
    assert.deepEqual(failures, []);
    assert.deepEqual(texts(cells), ["TypeScriptError", "TypeScriptError", "Error", "6", "TypeScriptError"]);
    const [output] = cells[1]!.outputs!;
    assert.ok(output?.output_type === "error");
    assert.match(output.evalue, /:2:1 - TS2322: Type 'string' is not assignable to type 'number'/);
  });
});
