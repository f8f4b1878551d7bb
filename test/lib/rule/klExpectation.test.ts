import assert from "node:assert/strict";
import fc from "fast-check";
import { recipe } from "turnwise";
import { addExactKlGradient, exactKl } from "turnwise/internal/rule/regularizer/kl/exact";
import { klExpectation, senseless } from "turnwise/internal/rule/regularizer/kl/expectation";
import {
  klEstimate,
  writtenOut,
  type KlOther,
  type KlShape,
} from "turnwise/internal/rule/regularizer/kl/index";
import { assertClose } from "./support";

/** Probabilities of a vocabulary of two to five tokens, as log-probs; ratios of two of them stay below 20 nats. */
function policies(count: number): fc.Arbitrary<number[][]> {
  const logits = (V: number): fc.Arbitrary<number[]> =>
    fc.array(fc.double({ min: -3, max: 3, noNaN: true }), { minLength: V, maxLength: V });
  const normal = (x: number[]): number[] => {
    const total = Math.log(x.reduce((sum, one) => sum + Math.exp(one), 0));
    return x.map((one) => one - total);
  };
  return fc
    .integer({ min: 2, max: 5 })
    .chain((V) => fc.array(logits(V), { minLength: count, maxLength: count }))
    .map((all) => all.map(normal));
}

interface Setting {
  readonly now: readonly number[];
  readonly other: readonly number[];
  /** The policy that draws the tokens. */
  readonly old: readonly number[];
}

/** Mean over the tokens that `old` draws of the estimate, and of its gradient in the logits of `now`: the sum over the vocabulary. */
function meanOf(kl: KlShape, { now, other, old }: Setting): { value: number; gradient: number[] } {
  let value = 0;
  const gradient = now.map(() => 0);
  now.forEach((logProb, v) => {
    const chance = Math.exp(old[v]!);
    const told = klEstimate(kl, { logProb, other: other[v]!, oldLogProb: old[v]! });
    value += chance * told.value;
    // d log p_v / d logit_j = 1{v = j} - p_j
    now.forEach((x, j) => (gradient[j]! += chance * told.slope * ((v === j ? 1 : 0) - Math.exp(x))));
  });
  return { value, gradient };
}

/** The divergence of the cell's direction, and central differences of it in the logits of `now`. */
function divergenceOf(
  { direction }: KlShape,
  { now, other }: Setting,
): { value: number; gradient: number[] } {
  const at = (logits: readonly number[]): number => {
    const total = Math.log(logits.reduce((sum, x) => sum + Math.exp(x), 0));
    const log = logits.map((x) => x - total);
    const [p, q] = direction === "reverse" ? [log, other] : [other, log];
    return p.reduce((sum, x, v) => sum + Math.exp(x) * (x - q[v]!), 0);
  };
  const h = 1e-5;
  const gradient = now.map((_, j) => {
    const moved = (by: number): number[] => now.map((x, v) => (v === j ? x + by : x));
    return (at(moved(h)) - at(moved(-h))) / (2 * h);
  });
  return { value: at(now), gradient };
}

const cells: readonly { other: KlOther; kl: KlShape }[] = (["reference", "old"] as const).flatMap((other) =>
  (["reverse", "forward"] as const).flatMap((direction) =>
    (["k1", "k2", "k3", "k3+"] as const).flatMap((estimator) =>
      (["none", "importanceWeighted"] as const).map((correction) => ({
        other,
        kl: { direction, estimator, correction, clamp: null },
      })),
    ),
  ),
);
const titleOf = ({ other, kl: { direction, estimator, correction } }: (typeof cells)[number]): string =>
  `${other}, ${direction} ${estimator}${correction === "none" ? "" : ", weighted"}`;

/** What is compared: the reference is any third policy, the old one is what draws the tokens. */
const settingOf = (other: KlOther, [now, old, reference]: number[][]): Setting => ({
  now: now!,
  old: old!,
  other: other === "old" ? old! : reference!,
});

