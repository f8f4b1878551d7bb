import assert from "node:assert/strict";
import fc from "fast-check";
import {
  above,
  exactly,
  gain,
  gainInHalves,
  share,
  shareGain,
  verdict,
  verdicts,
  type Effect,
  type Evidence,
} from "turnwise/verdict";
import { effectText } from "turnwise/internal/verdict/effectText";

/** An effect with the same interval at every level. */
const effectOf = (low: number, high: number, n = 20): Effect => ({
  mean: (low + high) / 2,
  n,
  method: "made up",
  at: () => ({ low, high }),
});
const kindOf = (low: number, high: number, claims?: "same" | "no loss"): string =>
  verdict({ effect: effectOf(low, high), smallestEffectOfInterest: 0.05, ...(claims && { claims }) }).kind;

/** A normal effect of known error, p-value and all: the interval is mean +- z error. */
const zEffect = (mean: number, error: number, n = 20): Effect => ({
  mean,
  n,
  method: "z",
  at: (level) => {
    // 1.96, 2.2414 and 2.3940 at 1 - .05, 1 - .05 / 2 and 1 - .05 / 3: by Moro's approximation far beyond what tests need.
    const z = normalQuantile(1 - (1 - level) / 2);
    return { low: mean - z * error, high: mean + z * error };
  },
});

function normalQuantile(p: number): number {
  // Bisection on the logistic-like tail would need the distribution; the series of erf is enough here.
  const cdf = (z: number): number => {
    let term = z;
    let sum = z;
    for (let k = 1; k < 400; k++) sum += term *= (z * z) / (2 * k + 1);
    return 0.5 + (sum * Math.exp((-z * z) / 2)) / Math.sqrt(2 * Math.PI);
  };
  let [low, high] = [0, 8.2];
  for (let i = 0; i < 80; i++) {
    const middle = (low + high) / 2;
    if (cdf(middle) < p) low = middle;
    else high = middle;
  }
  return low;
}

