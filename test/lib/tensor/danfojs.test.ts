import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { DataFrame, readCSV, Series } from "danfojs-node";
import { tf } from "turnwise";

const records = [
  { rule: "grpo", seed: 1, reward: 1 },
  { rule: "grpo", seed: 2, reward: 3 },
  { rule: "rloo", seed: 1, reward: 5 },
];

describe("danfojs-node on the stand-ins in lib/turnwise/vendor", () => {
  it("makes a DataFrame's tensor with the project's own TensorFlow.js", () => {
    const tensor = new DataFrame([
      [1, 2],
      [3, 4],
    ]).tensor as unknown;
    assert.ok(tensor instanceof tf.Tensor);
    assert.deepEqual(tensor.arraySync(), [
      [1, 2],
      [3, 4],
    ]);
    const back = new DataFrame(tf.tensor2d([[5, 6]]) as never);
    assert.deepEqual(back.values, [[5, 6]]);
    tensor.dispose();
  });

  it("groups by a column: means 2 = (1 + 3) / 2 and 5", () => {
    const frame = new DataFrame(records);
    const means = frame.groupby(["rule"]).agg({ reward: "mean" });
    assert.deepEqual(means.columns, ["rule", "reward_mean"]);
    assert.deepEqual(means.values, [
      ["grpo", 2],
      ["rloo", 5],
    ]);
  });

  it("describes by mean, standard deviation and median (the stand-in for mathjs)", () => {
    // 1, 3, 5: mean 3, sample standard deviation sqrt(((-2)^2 + 0 + 2^2) / 2) = 2, median 3.
    const reward = new DataFrame(records).column("reward") as Series;
    assert.equal(reward.mean(), 3);
    assert.equal(reward.std(), 2);
    assert.equal(reward.median(), 3);
  });

  it("samples rows the same way for the same seed", async () => {
    const frame = new DataFrame(records);
    const first = await frame.sample(2, { seed: 7 });
    const second = await frame.sample(2, { seed: 7 });
    assert.deepEqual(first.values, second.values);
    assert.equal(first.shape[0], 2);
  });

  it("reads a CSV file", async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "turn wise-"));
    const file = path.join(folder, "records.csv");
    fs.writeFileSync(file, "rule,reward\ngrpo,1\nrloo,2.5\n");
    const frame = await readCSV(file);
    assert.deepEqual(frame.columns, ["rule", "reward"]);
    assert.deepEqual(frame.values, [
      ["grpo", 1],
      ["rloo", 2.5],
    ]);
    fs.rmSync(folder, { recursive: true });
  });
});
