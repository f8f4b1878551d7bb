// Uses internals of turnwise-kernel/runner.
import assert from "node:assert/strict";
import path from "node:path";
import { make, scriptedBatch, trainSeeds } from "turnwise";
import { claims } from "turnwise-course";
import { nearOptimum } from "turnwise-course/start-here";
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

  it("shows an agent that gets nearly all there is", () => {
    const [end, optimum] = numbers(shown("train"), /grpo: (\S+) after .* optimum is (\S+)\.$/m);
    assert.ok(end! > 0.95 * optimum!);
  });

  it("shows a newcomer that does a bit of everything, and an agent that looks up and answers what it read", () => {
    assert.match(shown("before"), /turn 1: \(question[^)]*\) ANSWER/);
    assert.match(shown("before"), /turn 1: \(question[^)]*\) LOOKUP/);
    const after = shown("after").split(/\n {2}(?=\d, return)/).slice(1); // prettier-ignore
    assert.equal(after.length, 6);
    for (const one of after)
      assert.match(one, /LOOKUP \d {2}reward 0\n.*the fact is (\d)\) ANSWER \1 {2}reward 1/);
  });

  it("shows an agent without the syntax that learns later: not halfway when its run ends", () => {
    const [known, changed] = numbers(shown("knob-run"), /knows calls ends at (\S+) .*changed ends at (\S+) /);
    assert.ok(known! > 0.95 && changed! > 0.1 && changed! < 0.5);
  });

  it("quotes when the two runs climb, and how often chance finds a lookup and the right answer", async () => {
    const task = { env: "LookUp-v0", recipe: "grpo", updates: 90, exactEvery: 1 } as const;
    const [known, changed] = await Promise.all(
      [3, 0].map(async (syntaxPrior) => {
        const { runs } = await trainSeeds({ ...task, policy: { syntaxPrior } }, 1);
        return (update: number): number => runs[0]![update - 1]!.metrics["return/exact"]!;
      }),
    );
    assert.ok(known!(40) > 0.85 && changed!(80) < 0.05 && changed!(90) > 0.1);
    const chance = (weight: number): number => {
      const tool = weight / (2 * weight + 4);
      const value = weight / (4 * weight + 2);
      // LOOKUP takes any word as its value.
      return tool * tool * value;
    };
    assert.ok(Math.abs(1 / chance(1) - 216) < 1e-9);
    assert.equal(Math.round(1 / chance(Math.exp(3))), 20);
  });

  it("shows ten seeds of it that disagree: seven solve the task, seed 0 is not halfway, one has learned nothing", async () => {
    const { data } = notebook.cells.find(({ id }) => id === "seeds")!.outputs!.find((one) => "data" in one)!;
    const { title } = data["application/vnd.vegalite.v5+json"] as { title: { text: string } };
    assert.equal(title.text, "7 of 10 seeds end within 5% of the optimum");
    const setting = { env: "LookUp-v0", recipe: "grpo", updates: 100, exactEvery: 100 } as const;
    const runs = await trainSeeds({ ...setting, policy: { syntaxPrior: 0 } }, 10);
    const ends = runs.final("return/exact").values;
    assert.equal(nearOptimum(runs, 1), title.text);
    assert.ok(ends[0]! < 0.5 && ends.filter((end) => end < 0.02).length === 1);
  });

  it("looks a fact up with any word after LOOKUP", () => {
    const world = make("LookUp-v0");
    for (const word of world.spec.vocabulary) {
      const batch = scriptedBatch(world, [[["LOOKUP", word], ["ANSWER", "3"]]]); // prettier-ignore
      assert.match(batch.observation_nt[0]![1]!, /the fact is/, word);
    }
  });

  it("says that no seed ends at the mean, and that 300 updates are enough for all", async () => {
    const setting = { env: "LookUp-v0", recipe: "grpo", policy: { syntaxPrior: 0 } } as const;
    const runs = await trainSeeds({ ...setting, updates: 300, exactEvery: 100 }, 10);
    const at100 = runs.runs.map((records) => records[99]!.metrics["return/exact"]!);
    const mean = at100.reduce((sum, end) => sum + end, 0) / 10;
    assert.ok(at100.every((end) => Math.abs(end - mean) > 0.05));
    assert.equal(at100.filter((end) => end > 0.8 && end < 0.95).length, 1);
    assert.equal(nearOptimum(runs, 1), "10 of 10 seeds end within 5% of the optimum");
  });

  it("counts as near the optimum what is less than 5% away from it", async () => {
    const runs = await trainSeeds({ env: "LookUp-v0", recipe: "grpo", updates: 2, exactEvery: 1 }, 3);
    const ends = runs.final("return/exact").values;
    const most = Math.max(...ends);
    assert.ok(most > 0 && ends.every((end) => end <= most));
    assert.equal(nearOptimum(runs, most * 2), "0 of 3 seeds end within 5% of the optimum");
    const near = ends.filter((end) => end >= 0.95 * most).length;
    assert.equal(nearOptimum(runs, most), `${near} of 3 seeds end within 5% of the optimum`);
  });

  it("shows the ledger that the stored runs decide", () => {
    assert.deepEqual(
      storedLedger("00-start-here").map((row) => [row.claim, row.measured, String(row.verdict)]),
      claims.startHere.map((row) => [row.claim, row.measured, String(row.verdict)]),
    );
  });
});