describe("verdict()", () => {
  it("on a gain: where the interval lies decides, d = .05", () => {
    assert.equal(kindOf(0.06, 0.2), "holds");
    assert.equal(kindOf(0.05, 0.2), "not shown");
    assert.equal(kindOf(0.01, 0.2), "not shown");
    assert.equal(kindOf(-0.05, 0.05), "no effect that matters");
    assert.equal(kindOf(0.01, 0.04), "no effect that matters");
    assert.equal(kindOf(-0.04, -0.01), "no effect that matters");
    assert.equal(kindOf(-0.06, -0.01), "refuted");
    assert.equal(kindOf(-0.06, 0), "not shown");
    assert.equal(kindOf(-0.2, 0.2), "not shown");
  });

  it("on sameness and on no loss", () => {
    assert.equal(kindOf(-0.05, 0.05, "same"), "holds");
    assert.equal(kindOf(-0.06, 0.05, "same"), "not shown");
    assert.equal(kindOf(0.06, 0.07, "same"), "refuted");
    assert.equal(kindOf(-0.07, -0.06, "same"), "refuted");
    assert.equal(kindOf(-0.05, 0.9, "no loss"), "holds");
    assert.equal(kindOf(-0.06, 0.9, "no loss"), "not shown");
    assert.equal(kindOf(-0.9, -0.06, "no loss"), "refuted");
  });

  it("says how it was decided", () => {
    const row = [0.9, 1, 0.9, 1, 0.8];
    const other = [0.2, 0.4, 0.3, 0.3, 0.2];
    const found = verdict({ effect: gain(row, other), smallestEffectOfInterest: 0.05 });
    // Means .92 and .28, both of variance .007: error sqrt(.0028) = .05292, 8 degrees of freedom, t = 2.306: +- .122.
    assert.equal(
      found.reason,
      "effect 0.640 [0.518, 0.762] at 95 % by Welch's t, n = 5; smallest effect of interest 0.05",
    );
    assert.deepEqual([found.kind, found.text, found.family], ["holds", "holds", null]);
    assert.equal(String(found), "holds");
    assert.deepEqual(JSON.parse(JSON.stringify(found)), {
      kind: "holds",
      text: "holds",
      reason: found.reason,
      family: null,
    });
  });

  it("takes an interval as it is given, where it stands alone", () => {
    const given = { effect: 0.3, interval: { low: 0.1, high: 0.5 }, seeds: 20 };
    assert.equal(verdict({ ...given, smallestEffectOfInterest: 0.05 }).kind, "holds");
    assert.equal(verdict({ ...given, seeds: 4, smallestEffectOfInterest: 0.05 }).kind, "too few seeds");
    assert.throws(() => verdict({ ...given, comparisons: [given], smallestEffectOfInterest: 0.05 }), {
      name: "RangeError",
      message:
        "Cannot judge a family: each effect must have an interval at every level, as gain(), above() and share() give, but " +
        "one of 2 is given at one level.",
    });
  });

  it("needs the smallest effect of interest for all that is measured", () => {
    for (const evidence of [{ effect: exactly(1) }, { counterexamples: 0, searched: 10 }]) {
      assert.throws(() => verdict(evidence), {
        name: "RangeError",
        message: "Cannot decide a claim: smallestEffectOfInterest must be a number >= 0, got undefined.",
      });
    }
  });

  it("on what was enumerated: the tolerance is that of the arithmetic, and there are no seeds", () => {
    const of = (effect: number): string =>
      verdict({ effect: exactly(effect), smallestEffectOfInterest: 0.01 }).kind;
    assert.deepEqual([of(0.02), of(0.005), of(-0.02)], ["holds", "no effect that matters", "refuted"]);
    assert.equal(
      verdict({ effect: exactly(1e-15), smallestEffectOfInterest: 1e-8, claims: "same" }).kind,
      "holds",
    );
  });

  it("on a share: exact binomial", () => {
    // Clopper and Pearson for 11 of 16: [.413, .890]; for 16 of 16: [.794, 1], since .025^(1/16) = .794.
    const over = (count: number): string =>
      verdict({ effect: share(count, 16, 0.5), smallestEffectOfInterest: 0.1 }).kind;
    assert.equal(over(11), "not shown");
    assert.equal(over(16), "holds");
    assert.equal(over(0), "refuted");
  });

  it("on the difference of two shares, where nothing in n trials is not never", () => {
    // (22 + 1) / 42 - 1 / 42 = .5238, error sqrt(.5476 * .4524 / 42 + .0238 * .9762 / 42) = .0803, 1.96 of it .1574
    const effect = shareGain({ count: 22, of: 40 }, { count: 0, of: 40 });
    const { low, high } = effect.at(0.95);
    assert.deepEqual([effect.mean, low.toFixed(3), high.toFixed(3)], [0.55, "0.366", "0.681"]);
    const none = { count: 0, of: 40 };
    assert.equal(
      verdict({ effect: shareGain(none, none), smallestEffectOfInterest: 0.05 }).kind,
      "not shown",
    );
  });

  it("on conditions whose figures are of different kinds, each with terms of its own", () => {
    const conditions = [
      { setting: { what: "steps" }, effect: exactly(40), smallestEffectOfInterest: 1 },
      { setting: { what: "loss" }, effect: exactly(-0.02), claims: "no loss" as const },
    ];
    assert.equal(
      verdict({ conditions, smallestEffectOfInterest: 0.01 }).text,
      "holds if what = steps of {steps, loss}",
    );
    assert.equal(verdict({ conditions, smallestEffectOfInterest: 0.05 }).text, "holds");
  });

  it("on a mean over a threshold: bootstrap", () => {
    const values = [0.9, 0.92, 0.94, 0.96, 0.98];
    assert.equal(verdict({ effect: above(values, 0.5), smallestEffectOfInterest: 0.05 }).kind, "holds");
    assert.equal(verdict({ effect: above(values, 0.9), smallestEffectOfInterest: 0.05 }).kind, "not shown");
  });

  it("on cases: all equal, one that exists, none that contradicts", () => {
    assert.equal(verdict({ equal: 4, of: 4 }).kind, "holds");
    assert.equal(verdict({ equal: 3, of: 4 }).kind, "refuted");
    assert.equal(verdict({ equal: 0, of: 0 }).kind, "not shown");
    assert.equal(verdict({ found: 1, searched: 400 }).kind, "holds");
    assert.equal(verdict({ found: 0, searched: 400 }).kind, "not shown");
    // 1 - .025^(1/400) = .0092, below .01
    const exists = { found: 0, searched: 400, smallestEffectOfInterest: 0.01 };
    assert.equal(verdict(exists).kind, "no effect that matters");
    assert.equal(verdict({ ...exists, searched: 300 }).kind, "not shown");
    assert.equal(verdict({ ...exists, found: 1 }).kind, "holds");
    const none = (counterexamples: number, searched: number): string =>
      verdict({ counterexamples, searched, smallestEffectOfInterest: 0.02 }).kind;
    assert.equal(none(4, 400), "refuted");
    // 1 - .025^(1/400) = .0092, 1 - .025^(1/100) = .0362
    assert.equal(none(0, 400), "holds");
    assert.equal(none(0, 100), "not shown");
    assert.equal(none(0, 0), "not shown");
    assert.equal(
      verdict({ counterexamples: 4, searched: 400, smallestEffectOfInterest: 0.02 }).reason.slice(0, 26),
      "4 counterexamples in 400; ",
    );
  });

  it("over several settings: holds in all, or names those in which it does", () => {
    const [up, level, down, open] = [
      effectOf(0.2, 0.3),
      effectOf(0, 0.01),
      effectOf(-0.3, -0.2),
      effectOf(-1, 1),
    ];
    const text = (...effects: Effect[]): string =>
      verdict({
        conditions: effects.map((effect, i) => ({
          setting: { learningRate: [0.03, 0.1, 0.3][i]!, epochs: 4 },
          effect,
        })),
        smallestEffectOfInterest: 0.05,
      }).text;
    assert.equal(text(up, up, up), "holds");
    assert.equal(text(down, open, up), "holds if learningRate = .3 of {.03, .1, .3}");
    assert.equal(text(up, level, up), "holds if learningRate = .03 or .3 of {.03, .1, .3}");
    assert.equal(text(up), "holds if learningRate = .03, epochs = 4 (the one setting tried)");
    assert.equal(text(level, level), "no effect that matters");
    assert.equal(text(down, down), "refuted");
    assert.equal(text(down, level), "refuted");
    assert.equal(text(open, down), "not shown");
    assert.throws(
      () => verdict({ conditions: [] }),
      /must be tested in at least one setting, but conditions is empty/,
    );
  });

  it("names a whole setting where no knob alone tells", () => {
    const conditions = [
      { setting: { trap: "A", rate: 1 }, effect: effectOf(0.2, 0.3) },
      { setting: { trap: "A", rate: 2 }, effect: effectOf(0, 0) },
      { setting: { trap: "B", rate: 1 }, effect: effectOf(0, 0) },
      { setting: { trap: "B", rate: 2 }, effect: effectOf(0.2, 0.3) },
    ];
    assert.equal(
      verdict({ conditions, smallestEffectOfInterest: 0.05 }).text,
      "holds if trap = A, rate = 1; or trap = B, rate = 2 (2 of 4 settings)",
    );
    // The trap tells them apart, but with other rates in each it may be the rate.
    const unfair = [
      { setting: { trap: "A", rate: 1 }, effect: effectOf(0.2, 0.3) },
      { setting: { trap: "B", rate: 2 }, effect: effectOf(0, 0) },
    ];
    assert.equal(
      verdict({ conditions: unfair, smallestEffectOfInterest: 0.05 }).text,
      "holds if trap = A, rate = 1 (1 of 2 settings)",
    );
    assert.equal(
      verdict({
        conditions: [{ setting: { third: 1 / 3 }, effect: effectOf(0.2, 0.3) }],
        smallestEffectOfInterest: 0.05,
      }).text,
      "holds if third = .333 (the one setting tried)",
    );
    const fair = conditions.map(({ setting }) => ({
      setting,
      effect: setting.trap === "A" ? effectOf(0.2, 0.3) : effectOf(0, 0),
    }));
    assert.equal(
      verdict({ conditions: fair, smallestEffectOfInterest: 0.05 }).text,
      "holds if trap = A of {A, B}",
    );
  });
});

