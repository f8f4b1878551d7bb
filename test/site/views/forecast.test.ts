// Uses internals of turnwise-course.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { placedWindows, storedWindows } from "turnwise-course/internal/04-echo-trap/alarms/shownWindow";
import { storedAlarmRuns } from "turnwise-course/internal/shared/alarms/stored";
import { areaOf } from "turnwise-site/internal/views/forecast/area";
import { drawn } from "turnwise-site/internal/views/forecast/draw";
import {
  packedCurve,
  packedPool,
  unpackedCurve,
  unpackedPool,
} from "turnwise-site/internal/views/forecast/packedPool";
import { poolOf } from "turnwise-site/internal/views/forecast/pool";
import type { Pool, PoolRun } from "turnwise-site/internal/views/forecast/run";
import {
  countInWords,
  isWrong,
  movesInWords,
  movesOf,
  outcomeInWords,
} from "turnwise-site/internal/views/forecast/words";
import { root } from "../../support/paths.js";

const table = (name: string): string =>
  fs.readFileSync(path.join(root, "datasets", "measured", `${name}.csv`), "utf8");

describe("the page on which you bet against the alarms", () => {
  const watched = storedAlarmRuns(table("echo-trap-alarms"));
  const pool = poolOf(table("echo-trap-windows"), table("echo-trap-alarms"));

  it("can show every run of the study that rose and has sixty updates before a fall", () => {
    const able = watched.filter(({ rose, onset }) => rose && (onset === null || onset > 60));
    assert.equal(able.length, 407);
    assert.deepEqual(
      pool.runs.map(({ setting, seed, onset }) => ({ setting, seed, onset })),
      able.map(({ setting, seed, onset }) => ({ setting, seed, onset })),
    );
    const placed = placedWindows(watched).map(({ last }) => last);
    assert.deepEqual(
      storedWindows(table("echo-trap-windows")).map(({ last }) => last),
      placed,
    );
    // A fall is the first update below 75% of the best, so the last one that is shown is not.
    for (const { onset, last, curves } of pool.runs) {
      if (onset !== null) assert.equal(last, onset - 1);
      assert.equal(curves.std.length, 60);
      assert.ok(curves.success.length > 60 && curves.success.length <= 100);
    }
  });

  it("gives the signals the areas of the study, as far as all settings are taken together", () => {
    // Of lesson 04, on its confirming half and within a setting: success itself .81, unearned silence .73, gradient spike .67, std .50.
    const near = (name: keyof Pool["areas"], area: number): void =>
      assert.ok(Math.abs(pool.areas[name].mean - area) < 0.05, `${name} ${pool.areas[name].mean}`);
    near("success", 0.81);
    near("equal", 0.73);
    near("spike", 0.67);
    near("std", 0.5);
  });

  it("counts pairs of a fall and a survivor, ties half", () => {
    const bets = [
      { bet: 4, fell: true },
      { bet: 2, fell: true },
      { bet: 2, fell: false },
      { bet: 0, fell: false },
    ];
    // Of the four pairs, three are in order and one is a tie: 3.5 / 4.
    assert.equal(areaOf(bets)!.mean, 0.875);
    assert.ok(areaOf(bets)!.low < 0.875 && areaOf(bets)!.high > 0.875);
    assert.equal(areaOf(bets.slice(0, 2)), undefined);
    const { mean, low, high } = areaOf(bets.map(({ fell }) => ({ bet: 1, fell })))!;
    assert.deepEqual([mean, low, high], [0.5, 0.5, 0.5]);
  });

  it("draws ten runs by the number of the draw, none twice, and any of them", () => {
    assert.deepEqual(drawn(7, 407), drawn(7, 407));
    assert.notDeepEqual(drawn(7, 407), drawn(8, 407));
    const seen = new Set(Array.from({ length: 300 }, (_, draw) => drawn(draw, 407)).flat());
    for (let draw = 0; draw < 20; draw++) assert.equal(new Set(drawn(draw, 407)).size, 10);
    // 3000 draws of 407: that one is never drawn has a chance of (1 - 10/407)^300 = .06%, so about .2 are missing.
    assert.ok(seen.size > 400, String(seen.size));
  });

  it("keeps a run when it is stored: a share of 64 episodes or of 8 groups exactly", () => {
    const { runs, areas, ladders } = unpackedPool(packedPool(pool));
    assert.deepEqual(ladders, pool.ladders);
    assert.equal(areas.success.mean, Number(pool.areas.success.mean.toFixed(3)));
    for (const [i, { curves, ...run }] of runs.entries()) {
      const { curves: before, ...same } = pool.runs[i]!;
      assert.deepEqual(run, same);
      assert.deepEqual(curves.equal, before.equal);
      // The table has three digits.
      for (const [u, value] of curves.success.entries())
        assert.ok(Math.abs(value - before.success[u]!) < 0.001);
    }
    // 10^-6 to 10^-1: a gradient of .001 is at 3/5 of the height, and one of 0 at the bottom.
    const [zero, middle, over] = unpackedCurve(packedCurve("gradient", [0, 0.001, 1]));
    assert.ok(Math.abs(middle! - 0.6) < 1 / 128);
    assert.deepEqual([zero, over], [0, 1]);
  });

  it("names what moved and when, rarest in runs that hold, and says so where nothing did", () => {
    const run = (onset: number | null, success: number, reached: number): PoolRun => ({
      ...{ setting: "s", seed: 0, onset, last: 99, curves: pool.runs[0]!.curves },
      level: { success, equal: 0, spike: 0, std: 6 },
      reached: { success: reached, equal: 0, spike: 0, std: 75 },
    });
    const fell = run(100, 3, 96);
    const few = { ...pool, runs: [fell, ...[0, 0, 1, 3].map((level) => run(null, level, 80))] };
    const moves = movesOf(fell, few);
    assert.deepEqual(moves, [{ name: "success", at: 96, threshold: 0.9, held: 0.25 }]);
    assert.equal(
      movesInWords(moves, fell),
      "At update 96 success fell below 90% of its best, as in 25% of the runs that held.",
    );
    assert.match(movesInWords([], fell), /nothing foretold this fall/);
    assert.equal(
      outcomeInWords(fell, 1),
      "It fell at update 100, right after what you saw. You bet “probably holds”: wrong.",
    );
    assert.ok(isWrong(fell, 1) && !isWrong(fell, 2) && !isWrong(fell, 3));
    // A fall that was seen coming, one that was not, a survivor that was seen to hold, and one that was left open.
    const held = run(null, 0, 80);
    assert.equal(
      countInWords([fell, fell, held, held], [3, 0, 1, 2]),
      "2 of your 4 bets were right, and 1 left open",
    );
    assert.equal(countInWords([held], [0]), "1 of your 1 bets was right");
  });
});
