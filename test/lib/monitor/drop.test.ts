import assert from "node:assert/strict";
import { createRng } from "turnwise";
// Uses internals of turnwise/monitor.
import { dropOf } from "turnwise/internal/monitor/drop";
import { FallWatch } from "turnwise/internal/monitor/fallWatch";
import { judgeSuccess } from "turnwise/internal/monitor/judgeSuccess";
import { risingFit } from "turnwise/internal/monitor/risingFit";

/** 100 steps from `low` up to `high`, then 30 at `end`, with a wave of noise. */
const run = (low: number, high: number, end: number, noise = 0): number[] =>
  Array.from(
    { length: 130 },
    (_, i) => (i < 100 ? low + ((high - low) * i) / 99 : end) + noise * Math.sin(i * i),
  );

describe("risingFit()", () => {
  it("replaces neighbors out of order by their mean", () => {
    assert.deepEqual(risingFit([1, 3, 2, 4]), [1, 2.5, 2.5, 4]);
    // 3 and 1 make 2, which is above 0: (3 + 1 + 0) / 3.
    assert.deepEqual(risingFit([3, 1, 0, 5]), [4 / 3, 4 / 3, 4 / 3, 5]);
    assert.deepEqual(risingFit([]), []);
  });
});

describe("dropOf()", () => {
  it("finds a fall at any scale: shares, a peak of .3, negative rewards, sums", () => {
    for (const [low, high, end] of [
      [0.1, 0.9, 0],
      [0.05, 0.3, 0],
      [-5, -1, -5],
      [-1, 1, -1],
      [0, 40, 2],
      [100, 140, 100],
    ] as const) {
      const drop = dropOf(run(low, high, end, 0.01 * (high - low)));
      assert.ok(drop?.isFall, `${low} to ${high}, then ${end}`);
      assert.ok(drop.onset >= 99 && drop.onset <= 101, String(drop.onset));
      assert.ok(drop.at >= 100 && drop.at < 106, String(drop.at));
    }
  });

  it("does not depend on the unit, nor, where rewards may be negative, on where 0 is", () => {
    const series = run(-5, -1, -4, 0.1);
    const { at, onset, chance } = dropOf(series)!;
    for (const [times, plus] of [
      [8, 0],
      [0.125, 0],
      [1, -64],
    ] as const) {
      const other = dropOf(series.map((x) => times * x + plus))!;
      assert.deepEqual([other.at, other.onset, other.chance], [at, onset, chance]);
    }
  });

  it("finds a fall that loses half of a long rise", () => {
    // The mean of all is about .5: shuffled as a whole, the rise itself would make drops as deep as this one.
    assert.ok(dropOf(run(0.1, 0.9, 0.45, 0.05))?.isFall);
  });

  it("dates a fall at the first mean that is low, by hand", () => {
    // 40 at .9, then .1: the mean of 10 is .9 - .08 k after k low ones, below 75% of .9 = .675 for k = 3, the value of index 42.
    const drop = dropOf(Array.from({ length: 50 }, (_, i) => (i < 40 ? 0.9 : 0.1)))!;
    assert.deepEqual([drop.at, drop.onset, drop.bestAt], [42, 40, 39]);
    assert.ok(Math.abs(drop.mean - 0.66) < 1e-12);
    assert.ok(Math.abs(drop.lowest - 0.1) < 1e-12);
  });

  it("is no fall where the run has come to a better mean since", () => {
    const dipped = [...run(0.1, 0.6, 0.1), ...Array<number>(40).fill(0.7)];
    assert.equal(dropOf(dipped), undefined);
  });

  it("skips values that are missing, and counts places with them", () => {
    const sparse = run(0.1, 0.9, 0).flatMap((x) => [x, undefined, NaN]);
    assert.equal(dropOf(sparse)!.onset, 300);
  });

  it("tells what chance makes: a run of one lucky value is none, as one order in eleven does the same", () => {
    // Ten values of 1 and one of 0: the mean drops from 1 to .9 only if the 0 comes last, in 1 of 11 orders.
    const drop = dropOf([...Array<number>(10).fill(-1), -9]);
    assert.equal(drop!.isFall, false);
    assert.ok(Math.abs(drop!.chance - 1 / 11) < 0.03, String(drop!.chance));
  });

  it("calls a drop a fall by the level that is asked for", () => {
    const rng = createRng(9);
    const series = Array.from({ length: 60 }, (_, i) => (rng.next() < (i < 40 ? 0.7 : 0.4) ? 1 : 0));
    const { chance } = dropOf(series)!;
    assert.ok(chance > 0.006 && chance < 0.045, String(chance));
    assert.equal(dropOf(series)!.isFall, true);
    assert.equal(dropOf(series, { level: 0.005 })!.isFall, false);
    assert.equal(dropOf(series, { level: 0.005, quick: true })!.isFall, false);
  });

  it("seldom finds a fall in a run that holds, at several scales and with noise that lasts", () => {
    const gauss = (next: () => number): number =>
      Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
    const healthy: Readonly<Record<string, (next: () => number) => number[]>> = {
      "shares of eight episodes": (next) =>
        Array.from({ length: 120 }, (_, i) => {
          const chance = 0.1 + 0.3 * Math.min(1, i / 80);
          return Array.from({ length: 8 }, () => Number(next() < chance)).reduce((a, b) => a + b) / 8;
        }),
      "negative rewards": (next) =>
        Array.from({ length: 150 }, (_, i) => -5 + 4 * Math.min(1, i / 90) + 0.5 * gauss(next)),
      sums: (next) => Array.from({ length: 150 }, (_, i) => 40 * Math.min(1, i / 90) + 20 + 6 * gauss(next)),
      "noise that lasts": (next) => {
        let drift = 0;
        return Array.from({ length: 150 }, () => 0.6 + (drift = 0.8 * drift + 0.024 * gauss(next)));
      },
    };
    for (const [name, make] of Object.entries(healthy)) {
      let falls = 0;
      for (let seed = 0; seed < 12; seed++) {
        const rng = createRng(seed).split(name);
        falls += Number(dropOf(make(() => rng.next()))?.isFall ?? false);
      }
      assert.ok(falls <= 2, `${falls} of 12: ${name}`);
    }
  });
});