describe("two halves", () => {
  const runs = (from: number, count: number, value: number) =>
    Array.from({ length: count }, (_, i) => ({ seed: from + i, value: value + (i % 2 ? 0.01 : -0.01) }));
  const decide = (a: ReturnType<typeof runs>, b: ReturnType<typeof runs>): string =>
    verdict({ effect: gainInHalves(a, b, { confirmFrom: 20 }), smallestEffectOfInterest: 0.05 }).kind;

  it("must say the same: what fresh seeds do not confirm is not shown", () => {
    assert.equal(decide(runs(0, 40, 0.9), runs(0, 40, 0.5)), "holds");
    assert.equal(decide(runs(0, 40, 0.5), runs(0, 40, 0.9)), "refuted");
    assert.equal(decide([...runs(0, 20, 0.9), ...runs(20, 20, 0.5)], runs(0, 40, 0.5)), "not shown");
    assert.equal(decide([...runs(0, 20, 0.5), ...runs(20, 20, 0.9)], runs(0, 40, 0.5)), "not shown");
  });

  it("have no verdict before fresh seeds were run, or on fewer than five of them", () => {
    assert.equal(decide(runs(0, 20, 0.9), runs(0, 20, 0.5)), "too few seeds");
    assert.equal(decide(runs(0, 24, 0.9), runs(0, 40, 0.5)), "too few seeds");
    assert.equal(decide(runs(0, 25, 0.9), runs(0, 40, 0.5)), "holds");
  });

  it("refuse a seed that is there twice", () => {
    assert.throws(() => decide([...runs(0, 20, 1), ...runs(19, 20, 1)], runs(0, 40, 0)), {
      name: "RangeError",
      message: "Cannot compare halves: each seed must be run once, but seed 19 appears twice.",
    });
  });
});

