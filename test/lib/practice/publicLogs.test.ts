import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { doctor } from "turnwise-practice";
import { root } from "../../support/paths.js";

interface Row {
  readonly path: string;
  readonly commit: string;
  readonly steps: number;
  readonly verdict: string;
  readonly alarms: readonly string[];
  readonly blind: readonly string[];
}

const file = (...parts: string[]): string => path.join(root, "datasets", ...parts);
const rows = fs
  .readFileSync(file("measured", "public-logs.jsonl"), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Row);

describe("the public logs of healthy runs", () => {
  // The others are at the commits that the table has, and not here: datasets/measure-public-logs.cjs reads them.
  for (const [name, ending] of [
    ["trl-chaos-economy.json", "training_logs.json"],
    ["tinker-cog-3.jsonl", "experiment_3/training_metrics.jsonl"],
    ["tinker-cog-6.jsonl", "experiment_6/training_metrics.jsonl"],
  ] as const) {
    it(`${name} raises the alarms that are stored of it`, async () => {
      const stored = rows.find((row) => row.path.endsWith(ending))!;
      const run = (await doctor(file("logs", "public", name))).parts.view.run!;
      assert.equal(run.records.length, stored.steps);
      assert.equal(run.verdict.success.kind, stored.verdict);
      assert.deepEqual([...new Set(run.verdict.alarms.map(({ rule }) => rule))].sort(), stored.alarms);
      assert.deepEqual([...run.verdict.blind].sort(), stored.blind);
    });
  }

  it("are ten or more, each at a commit, none with a fall, and none with two alarms that tell", () => {
    assert.ok(rows.length >= 10);
    // Both are up about as often in runs that hold as before a fall.
    const mute = ["std cliff", "entropy cliff"];
    for (const { commit, verdict, alarms } of rows) {
      assert.match(commit, /^[0-9a-f]{40}$/);
      assert.equal(verdict, "held");
      assert.ok(alarms.filter((name) => !mute.includes(name)).length <= 1);
    }
  });
});
