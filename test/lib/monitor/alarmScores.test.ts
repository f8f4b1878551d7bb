import assert from "node:assert/strict";
import { createRng, type Metrics } from "turnwise";
import {
  alarmRates,
  calibrate,
  courseOf,
  highestBefore,
  outranks,
  pairedInterval,
  pairedMean,
  sameAge,
  strataOf,
  warnsAt,
  watchRun,
  type LadderedRule,
  type Stratum,
  type WatchedRun,
} from "turnwise/internal/monitor/index";

const near = (actual: number, expected: number, tolerance = 1e-12): void =>
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual} is not ${expected}`);

/** A run of 40 updates that is up at the given updates, at the given level. */
const runOf = (onset: number | null, level_u: Readonly<Record<number, number>> = {}): WatchedRun => ({
  updates: 40,
  rose: true,
  fall: onset === null ? null : onset + 2,
  onset,
  levels: { echo: Array.from({ length: (onset ?? 41) - 1 }, (_, i) => level_u[i + 1] ?? 0) },
});
const window = { horizon: 5, lead: 1, warmUp: 2 };
const stratum = (
  falls: readonly WatchedRun[],
  survivors: readonly WatchedRun[],
  setting = "one",
): Stratum => ({
  setting,
  falls,
  survivors,
});

describe("the course of a run", () => {
  it("dates the onset of a fall at the first update below 75% of the best mean, before the mean has fallen", () => {
    // Success 1 to update 12, then .5: the mean of 10 is .75 after five of them, and below with the sixth.
    const success = Array.from({ length: 30 }, (_, i) => (i < 12 ? 1 : 0.5));
    assert.deepEqual(courseOf(success), { rose: true, fall: 18, onset: 13 });
  });

  it("skips what was low before the ten updates that made the fall", () => {
    // One bad update at 11; the fall is made by 30 and 31: (8 + 0 + 0) / 10 is above .75 until a third is 0.
    const success = Array.from({ length: 40 }, (_, i) => (i === 10 || i >= 29 ? 0 : 1));
    assert.deepEqual(courseOf(success), { rose: true, fall: 32, onset: 30 });
  });

  it("tells a run that held from one that never rose", () => {
    assert.deepEqual(courseOf(Array<number>(20).fill(0.7)), { rose: true, fall: null, onset: null });
    assert.deepEqual(courseOf(Array<number>(20).fill(0.6)), { rose: false, fall: null, onset: null });
  });
});

describe("levels of alarms", () => {
  const kl: LadderedRule = {
    name: "KL",
    signal: "kl",
    direction: "above",
    patience: 2,
    ladder: [1, 2],
  };
  const level = (values: readonly (number | undefined)[]): readonly number[] =>
    watchRun(
      values.map((x, i) => ({
        update: i + 1,
        metrics: { "success/mean": 1, ...(x !== undefined && { "policy/approxKl": x }) } as Metrics,
      })),
      [kl],
    ).levels["KL"]!;
  const quiet = Array<number>(10).fill(9);

  it("count the thresholds at which a rule is up, after a number of records in a row, and none in the warm-up", () => {
    // Two in a row are needed from update 11 on: 11 is the first, 12 the second; 1.5 is beyond the first threshold only.
    assert.deepEqual(level([...quiet, 3, 3, 1.5, 3, 3, 0, 3]).slice(10), [0, 2, 1, 1, 2, 0, 0]);
    assert.deepEqual(level(quiet), Array<number>(10).fill(0));
  });

  it("stay as they are while a record lacks the signal", () => {
    assert.deepEqual(level([...quiet, 3, 3, undefined, 3]).slice(10), [0, 2, 2, 2]);
    assert.deepEqual(level([...quiet, 3, undefined, 3]).slice(10), [0, 0, 2]);
  });

  it("end with the update before the onset", () => {
    const records = Array.from({ length: 30 }, (_, i) => ({
      update: i + 1,
      metrics: { "success/mean": i < 20 ? 1 : 0, "policy/approxKl": 0 },
    }));
    const { onset, levels } = watchRun(records, [kl]);
    assert.equal(onset, 21);
    assert.equal(levels["KL"]!.length, 20);
  });
});

describe("judging alarms at the same age", () => {
  it("looks at the window before the onset, and at nothing else", () => {
    // Onset 20, horizon 5: updates 15 to 19.
    const level = (at: number): number => highestBefore(runOf(20, { [at]: 3 }), "echo", 20, window);
    assert.deepEqual([14, 15, 19].map(level), [0, 3, 3]);
    assert.equal(highestBefore(runOf(null, { 20: 3 }), "echo", 20, window), 0);
    // With a lead of 3 the window ends at 17.
    const early = (at: number): number =>
      highestBefore(runOf(20, { [at]: 3 }), "echo", 20, { ...window, lead: 3 });
    assert.deepEqual([17, 18].map(early), [3, 0]);
    // The warm-up of two updates does not count.
    assert.equal(highestBefore(runOf(4, { 2: 3 }), "echo", 4, window), 0);
  });

  it("leaves out runs that never rose, falls before an alarm could warn, and settings with one outcome", () => {
    const of = (setting: string, run: WatchedRun): WatchedRun & { setting: string } => ({ setting, ...run });
    const strata = strataOf(
      [
        of("a", runOf(20)),
        of("a", runOf(3)),
        of("a", runOf(null)),
        of("a", { ...runOf(null), rose: false }),
        of("b", runOf(20)),
      ],
      window,
    );
    assert.deepEqual(
      strata.map(({ setting, falls, survivors }) => [setting, falls.length, survivors.length]),
      [["a", 1, 1]],
    );
  });

  it("computes area, sensitivity and false alarms by hand", () => {
    // Falls at 20 (level 2 in its window) and at 30 (level 1). Survivor s: level 1 at 16, level 3 at 28. Survivor t: silent.
    const strata = [
      stratum([runOf(20, { 19: 2 }), runOf(30, { 25: 1 })], [runOf(null, { 16: 1, 28: 3 }), runOf(null)]),
    ];
    // Against s: 2 > 1 wins, 1 < 3 loses; against t both win.
    const tables = sameAge(strata, "echo", window, outranks);
    assert.deepEqual(tables, [
      [
        [1, 1],
        [0, 1],
      ],
    ]);
    // Means of rows 1 and .5, of columns .5 and 1: each has variance .125, so error^2 = .125 / 2 + .125 / 2.
    const area = pairedMean(tables);
    near(area.mean, 0.75);
    near(area.error, Math.sqrt(0.125));
    assert.deepEqual([area.falls, area.survivors], [2, 2]);
    // At the first threshold both falls are up, and s in both windows: false alarms 1/2. At the second: one fall, and s in one of two.
    assert.deepEqual(alarmRates(strata, "echo", 0, window), { sensitivity: 1, falseAlarms: 0.5 });
    assert.deepEqual(alarmRates(strata, "echo", 1, window), { sensitivity: 0.5, falseAlarms: 0.25 });
    near(pairedMean(sameAge(strata, "echo", window, warnsAt(1))).mean, 0.25);
  });

  it("compares runs of one setting only, and lets every fall count alike", () => {
    // Setting one: two falls that lose; setting two: one fall that wins. In setting two all are at higher levels.
    const strata = [
      stratum([runOf(20), runOf(20)], [runOf(null, { 19: 1 })]),
      stratum([runOf(20, { 19: 5 })], [runOf(null, { 19: 4 })], "two"),
    ];
    near(pairedMean(sameAge(strata, "echo", window, outranks)).mean, 1 / 3);
  });

  it("an alarm that knows only the clock tells nothing: its area is exactly one half", () => {
    const clock = (run: WatchedRun): WatchedRun => ({
      ...run,
      levels: { echo: run.levels["echo"]!.map((_, i) => (i < 18 ? 2 : 0)) },
    });
    const falls = [8, 15, 19, 30].map((onset) => clock(runOf(onset)));
    const strata = [stratum(falls, [clock(runOf(null)), clock(runOf(null))])];
    const area = pairedMean(sameAge(strata, "echo", window, outranks));
    assert.deepEqual([area.mean, area.error], [0.5, 0]);
    assert.deepEqual(pairedInterval(area), { low: 0.5, high: 0.5 });
  });

  it("chooses the rung that warns of most falls among those that are quiet, and the quietest if none is", () => {
    const ladders = { echo: [1, 2, 3] };
    // Levels 3, 2, 1 before three falls; of ten survivors four are at level 1, one at 2.
    const falls = [3, 2, 1].map((level) => runOf(20, { 19: level }));
    const survivors = [1, 1, 1, 1, 2, 0, 0, 0, 0, 0].map((level) => runOf(null, { 19: level }));
    const strata = [stratum(falls, survivors)];
    // False alarms .5, .1 and 0; sensitivity 1, 2/3 and 1/3.
    assert.equal(calibrate(strata, window, ladders).echo, 1);
    assert.equal(calibrate(strata, { ...window, falseAlarms: 0.5 }, ladders).echo, 0);
    assert.equal(calibrate(strata, { ...window, falseAlarms: 0.05 }, ladders).echo, 2);
    const loud = [stratum(falls, [runOf(null, { 19: 3 })])];
    assert.equal(calibrate(loud, window, ladders).echo, 0, "all are as loud: the most sensitive of them");
    assert.throws(() => calibrate([], window), {
      name: "RangeError",
      message: "Cannot calibrate alarms: a setting must have runs that fall and runs that hold.",
    });
  });
});

describe("intervals of areas", () => {
  it("never leave their range, and bound a perfect alarm by the number of runs", () => {
    // Wilson's bound for 20 of 20: n / (n + z^2) with z = 1.9600.
    const { low, high } = pairedInterval({ mean: 1, error: 0, falls: 20, survivors: 30 });
    near(low, 20 / (20 + 1.9599639845 ** 2), 1e-9);
    assert.equal(high, 1);
    const gap = pairedInterval({ mean: -1, error: 0, falls: 20, survivors: 30 }, { range: [-1, 1] });
    near(gap.low, -1);
    near(gap.high, 1 - 2 * low);
  });

  it("cover the true area in 95% of samples of graded levels, in two strata of 40 falls and 40 survivors", () => {
    const rng = createRng(7).split("coverage");
    // Levels 0 to 3 with these probabilities; the area is the sum of P(fall = a) (P(survivor < a) + P(survivor = a) / 2).
    const [pFall, pSurvivor] = [
      [0.3, 0.2, 0.2, 0.3],
      [0.6, 0.2, 0.15, 0.05],
    ] as const;
    const draw = (p: readonly number[]): number => {
      let left = rng.next();
      return p.findIndex((share) => (left -= share) < 0);
    };
    const below = (a: number): number => pSurvivor.slice(0, a).reduce((sum, p) => sum + p, 0);
    const truth = pFall.reduce((sum, p, a) => sum + p * (below(a) + pSurvivor[a]! / 2), 0);
    const trials = 3000;
    let covered = 0;
    for (let trial = 0; trial < trials; trial++) {
      const table = (): number[][] => {
        const survivors = Array.from({ length: 20 }, () => draw(pSurvivor));
        return Array.from({ length: 20 }, () => draw(pFall)).map((fall) =>
          survivors.map((survivor) => outranks(fall, survivor)),
        );
      };
      const { low, high } = pairedInterval(pairedMean([table(), table()]));
      covered += Number(low <= truth && truth <= high);
    }
    assert.ok(Math.abs(covered / trials - 0.95) <= 0.01, `${covered / trials}`);
  });
});