describe("families", () => {
  it("are decided by Holm's procedure, and each says over how many", () => {
    // Errors .1, d = 0: |z| = 2.5, 2.3 and 2.0, so p = .0124, .0214 and .0455. Holm: .0124 <= .05 / 3 and .0214 <= .05 / 2
    // pass, .0455 <= .05 passes. With |z| = 2.5, 2.2 (p = .0278 > .025) and 2.0, the last two are open.
    const kinds = (...z: number[]): string[] => {
      const questions = Object.fromEntries(
        z.map((each, i) => [`claim ${i}`, { effect: zEffect(each / 10, 0.1), smallestEffectOfInterest: 0 }]),
      );
      return Object.values(verdicts(questions)).map(({ kind, family }) => `${kind}, ${family}`);
    };
    assert.deepEqual(kinds(2.5, 2.3, 2), Array(3).fill("holds, Holm over 3"));
    assert.deepEqual(kinds(2, 2.5, -2.3), [
      "holds, Holm over 3",
      "holds, Holm over 3",
      "refuted, Holm over 3",
    ]);
    assert.deepEqual(kinds(2, 2.5, 2.2), [
      "not shown, Holm over 3",
      "holds, Holm over 3",
      "not shown, Holm over 3",
    ]);
    assert.deepEqual(kinds(2), ["holds, null"]);
  });

  it("show each interval at the level at which it was decided", () => {
    const of = (z: number): { effect: Effect; smallestEffectOfInterest: number } => ({
      effect: zEffect(z / 10, 0.1),
      smallestEffectOfInterest: 0,
    });
    const { a, b, c } = verdicts({ a: of(2), b: of(2.5), c: of(2.2) });
    assert.match(b.reason, /at 98\.33 %/); // 1 - .05 / 3
    assert.match(c.reason, /\[-0\.004, 0\.444\] at 97\.5 %/); // 1 - .05 / 2: .22 +- 2.2414 * .1
    assert.match(a.reason, /\[-0\.024, 0\.424\] at 97\.5 %/);
  });

  it("count what was sampled: settings, halves as one, other comparisons; not what was enumerated", () => {
    const one = { effect: zEffect(0.3, 0.1) };
    const exact = { effect: exactly(1) };
    const halves = { effect: { find: one.effect, confirm: one.effect } };
    const familyOf = (evidence: Evidence, comparisons: Evidence[]): string | null =>
      verdict({ ...evidence, comparisons, smallestEffectOfInterest: 0.01 }).family;
    assert.equal(familyOf(one, [one, halves, exact]), "Holm over 3");
    assert.equal(familyOf(one, [exact]), null);
    assert.equal(familyOf(exact, [one, one]), null);
    const conditions = [1, 2].map((x) => ({ setting: { x }, ...one }));
    assert.equal(verdict({ conditions, smallestEffectOfInterest: 0.01 }).family, "Holm over 2");
  });
});

