// Uses internals of turnwise-practice.
import assert from "node:assert/strict";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parquetMetadata } from "hyparquet";
import { make, scriptedBatch } from "turnwise";
import { parquet } from "turnwise-practice/internal/traces/writing/containers";
import { sameJson } from "turnwise-practice/internal/traces/writing/equal";
import { trajectoriesOf } from "turnwise-practice/internal/traces/writing/trajectoriesOf";

describe("the trajectories of a batch", () => {
  it("keep what each turn before the last has earned, where that is not 0", () => {
    const tiger = make("Tiger-v0", { listenCost: -1 });
    const batch = scriptedBatch(tiger, [[["LISTEN"], ["LISTEN"], ["LISTEN"], ["LISTEN"]]]);
    const rewards = [1, 0, 0.5, 2];
    const given = { ...batch, info_nt: undefined, reward_nt: Float64Array.from(rewards) } as never;
    const [one] = trajectoriesOf(given);
    // The last turn's is in the reward of the whole.
    assert.deepEqual(
      one!.turns.map(({ info }) => info),
      [{ reward: 1 }, undefined, { reward: 0.5 }, undefined],
    );
    assert.deepEqual(one!.turns[0]!.tokens, ["LISTEN"]);
  });
});

describe("a Parquet file", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "turnwise-parquet-"));
  after(() => rmSync(folder, { recursive: true }));

  it("has rows in one group until they are eight million letters", async () => {
    const file = path.join(folder, "rows.parquet");
    const fd = openSync(file, "w");
    const container = await parquet((bytes) => writeSync(fd, bytes));
    for (const reward of [0, 0.5, 1]) container.push({ reward }, JSON.stringify({ reward }));
    container.end();
    closeSync(fd);
    const bytes = readFileSync(file);
    const { row_groups: groups } = parquetMetadata(new Uint8Array(bytes).buffer);
    assert.deepEqual(
      groups.map((group) => Number(group.num_rows)),
      [3],
    );
  });
});

describe("two values of JSON", () => {
  it("are the same if they have the same names and values, in any order", () => {
    assert.equal(sameJson({ a: 1, b: [1, { c: null }] }, { b: [1, { c: null }], a: 1 }), true);
    assert.equal(sameJson(3n, 3), true);
    const different: readonly (readonly [unknown, unknown])[] = [
      [{ a: 1 }, { a: 1, b: 2 }],
      [{ a: 1, b: 2 }, { a: 1 }],
      [{ a: 1 }, { b: 1 }],
      [{ a: 1 }, { a: 2 }],
      [[1, 2], [1]],
      [[1], { 0: 1 }],
      [null, {}],
    ];
    for (const [a, b] of different) assert.equal(sameJson(a, b), false, JSON.stringify([a, b]));
  });
});
