// Uses internals of turnwise-kernel/runner.
import assert from "node:assert/strict";
import path from "node:path";
import { claims } from "turnwise-course";
import { readNotebook } from "turnwise-kernel/dist/runner/notebook.js";
import { root } from "../support/paths.js";
import { storedLedger } from "./storedLedger";

const notebook = readNotebook(path.join(root, "notebooks", "00-start-here.ipynb"));

/** What a stored cell shows, as text. */
const shown = (id: string): string =>
  (notebook.cells.find((cell) => cell.id === id)?.outputs ?? [])
    .map((output) => ("data" in output ? String(output.data["text/plain"]) : ""))
    .join("\n");

const numbers = (text: string, pattern: RegExp): number[] =>
  (pattern.exec(text) ?? assert.fail(text)).slice(1).map(Number);

describe("the first lesson", () => {
  it("trains in its first code cell after the picture of the loop and the knobs", () => {
    const code = notebook.cells.filter(({ cell_type }) => cell_type === "code").map(({ id }) => id);
    assert.deepEqual(code.slice(0, 3), ["loop", "parameters", "train"]);
  });

  it("shows an agent that gets nearly all there is, from every seed", () => {
    const [end, optimum] = numbers(shown("train"), /grpo: (\S+) after .* optimum is (\S+)\.$/m);
    assert.ok(end! > 0.95 * optimum!);
    const [low] = numbers(shown("seeds"), /grpo ends at \S+ \(interval (\S+) to/);
    assert.ok(low! > 0.95);
  });

  it("shows a newcomer that does a bit of everything, and an agent that looks up and answers what it read", () => {
    assert.match(shown("before"), /turn 1: \(question[^)]*\) ANSWER/);
    assert.match(shown("before"), /turn 1: \(question[^)]*\) LOOKUP/);
    const after = shown("after").split(/\n {2}(?=\d, return)/).slice(1); // prettier-ignore
    assert.equal(after.length, 6);
    for (const one of after)
      assert.match(one, /LOOKUP \d {2}reward 0\n.*the fact is (\d)\) ANSWER \1 {2}reward 1/);
  });

  it("shows an agent without the syntax that learns later, and from some seeds not yet", () => {
    const [known, changed, low] = numbers(
      shown("knob-run"),
      /knows calls ends at (\S+) .*changed ends at (\S+) \(interval (\S+) to/,
    );
    assert.ok(changed! < known! && low! < 0.9);
  });

  it("shows the ledger that the stored runs decide", () => {
    assert.deepEqual(
      storedLedger("00-start-here").map((row) => [row.claim, row.measured, String(row.verdict)]),
      claims.startHere.map((row) => [row.claim, row.measured, String(row.verdict)]),
    );
  });
});