describe("FallWatch", () => {
  it("finds a fall that the run recovers from, with how deep it was and by when it was over", () => {
    // .9 for 40 steps, .1 for 20, 1 for 60: low from 40 on; back within a quarter of .8 where .1 + .09 k >= .7, at k = 7, index 66.
    const series = Array.from({ length: 120 }, (_, i) => (i < 40 ? 0.9 : i < 60 ? 0.1 : 1));
    const watch = new FallWatch();
    for (const x of series) watch.push(x);
    assert.equal(dropOf(series), undefined);
    const drop = watch.end()!;
    assert.deepEqual([drop.isFall, drop.at, drop.onset, drop.bestAt, drop.recovered], [true, 42, 40, 39, 66]);
    assert.ok(Math.abs(drop.lowest - 0.1) < 1e-12 && drop.last === 1, JSON.stringify(drop));
    assert.equal(judgeSuccess(series).kind, "fell");
  });

  it("looks ever more seldom at a series that stays low, so that its work grows with the length and not its square", () => {
    const worked = (length: number): number => {
      const watch = new FallWatch();
      // A first lucky mean, and nothing to fall from in earnest: every step is below the best.
      for (let i = 0; i < length; i++) watch.push(i < 20 ? 1 : 0.9 + 0.05 * Math.sin(i * i));
      return watch.lookedAt / length;
    };
    assert.ok(worked(4000) < 130, `${worked(4000)} looks at a value`);
  });
});

describe("judgeSuccess()", () => {
  it("says why it cannot tell: no reward, too few, none at the end, nothing to fall from", () => {
    const why = (success: readonly (number | undefined)[]): string => {
      const verdict = judgeSuccess(success);
      assert.equal(verdict.kind, "unknown");
      return verdict.kind === "unknown" ? verdict.why : "";
    };
    assert.equal(why([undefined, NaN]), "no step logs a reward or success");
    assert.match(why(Array<number>(19).fill(0.5)), /^only 19 steps .*, and 20 are needed$/);
    assert.match(
      why([...Array<number>(30).fill(0.5), ...Array<undefined>(15)]),
      /^the last 15 steps log no /,
    );
    assert.match(why(Array<number>(40).fill(0)), /^it was 0 at all 40 steps/);
  });

  it("cannot tell a fall from noise that lasts, and can where the fall is far deeper than the noise", () => {
    const kinds = (size: number, end: number): Record<string, number> => {
      const counts: Record<string, number> = { fell: 0, held: 0, unknown: 0 };
      for (let seed = 0; seed < 10; seed++) {
        const rng = createRng(seed).split("slow");
        let noise = 0;
        const series = Array.from({ length: 150 }, (_, i) => {
          noise = 0.8 * noise + 0.6 * size * rng.normal();
          return (i < 110 ? 0.6 : end) + noise;
        });
        counts[judgeSuccess(series).kind]! += 1;
      }
      return counts;
    };
    assert.equal(kinds(0.02, 0.1)["fell"], 10);
    assert.ok(kinds(0.15, 0.6)["fell"]! <= 1, JSON.stringify(kinds(0.15, 0.6)));
    assert.ok(kinds(0.12, 0.35)["unknown"]! >= 2, JSON.stringify(kinds(0.12, 0.35)));
  });

  it("says on how many steps it was checked that success has not fallen", () => {
    assert.deepEqual(judgeSuccess(Array<number>(40).fill(0.5)), {
      kind: "held",
      drop: undefined,
      checked: 40,
    });
    const everyFifth = Array.from({ length: 150 }, (_, i) => (i % 5 === 0 ? 0.5 : undefined));
    assert.equal(judgeSuccess(everyFifth).kind, "held");
    assert.equal(judgeSuccess(everyFifth).checked, 30);
  });
});