describe("the expectation of an estimate, over every token that the old policy may draw", () => {
  for (const cell of cells.filter(({ other, kl }) => senseless(other, kl) === undefined)) {
    const { other, kl } = cell;
    const { value, gradient, sentence } = klExpectation(other, kl);
    it(`${titleOf(cell)}: value right ${value}, gradient right ${gradient}`, () => {
      assert.match(sentence, /^is /);
      fc.assert(
        fc.property(policies(3), ([now, old, reference]) => {
          for (const onPolicy of [false, true]) {
            const setting = settingOf(other, [now!, onPolicy ? now! : old!, reference!]);
            const mean = meanOf(kl, setting);
            const wanted = divergenceOf(kl, setting);
            const holds = (said: string): boolean => said === "always" || (said === "on policy" && onPolicy);
            if (holds(value)) assertClose([mean.value], [wanted.value], 1e-9, "value");
            if (holds(gradient)) assertClose(mean.gradient, wanted.gradient, 1e-7, "gradient");
          }
        }),
        { numRuns: 200 },
      );
    });

    // Two tokens are enough: what is said to fail fails on this one, by more than rounding.
    it(`${titleOf(cell)}: is right nowhere else`, () => {
      const log = (...p: number[]): number[] => p.map(Math.log);
      const [now, old, reference] = [log(0.7, 0.3), log(0.5, 0.5), log(0.2, 0.8)];
      const misses = (onPolicy: boolean, part: "value" | "gradient"): boolean => {
        const setting = settingOf(other, [now, onPolicy ? now : old, reference]);
        const [mean, wanted] = [meanOf(kl, setting)[part], divergenceOf(kl, setting)[part]];
        return [mean].flat().some((x, i) => Math.abs(x - [wanted].flat()[i]!) > 1e-3);
      };
      assert.equal(misses(false, "value"), value !== "always");
      assert.equal(misses(false, "gradient"), gradient !== "always");
      // On policy an old policy is the present one, and any estimate of 0 is right.
      if (other === "old") return;
      assert.equal(misses(true, "value"), value === "never");
      assert.equal(misses(true, "gradient"), gradient === "never");
    });
  }

  it("k1 and k3 with weights go on being right beyond 20 nats, but for a weight that is larger", () => {
    const k1 = writtenOut({ estimator: "k1", correction: "importanceWeighted" } as const);
    const k3 = writtenOut({ estimator: "k3", correction: "importanceWeighted" } as const);
    const half = Math.log(0.5);
    // pi(a) = e^-30, drawn by old half of the time, with d = log .5 + 30: the weight e^-d cancels the e^d of k3.
    const left = { logProb: -30, other: half, oldLogProb: half };
    const d = half + 30;
    const w = Math.exp(-d);
    const [far1, far3] = [klEstimate(k1, left), klEstimate(k3, left)];
    assertClose([far1.value, far1.slope], [-w * d, w * (1 - d)], 1e-25);
    assertClose([far3.value, far3.slope], [1 - w * (1 + d), -w * d], 1e-14);
    // And of a token that pi has left by 1e4 nats: e^d alone is beyond all numbers.
    const gone = klEstimate(k3, { ...left, logProb: -1e4 });
    assert.deepEqual([gone.value, gone.slope], [1, -0]);
    // A token that old hardly ever drew: e^20 in place of e^29.3, and no gradient through it.
    const rare = klEstimate(k1, { logProb: half, other: -1, oldLogProb: -30 });
    assertClose([rare.value, rare.slope], [Math.exp(20) * (half + 1), Math.exp(20)], 1e-5);
  });

  it("k3 with weights has the central difference of its value as its slope, near and far", () => {
    const shapes = (["reverse", "forward"] as const).map((direction) =>
      writtenOut({ estimator: "k3", direction, correction: "importanceWeighted" } as const),
    );
    for (const kl of shapes) {
      for (const logProb of [-0.5, -3, -19, -30, -60, -900]) {
        for (const other of [-0.7, -25]) {
          const at = (x: number): ReturnType<typeof klEstimate> =>
            klEstimate(kl, { logProb: x, other, oldLogProb: -1.3 });
          const h = 1e-5;
          const numeric = (at(logProb + h).value - at(logProb - h).value) / (2 * h);
          const { value, slope } = at(logProb);
          const scale = Math.max(1, Math.abs(value), Math.abs(slope));
          assertClose([slope / scale], [numeric / scale], 1e-8, JSON.stringify({ kl, logProb, other }));
        }
      }
    }
  });

  it("k3+ with weights has the value of k3, and the weight times the slope of k2", () => {
    for (const direction of ["reverse", "forward"] as const) {
      for (const logProb of [-0.5, -3, -19, -30, -60, -900]) {
        for (const other of [-0.7, -25]) {
          const token = { logProb, other, oldLogProb: -1.3 };
          const of = (estimator: "k3" | "k3+"): ReturnType<typeof klEstimate> =>
            klEstimate(
              writtenOut({ estimator, direction, correction: "importanceWeighted" } as const),
              token,
            );
          // The weight is pi / pi_old or other / pi_old; the slope of d^2 / 2 in log pi is log pi - log other both ways.
          const weight = Math.exp(Math.min((direction === "reverse" ? logProb : other) + 1.3, 20));
          assert.equal(of("k3+").value, of("k3").value);
          assertClose([of("k3+").slope], [weight * (logProb - other)], 1e-12, JSON.stringify(token));
        }
      }
    }
  });
});

