import assert from "node:assert/strict";
import { createRng, median, type Metrics } from "turnwise";
import { fallOf, robustZ, SignalTracker } from "turnwise/internal/monitor/index";

const track = (metrics: readonly Metrics[], o = {}) => {
  const tracker = new SignalTracker(o);
  return metrics.map((m, i) => tracker.next({ update: i + 1, metrics: m }));
};

describe("signals of a run", () => {
  it("median() is the middle value, or the mean of the two middle ones", () => {
    assert.equal(median([3, 1, 2]), 2);
    assert.equal(median([4, 1, 3, 2]), 2.5);
  });

  it("robustZ() counts in robust standard deviations, with a floor after silence", () => {
    // median 3, absolute deviations 2 1 0 1 2: MAD 1. (10 - 3) / 1.4826
    assert.ok(Math.abs(robustZ(10, [1, 2, 3, 4, 5]) - 7 / 1.4826) < 1e-12);
    // Silence: median and MAD 0, the floor decides. .07 / .001 = 70
    assert.ok(Math.abs(robustZ(0.07, [0, 0, 0], 0.001) - 70) < 1e-9);
    assert.equal(robustZ(0, [0, 0, 0]), 0);
    assert.throws(() => robustZ(1, []), {
      name: "RangeError",
      message: "Cannot compute a z-score: there must be values before it, got 0.",
    });
  });

  it("robustZ() does not change when everything is multiplied by one number", () => {
    const rng = createRng(3).split("z");
    for (let trial = 0; trial < 100; trial++) {
      const before = Array.from({ length: 1 + rng.below(20) }, () => rng.next());
      const x = rng.next() * 10;
      const z = robustZ(x, before);
      const scaled = robustZ(
        8 * x,
        before.map((value) => 8 * value),
      );
      assert.ok(Math.abs(scaled - z) <= 1e-9 * Math.abs(z));
    }
  });

  it("compares std and entropy with their highest value so far", () => {
    const s = track([
      { "reward/std": 0.1, "policy/entropy": 1 },
      { "reward/std": 0.4, "policy/entropy": 2 },
      { "reward/std": 0.1, "policy/entropy": 0.5 },
    ]);
    assert.deepEqual(
      s.map((x) => x.stdShare),
      [1, 1, 0.25],
    );
    assert.deepEqual(
      s.map((x) => x.entropyShare),
      [1, 1, 0.25],
    );
  });

  it("tells silence that was earned from silence that was not", () => {
    const [earned, unearned] = track([
      { "reward/fracZeroStd": 1, "success/mean": 1 },
      { "reward/fracZeroStd": 1, "success/mean": 0.25 },
    ]);
    assert.equal(earned!.unearnedSilence, 0);
    assert.equal(unearned!.unearnedSilence, 0.75);
    // Without success/mean, reward over optimum: 1 - 5 / 10.
    const [byReward] = track([{ "reward/fracZeroStd": 1, "reward/mean": 5 }], { optimum: 10 });
    assert.equal(byReward!.unearnedSilence, 0.5);
  });

  it("reads turn entropy, extreme ratios, clip fraction and lost information", () => {
    const [first, second] = track([
      { "policy/entropy": 0.5, "tokens/mean": 6, "turns/mean": 2, "response/mutualInformation": 2 },
      {
        "policy/ratioMin": 0.01,
        "policy/ratioMax": 5,
        "policy/clipFracLow": 0.1,
        "policy/clipFracHigh": 0.2,
        "response/mutualInformation": 0.5,
      },
    ]);
    assert.equal(first!.turnEntropy, 1.5); // .5 nats x 3 tokens a turn
    assert.equal(second!.ratioExtreme, -Math.log(0.01)); // 4.6 nats, against log 5 = 1.6
    assert.ok(Math.abs(second!.clipFraction! - 0.3) < 1e-12);
    assert.equal(second!.informationLoss, 0.75);
    assert.equal(track([{ "policy/clipFrac": 0.25 }])[0]!.clipFraction, 0.25);
  });

  it("takes NaN, Infinity and missing metrics for missing, and goes on undisturbed", () => {
    const clean = Array.from({ length: 30 }, (_, i): Metrics => ({
      "policy/gradNorm": 1 + (i % 3),
      "policy/entropy": 1,
      "success/mean": 0.5,
    }));
    const poisoned = clean.flatMap((m): Metrics[] => [
      m,
      { "policy/gradNorm": NaN, "policy/entropy": Infinity, "success/mean": NaN },
      {},
    ]);
    const wanted = track(clean).map(({ update: _, ...s }) => s);
    const got = track(poisoned)
      .filter((_, i) => i % 3 === 0)
      .map(({ update: _, ...s }) => s);
    assert.deepEqual(got, wanted);
    const blind = track(poisoned)[1]!;
    assert.deepEqual(
      Object.entries(blind).filter(([, value]) => value !== undefined),
      [["update", 2]],
    );
  });

  it("refuses settings out of range", () => {
    assert.throws(() => new SignalTracker({ window: 0 }), {
      name: "RangeError",
      message: "Cannot monitor: window must be an integer >= 1, got 0.",
    });
    assert.throws(() => new SignalTracker({ optimum: 0 }), {
      name: "RangeError",
      message: "Cannot monitor: optimum must be > 0 and finite, got 0.",
    });
  });
});

describe("fallOf()", () => {
  it("is the first update whose mean of 10 is below 75% of the best so far", () => {
    // 20 updates at .9, then 0: after k zeros the mean of 10 is .9 (10 - k) / 10, below .675 from k = 3.
    const success = [...Array<number>(20).fill(0.9), ...Array<number>(10).fill(0)];
    assert.equal(fallOf(success), 23);
  });

  it("is null for a run that never rose, never fell, or is too short", () => {
    assert.equal(fallOf([...Array<number>(20).fill(0.5), ...Array<number>(20).fill(0)]), null);
    assert.equal(fallOf(Array<number>(50).fill(0.9)), null);
    assert.equal(fallOf([1, 0, 0, 0]), null);
  });

  it("leaves out values that are missing", () => {
    const success = Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? 0.9 : i % 4 === 1 ? NaN : undefined));
    assert.equal(fallOf(success), null);
  });
});
