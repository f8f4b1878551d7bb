import assert from "node:assert/strict";
import { claims, measured, storedTable, type StoredRecord } from "turnwise-course";
import { shapleyClaims, worldModelClaims } from "turnwise-course/search-and-world-models";
import { shapleyRun } from "turnwise-course/internal/09-search-and-world-models/shapleyRun";
import { thinkOrTry } from "turnwise-course/internal/09-search-and-world-models/thinkOrTry";
import { pairRun } from "turnwise-course/internal/09-search-and-world-models/twoAgents";
import { crossing } from "turnwise-course/internal/09-search-and-world-models/worldModelClaims";
import { dynaRun, simulatorRun } from "turnwise-course/internal/09-search-and-world-models/worldModelRun";

const stored = (name: string): StoredRecord[] => storedTable(measured(name));
const rowsOf = (name: string, where: Readonly<Record<string, string | number>>): StoredRecord[] =>
  stored(name).filter((row) => Object.entries(where).every(([key, value]) => row[key] === value));
const round = (x: number): number => Number(x.toPrecision(6));

describe("what lesson 09 measured", function () {
  this.timeout(60_000);

  for (const job of [
    { world: "TMaze", error: "reward, fixed", rate: 0.3, seed: 0 },
    { world: "HandOver", error: "observation, anew", rate: 0.5, seed: 25 },
  ] as const) {
    it(`is what the library computes now: ${job.world}, ${job.error}`, async () => {
      const [row] = rowsOf("simulators", job);
      const { score, promised } = await simulatorRun(job);
      assert.deepEqual([round(score), round(promised)], [row!["score"], row!["promised"]]);
    });
  }

  it("is what the library computes now: Dyna on counts", async () => {
    const job = { world: "HandOver", arm: "counts of histories", seed: 1 } as const;
    const points = await dynaRun(job);
    assert.deepEqual(
      points.map((p) => [p.update, p.realSteps, p.modelSteps, round(p.score), round(p.optimism)]),
      rowsOf("dyna", job).map((row) =>
        ["update", "realSteps", "modelSteps", "score", "optimism"].map((name) => row[name]),
      ),
    );
  });

  it("is what the library computes now: a team's shares, a pair and a search", async () => {
    const job = { team: "scout, opener", seed: 2 } as const;
    const points = await shapleyRun(job);
    assert.deepEqual(
      points.map(({ J, value, cosine }) => [round(J), value.map(round).join(" "), round(cosine)]),
      rowsOf("shapley", job).map((row) => [row["J"], row["value"], row["cosine"]]),
    );
    const pair = { world: "LookUp", arm: "two different agents", seed: 4 } as const;
    const [both] = rowsOf("pairs", pair);
    const { either, single } = pairRun(pair);
    assert.deepEqual([round(either), round(single)], [both!["either"], both!["single"]]);
    const thinking = { world: "LookUp-v0", thinker: "tree search", budget: 100, seed: 3 } as const;
    const [row] = rowsOf("thinking", thinking);
    assert.equal(round(thinkOrTry(thinking).score), row!["score"]);
  });

  it("has every seed of every setting", () => {
    // 3 worlds x 4 errors x 6 rates; 3 worlds x 5 arms x 3 moments; 3 teams x 2 moments; 4 worlds x 3 thinkers x 3 budgets; 2 worlds x 3
    // arms.
    const rows = { simulators: 72, dyna: 45, shapley: 6, thinking: 36, pairs: 6 };
    for (const [name, settings] of Object.entries(rows))
      assert.equal(stored(name).length, 40 * settings, name);
  });
});

describe("the claims of lesson 09", () => {
  it("decide as lesson and appendix tell it", () => {
    const kinds = claims.search.map(({ verdict }) => verdict.kind);
    assert.deepEqual(kinds, ["not shown", "holds", "holds", "holds if", "holds if", "holds if"]);
  });

  it("refute in the appendix what the sections on a simulator's score and on shares show", () => {
    const all = [
      ...worldModelClaims(stored("simulators"), stored("dyna")),
      ...shapleyClaims(stored("shapley")),
    ];
    const kindOf = (start: string): string => all.find(({ claim }) => claim.startsWith(start))!.verdict.kind;
    assert.equal(kindOf("A simulator's own score"), "holds if");
    assert.equal(kindOf("What the team loses"), "refuted");
  });

  it("find a rate from which a simulator surely harms, only where it does", () => {
    const simulators = stored("simulators");
    assert.equal(crossing(simulators, "TMaze", "observation, anew"), undefined);
    assert.equal(crossing(simulators, "TMaze", "reward, fixed"), 0.2);
  });

  it("refute nothing of simulators that lose nothing", () => {
    const same = stored("simulators").map((row) => ({ ...row, score: 0.9, promised: 0.9 }));
    const of = (claim: string): string =>
      worldModelClaims(same, stored("dyna")).find((row) => row.claim.startsWith(claim))!.verdict.kind;
    assert.equal(of("A simulated world is worse"), "no effect that matters");
    assert.equal(of("A simulator's own score"), "holds");
  });

  it("would let losses add up where they do", () => {
    const even = stored("shapley").map((row) => ({ ...row, oneSided: row["value"]! }));
    const [adds] = shapleyClaims(even);
    assert.equal(adds!.verdict.kind, "holds");
  });
});