describe("the estimate that everybody copies, k3 on samples of the old policy", () => {
  const old = [0.9, 0.1].map(Math.log);
  const now = [0.999, 0.001].map(Math.log);
  const setting = { now, old, other: old };

  it("has the mean chi2 - KL(old || new), 94 times the divergence that it stands for", () => {
    // .9 (.9/.999 - 1 - log(.9/.999)) + .1 (100 - 1 - log 100) = .9 (-.0990991 + .1043600) + .1 (94.3948298)
    const { value } = meanOf(writtenOut({ estimator: "k3" }), setting);
    assertClose([value], [0.9 * (-0.0990991 + 0.10436) + 0.1 * 94.3948298], 1e-6);
    assertClose([value], [9.444218], 1e-6);
    // chi2(old || new) = .81/.999 + .01/.001 - 1 = 9.8108108; KL(old || new) = .9 log(.9/.999) + .1 log 100 = .3665930
    assertClose([value], [9.8108108 - 0.366593], 1e-6);
  });

  it("where KL(new || old) is .100 and KL(old || new) .367", () => {
    // .999 log(.999/.9) + .001 log(.001/.1) = .1042556 - .0046052
    const of = (direction: "reverse" | "forward"): number =>
      divergenceOf(writtenOut({ estimator: "k3", direction }), setting).value;
    assertClose([of("reverse"), of("forward")], [0.0996505, 0.366593], 1e-6);
    const weighted = writtenOut({ estimator: "k3", correction: "importanceWeighted" } as const);
    assertClose([meanOf(weighted, setting).value], [0.0996505], 1e-6);
    const forward = writtenOut({ estimator: "k3", direction: "forward" } as const);
    assertClose([meanOf(forward, setting).value], [0.366593], 1e-6);
  });

  it("is cut to ten nats as in verl, beyond which it has no slope", () => {
    const verl = writtenOut({ estimator: "k3", clamp: { logRatio: 20, value: 10 } } as const);
    const at = (logProb: number): { value: number; slope: number } =>
      klEstimate(verl, { logProb, other: -1, oldLogProb: -1 });
    // d = log 100 = 4.605: 100 - 1 - 4.605 is beyond 10; d = 1 is not: e - 2, slope 1 - e.
    assert.deepEqual(at(-1 - Math.log(100)), { value: 10, slope: 0 });
    assertClose(Object.values(at(-2)), [Math.E - 2, 1 - Math.E], 1e-12);
    // d = -15: 14 + e^-15, cut as well.
    assert.deepEqual(at(14), { value: 10, slope: 0 });
  });
});

