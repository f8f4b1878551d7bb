import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { expertIterationClaims } from "turnwise-course/search-and-world-models";
import { storedTable, type StoredRecord } from "turnwise-course";
import { searchedRun } from "turnwise-course/internal/09-search-and-world-models/expertIterationRun";
import { root } from "../../../support/paths";

const stored = ["searched-expert", "searched-grpo"].flatMap((name) =>
  storedTable(readFileSync(path.join(root, "datasets/measured", `${name}.csv`), "utf8")),
);

describe("expert iteration in the worlds that no rule solves", function () {
  this.timeout(120_000);

  it("solves both of them, and is ahead of GRPO, by the stored runs", () => {
    assert.deepEqual(
      expertIterationClaims(stored).map(({ verdict }) => verdict.text),
      ["holds", "holds"],
    );
  });

  it("refuses to call it solved where the runs are not", () => {
    const lower = stored.map((row): StoredRecord => ({ ...row, score: 0.85 * Number(row["score"]) }));
    assert.notEqual(expertIterationClaims(lower)[0]!.verdict.kind, "holds");
  });

  it("asks for both halves of the seeds: nothing is told of those that find alone", () => {
    const found = stored.filter((row) => Number(row["seed"]) < 20);
    assert.deepEqual(
      expertIterationClaims(found).map(({ verdict }) => verdict.kind),
      ["too few seeds", "too few seeds"],
    );
  });

  it("has every seed of both worlds, ten points each", () => {
    for (const world of ["Codebreaker", "ApiChain"]) {
      const points = (arm: string): number =>
        stored.filter((row) => row["world"] === world && row["arm"] === arm).length;
      assert.deepEqual([points("expert iteration"), points("grpo")], [400, 400]);
    }
  });

  it("reproduces a stored run of Codebreaker to its last digit", async () => {
    const again = await searchedRun({ world: "Codebreaker", arm: "expert iteration", seed: 21 });
    const first = stored.filter(
      (row) => row["world"] === "Codebreaker" && row["arm"] === "expert iteration" && row["seed"] === 21,
    );
    assert.deepEqual(
      again.map(({ steps, score }) => [steps, Number(score.toPrecision(6))]),
      first.map((row) => [row["steps"], row["score"]]),
    );
  });
});