describe("verdicts always", () => {
  const number = fc.double({ min: -1, max: 1, noNaN: true });
  const rank = { refuted: 0, "not shown": 1, "no effect that matters": 1, holds: 2, "holds if": 2 };
  const rankOf = (effect: Effect, d: number): number => {
    const { kind } = verdict({ effect, smallestEffectOfInterest: d });
    return rank[kind as keyof typeof rank];
  };

  it("are at least as good for an interval that lies higher", () => {
    fc.assert(
      fc.property(
        number,
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (low, width, up) => {
          assert.ok(
            rankOf(effectOf(low, low + width), 0.05) <= rankOf(effectOf(low + up, low + up + width), 0.05),
          );
        },
      ),
    );
  });

  it("stay what they are when a larger sample narrows the interval, or become decided", () => {
    fc.assert(
      fc.property(
        number,
        fc.double({ min: 0, max: 0.5, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (mean, width, shrink) => {
          const wide = kindOf(mean - width, mean + width);
          const narrow = kindOf(mean - width * shrink, mean + width * shrink);
          if (wide === "holds" || wide === "no effect that matters") assert.equal(narrow, wide);
          if (wide === "refuted") assert.ok(narrow === "refuted" || narrow === "no effect that matters");
        },
      ),
    );
  });

  it("are withheld below five seeds, whatever the effect", () => {
    fc.assert(
      fc.property(number, fc.integer({ min: 1, max: 4 }), (mean, n) => {
        const few = effectOf(mean, mean, n);
        assert.equal(verdict({ effect: few, smallestEffectOfInterest: 0.05 }).kind, "too few seeds");
        const conditions = [{ setting: { x: 1 }, effect: few }];
        assert.equal(verdict({ conditions, smallestEffectOfInterest: 0.05 }).kind, "too few seeds");
      }),
    );
  });

  it("give a single run no interval of no width", () => {
    const { kind, reason } = verdict({ effect: gain([1], [0]), smallestEffectOfInterest: 0.1 });
    assert.equal(kind, "too few seeds");
    assert.match(reason, /^effect 1\.000, n = 1, which has no interval/);
    assert.equal(effectText(gain([1], [0])), "1.000");
    assert.match(effectText(gain([1, 0.9], [0, 0.1])), /^0\.900 \[/);
  });

  it("are no stronger in a larger family", () => {
    fc.assert(
      fc.property(fc.array(number, { minLength: 1, maxLength: 5 }), (means) => {
        const effect = zEffect(0.25, 0.1);
        const comparisons = means.map((mean) => ({ effect: zEffect(mean, 0.1) }));
        const alone = verdict({ effect, smallestEffectOfInterest: 0.05 }).kind;
        const among = verdict({ effect, comparisons, smallestEffectOfInterest: 0.05 }).kind;
        assert.ok(among === alone || among === "not shown");
      }),
      { numRuns: 30 },
    );
  });
});
