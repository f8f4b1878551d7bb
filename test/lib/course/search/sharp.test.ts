import assert from "node:assert/strict";
import { measured, storedTable, type StoredRecord } from "turnwise-course";
import { sharpClaims } from "turnwise-course/search-and-world-models";
import {
  sharpArms,
  sharpCounts,
  sharpRow,
  sharpRun,
  sharpShares,
  sharpSteps,
} from "turnwise-course/internal/09-search-and-world-models/sharpRun";

const round = (x: number): number => Number(x.toPrecision(6));
const teams = Object.keys(sharpSteps);

function made(score: (arm: string, count: string) => number): StoredRecord[] {
  return teams.flatMap((team) =>
    Object.keys(sharpArms).flatMap((arm, a) =>
      sharpCounts.flatMap((count) =>
        sharpShares.flatMap((share) =>
          Array.from({ length: 40 }, (_, seed) => {
            const wander = 0.01 * Math.sin(3 * seed + a);
            return { team, arm, seed, count, share, updates: 9, score: score(arm, count) + wander };
          }),
        ),
      ),
    ),
  );
}

describe("SHARP at equal environment steps", function () {
  this.timeout(60_000);
  const stored = (): StoredRecord[] => storedTable(measured("sharp"));

  it("differs from the broadcast in the weight of its losses alone", () => {
    const [own, broadcast] = (["with losses", "broadcast"] as const).map((arm) =>
      sharpRow({ team: "scout, opener", arm }),
    );
    const { step, ...reward } = own!.reward;
    assert.equal(step?.kind === "marginal" && step.weight, 1);
    assert.deepEqual({ ...own, reward: { ...reward, step: { ...step, weight: 0 } } }, broadcast);
  });

  it("pays for the episodes without an agent: a third of the updates or a little more", () => {
    // Two agents are masked in turn, and an episode with a silent opener is one turn longer at most: an update costs nearly three times its
    // own steps. Where the scout is silent the episode ends at once, which makes it less.
    const updates = (arm: string, count: string): number => {
      const own = stored().filter(
        (row) =>
          row["team"] === "scout, opener" &&
          row["arm"] === arm &&
          row["count"] === count &&
          row["share"] === 1,
      );
      assert.equal(own.length, 40);
      return own.reduce((sum, row) => sum + Number(row["updates"]), 0) / 40;
    };
    const share = updates("with losses", "every step") / updates("broadcast", "every step");
    assert.ok(share > 1 / 3 && share < 1 / 2, `${share}`);
    assert.equal(updates("broadcast", "masks for free"), updates("broadcast", "every step"));
  });

  it("teaches every team less up to half of the budget, as the lesson says", () => {
    const [gain, without, free] = sharpClaims(stored());
    assert.deepEqual([gain!.verdict.kind, free!.verdict.kind], ["not shown", "not shown"]);
    for (const team of teams) {
      for (const share of [".25", ".5"])
        assert.ok(without!.verdict.text.includes(`team = ${team}, share of the budget = ${share}`));
    }
    assert.match(gain!.measured, /updates that they buy: 29, 37, 26 against 67, 128, 127$/);
  });

  it("is what the library computes now", async () => {
    const job = { team: "scout, opener", arm: "with losses", seed: 3 } as const;
    const points = await sharpRun(job);
    assert.deepEqual(
      points.map((p) => [p.count, p.share, p.updates, round(p.score)]),
      stored()
        .filter((row) => Object.entries(job).every(([name, value]) => row[name] === value))
        .map((row) => ["count", "share", "updates", "score"].map((name) => row[name])),
    );
  });

  it("is said to help where it does, and not to where masks eat up what it gains", () => {
    const kinds = (rows: readonly StoredRecord[]): string[] =>
      sharpClaims(rows).map(({ verdict }) => verdict.kind);
    assert.deepEqual(kinds(made((arm) => (arm === "broadcast" ? 0.5 : 0.7))), ["holds", "refuted", "holds"]);
    const eaten = made((arm, count) => (arm === "broadcast" ? 0.5 : count === "every step" ? 0.3 : 0.5));
    assert.deepEqual(kinds(eaten), ["refuted", "holds", "no effect that matters"]);
  });
});