describe("exactKl", () => {
  it("is the divergence, and its gradient in the logits, for any two policies", () => {
    fc.assert(
      fc.property(
        policies(2),
        fc.constantFrom<"reverse" | "forward">("reverse", "forward"),
        ([now, other], direction) => {
          const pair = { logProbs: now!, others: other!, at: 0, size: now!.length };
          const wanted = divergenceOf(writtenOut({ estimator: "exact", direction }), {
            now: now!,
            other: other!,
            old: now!,
          });
          const value = exactKl(direction, pair);
          const into = new Float64Array(now!.length);
          addExactKlGradient(direction, pair, value, 2, into);
          assertClose([value], [wanted.value], 1e-9);
          assertClose(
            into,
            wanted.gradient.map((x) => 2 * x),
            1e-7,
          );
        },
      ),
    );
  });

  it("takes 0 log 0 for 0, and is infinite where the other policy rules out what the first may choose", () => {
    const sure = [0, -Infinity];
    const half = [Math.log(0.5), Math.log(0.5)];
    const of = (logProbs: number[], others: number[]): number =>
      exactKl("reverse", { logProbs, others, at: 0, size: 2 });
    assertClose([of(sure, half)], [Math.log(2)], 1e-15);
    assert.equal(of(half, sure), Infinity);
    assert.equal(of(sure, sure), 0);
    const into = new Float64Array(2);
    addExactKlGradient("reverse", { logProbs: sure, others: half, at: 0, size: 2 }, Math.log(2), 1, into);
    assertClose(into, [0, 0], 1e-15);
  });

  it("is 0 to the last bit between a policy and itself, and so is its gradient", () => {
    const one = [0.2, 0.5, 0.3].map(Math.log);
    for (const direction of ["reverse", "forward"] as const) {
      const pair = { logProbs: one, others: one, at: 0, size: 3 };
      const into = new Float64Array(3);
      assert.equal(exactKl(direction, pair), 0);
      addExactKlGradient(direction, pair, 0, 1, into);
      assert.deepEqual([...into], [0, 0, 0]);
    }
  });
});

