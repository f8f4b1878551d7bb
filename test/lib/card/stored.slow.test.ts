import assert from "node:assert/strict";
import { explain, recipeNames } from "turnwise";
import { storedCard, reportCardJob } from "turnwise/internal/card/stored";
import { storedCardOptions, storedSettings } from "turnwise/internal/card/stored";
import { holdsAgain, lines, text } from "./storedLines.js";

describe("datasets/measured/report-card.jsonl", function () {
  this.timeout(300_000);

  it("has a line for each recipe at each setting, in order", () => {
    const settings = storedSettings();
    const wanted = settings.length * recipeNames.length;
    assert.equal(lines.length, wanted, "run: node datasets/measure-report-card.cjs, then npm run generated");
    lines.forEach((line, i) => {
      const record = JSON.parse(line) as Record<string, unknown>;
      const { world, ...point } = settings[Math.floor(i / recipeNames.length)]!;
      const expected = { row: recipeNames[i % recipeNames.length], world: world.name, ...point };
      for (const [name, value] of Object.entries(expected))
        assert.equal(record[name], value, `line ${i + 1}, ${name}`);
      assert.equal(record["policies"], storedCardOptions.seeds);
    });
  });

  // One that is enumerated on each world that has one, one with stale batches, and one that is sampled, with noise on its log-probs.
  const sample = ["reinforce", "grpo", "gigpo", "seeUpo"] as const;
  for (const [wanted, names] of [
    ["recovery 1 2 0 0", recipeNames],
    ["stopOrGo 1 2 0 0", sample],
    ["recovery 1 8 4 0", sample],
    ["recovery 1 8 0 0.3", sample.slice(1, 2)],
  ] as const) {
    it(`holds what is computed again at ${wanted} (groups, group size, staleness, mismatch)`, () => {
      holdsAgain(wanted, names);
    });
  }

  it("does not depend on which other rows are measured", () => {
    const setting = storedSettings().findIndex(({ world }) => world.name === "recovery");
    const all = reportCardJob({ setting, seed: 1 });
    const one = reportCardJob({ setting, seed: 1, rows: ["happo"] });
    assert.deepEqual(one.figures, [all.figures[recipeNames.indexOf("happo")]]);
  });

  it("reads as a card, in which unbiased rules are unbiased wherever groups are listed and fresh", () => {
    const card = storedCard(text);
    const exact = card.records.filter((r) => r.method === "enumerated" && r.staleness === 0);
    assert.ok(exact.length > 100);
    for (const record of exact) {
      if (record.row !== "rloo" && record.row !== "reinforce") continue;
      assert.ok(record.bias.value < 1e-6, `${record.row} on ${record.world}: ${record.bias.value}`);
      assert.ok(Math.abs(record.scale.value - 1) < 1e-6);
    }
  });

  it("gives explain() a line for every recipe", () => {
    for (const name of recipeNames) {
      assert.match(explain(name).toString(), /Report card .*: bias (\d|infinite)/, name);
    }
    // The tokens of most entropy are a fifth of them, and not those that the task is about.
    assert.match(explain("highEntropy").toString(), /bias infinite \(somewhere it expects no step uphill\)/);
  });

  it("refuses a setting that it does not have", () => {
    assert.throws(() => reportCardJob({ setting: 50, seed: 0 }), {
      name: "RangeError",
      message: "Cannot compute a setting of the report card: its number must be from 0 to 49, got 50.",
    });
  });
});