describe("a penalty that can mean nothing", () => {
  const refused = (regularizer: object, message: string): void => {
    assert.throws(() => recipe("grpo", { regularizer }), {
      name: "RangeError",
      message: `Cannot make recipe grpo: regularizer.${message}`,
    });
  };

  it("k1 in a loss, whose expected gradient is 0 on policy", () => {
    fc.assert(
      fc.property(policies(2), ([now, reference]) => {
        const { gradient } = meanOf(writtenOut({ estimator: "k1" }), {
          now: now!,
          other: reference!,
          old: now!,
        });
        assertClose(
          gradient,
          gradient.map(() => 0),
          1e-12,
        );
      }),
    );
    refused(
      { klReference: { coef: 0.1, estimator: "k1" } },
      'klReference.estimator must be "exact", or "k1" with correction "importanceWeighted", in a loss, where the bare k1 ' +
        'has an expected gradient of 0 and so charges nothing (as a reward it charges: reward.kl), got "k1".',
    );
    refused(
      { klOld: { coef: 0.1, estimator: "k1" } },
      'klOld.estimator must be "exact", or "k1" with correction "importanceWeighted", in a loss, where the bare k1 ' +
        'has an expected gradient of 0 on policy, and away from the old policy afterwards, got "k1".',
    );
    assert.equal(recipe("grpo", { regularizer: { klReference: { coef: 0, estimator: "k1" } } }).name, "grpo");
    const weighted = { coef: 0.1, estimator: "k1", correction: "importanceWeighted" } as const;
    assert.equal(recipe("grpo", { regularizer: { klReference: weighted } }).name, "grpo");
  });

  it("corrections, limits and directions that an estimator cannot have", () => {
    const correction = "importanceWeighted";
    const clamp = {};
    refused(
      { klReference: { correction } },
      'klReference.correction must be "none" with estimator "exact", which reads whole distributions, got "importanceWeighted".',
    );
    refused(
      { klOld: { clamp } },
      'klOld.clamp must be null with estimator "exact", which reads whole distributions, got {"logRatio":20,"value":10}.',
    );
    refused(
      { klOld: { direction: "forward", estimator: "k2" } },
      'klOld.estimator must be "exact", "k1" or "k3" with direction "forward", since the gradient of k2 is that of "reverse", got "k2".',
    );
    refused(
      { klOld: { direction: "forward", estimator: "k3", correction } },
      'klOld.correction must be "none" with direction "forward", which wants the tokens from the old policy that drew them, got "importanceWeighted".',
    );
    refused(
      { klReference: { direction: "forward", estimator: "k3" } },
      'klReference.correction must be "importanceWeighted" with direction "forward", which wants the tokens from the reference, while the old policy drew them, got "none".',
    );
    refused(
      { clippingTriggered: { kind: "klPenalty", estimator: "k1" } },
      'clippingTriggered.estimator must be "exact", or "k1" with correction "importanceWeighted", in a loss, where the bare k1 ' +
        'has an expected gradient of 0 on policy, and away from the old policy afterwards, got "k1".',
    );
  });

  it("an exact KL as a reward alone, which charges no token for its own context", () => {
    const kl = { coef: 0.1, estimator: "exact" } as const;
    assert.throws(() => recipe("grpo", { reward: { kl } }), {
      name: "RangeError",
      message:
        'Cannot make recipe grpo: reward.kl.estimator must be "k1" without regularizer.klReference: { estimator: "exact" }, ' +
        'which charges a token\'s own context: as a reward the exact KL reaches earlier tokens alone, got "exact".',
    });
    assert.equal(
      recipe("grpo", { reward: { kl }, regularizer: { klReference: { coef: 0.1 } } }).name,
      "grpo",
    );
  });
});

describe("the forms of releases", () => {
  it("fill in the fields of a penalty, and stand in the table by their names", () => {
    const cell = (
      form: "trl" | "trlCorrected" | "deepSeekV32" | "verl" | "verlStraightThrough" | "seeUpo" | "openRlhf",
    ) => recipe("grpo", { regularizer: { klReference: { coef: 0.1, form } } }).regularizer.klReference;
    const clamp = { logRatio: 20, value: 10 };
    const none = { coef: 0.1, direction: "reverse", correction: "none" };
    assert.deepEqual(cell("trl"), { ...none, estimator: "k3", clamp: null });
    assert.deepEqual(cell("trlCorrected"), {
      ...none,
      estimator: "k3",
      correction: "importanceWeighted",
      clamp: null,
    });
    assert.deepEqual(cell("deepSeekV32"), cell("trlCorrected"));
    assert.deepEqual(cell("verl"), { ...none, estimator: "k3", clamp });
    assert.deepEqual(cell("seeUpo"), cell("verl"));
    assert.deepEqual(cell("verlStraightThrough"), { ...none, estimator: "k3+", clamp });
    assert.deepEqual(cell("openRlhf"), { ...none, estimator: "k2", clamp });
    // What is written beside it goes before.
    const wider = recipe("grpo", { regularizer: { klOld: { form: "verl", clamp: { value: 5 } } } });
    assert.deepEqual(wider.regularizer.klOld!.clamp, { logRatio: 20, value: 5 });
  });

  it("are refused by a name that no release has", () => {
    assert.throws(() => recipe("grpo", { regularizer: { klOld: { form: "verll" as never } } }), {
      name: "RangeError",
      message:
        'Cannot make recipe grpo: regularizer.klOld.form must be "trl" or "trlCorrected" or "deepSeekV32" or "verl" or "verlStraightThrough" or "seeUpo" or "openRlhf", got "verll".\nDid you mean "verl"?',
    });
  });
});
