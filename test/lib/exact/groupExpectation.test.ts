import assert from "node:assert/strict";
import fc from "fast-check";
import { affineTest, expectedAdvantageByArm, expectedAdvantageByReturn } from "turnwise/exact";
import { createRng } from "turnwise";

/** The bandit of RAGEN's repository: a sure .1 against 1 with probability 1/4. */
const safe = { value: [0.1], probability: [1] };
const risky = { value: [0, 1], probability: [0.75, 0.25] };

function D(G: number, p: number, scale: "none" | "group" = "group"): number {
  const [s, r] = expectedAdvantageByArm([safe, risky], [1 - p, p], { groupSize: G, scale });
  return r! - s!;
}

function close(actual: number, expected: number, digits: number): void {
  const half = 0.5 * 10 ** -digits + 1e-12;
  assert.ok(Math.abs(actual - expected) <= half, `${actual} is not ${expected} to ${digits} digits`);
}

describe("expected group advantage", () => {
  it("of the risky arm minus the safe one is -1/2 for every policy at G = 2 with the group's std", () => {
    // Population std of two unequal returns makes A = +1 and -1, equal ones 0.
    // E[A|risky] = (1-p)(1/4 - 3/4) = -(1-p)/2 ; E[A|safe] = p(3/4 - 1/4) = p/2 ; difference -1/2.
    for (const p of [0.01, 0.1, 0.5, 0.9, 0.99]) close(D(2, p), -0.5, 12);
  });

  it("has the table of D_G(p) to three digits", () => {
    const p = [0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99];
    const table: [number, number[]][] = [
      [4, [-0.858, -0.791, -0.69, -0.554, -0.458, -0.42, -0.404]],
      [8, [-1.279, -0.938, -0.544, -0.194, -0.053, -0.027, -0.029]],
      [16, [-1.781, -0.806, -0.113, 0.209, 0.272, 0.274, 0.267]],
      [32, [-2.315, -0.297, 0.339, 0.406, 0.366, 0.343, 0.331]],
      [64, [-2.693, 0.378, 0.568, 0.452, 0.382, 0.354, 0.341]],
      [Infinity, [3.275, 1.041, 0.664, 0.476, 0.394, 0.363, 0.348]],
    ];
    for (const [G, row] of table) row.forEach((expected, i) => close(D(G, p[i]!), expected, 3));
    close(D(8, 0.5), -0.1942, 4);
  });

  it("without std is (G-1)/G of the true difference, at every policy", () => {
    // True difference of the means: 1/4 - 1/10 = .15.
    for (const G of [2, 5, 8])
      for (const p of [0.1, 0.5, 0.9]) close(D(G, p, "none"), ((G - 1) / G) * 0.15, 12);
    const [s, r] = expectedAdvantageByArm([safe, risky], [0.5, 0.5], {
      groupSize: 8,
      scale: "none",
      baseline: "leaveOneOut",
    });
    close(r! - s!, 0.15, 12);
  });

  it("does not see where the returns begin: the same at 0, at 1e6 and at 1e7", () => {
    const value = [0, 0.5, 2];
    const probability = [0.5, 0.3, 0.2];
    for (const baseline of ["mean", "leaveOneOut"] as const) {
      for (const unbiased of [false, true]) {
        const options = { groupSize: 5, scale: "group", baseline, unbiased } as const;
        const phi = expectedAdvantageByReturn({ value, probability }, options);
        for (const offset of [1e6, 1e7, -1e7]) {
          const moved = { value: value.map((v) => v + offset), probability };
          expectedAdvantageByReturn(moved, options).forEach((x, k) => close(x, phi[k]!, 12));
        }
      }
    }
  });

  it("keeps returns apart that lie close together beside one that is far away", () => {
    // G = 2 and the group's std: the greater of two unequal returns gets 1, the less -1, however close they are.
    const value = [0, 1e7, 1e7 + 1];
    const phi = expectedAdvantageByReturn(
      { value, probability: [0.5, 0.25, 0.25] },
      { groupSize: 2, scale: "group" },
    );
    [-0.5, 0.25, 0.75].forEach((expected, k) => close(phi[k]!, expected, 9));
  });

  it("tends to sqrt(G-1) (P(R > c) - P(R < c)) for a deviator from a sure return", () => {
    // G = 8, c = .1, the risky arm wins 1/4 and loses 3/4 of the time: sqrt(7) (1/4 - 3/4) = -1.3229.
    close(D(8, 1e-7), -Math.sqrt(7) / 2, 5);
  });

  it("for binary returns is affine with slope c_G(p) = sum of two binomial means", () => {
    const at = (G: number, p: number): number => {
      const phi = expectedAdvantageByReturn(
        { value: [0, 1], probability: [1 - p, p] },
        { groupSize: G, scale: "group" },
      );
      return phi[1]! - phi[0]!;
    };
    // alpha = sum_k Bin(k; 7, p) sqrt((7-k)/(k+1)), beta = sum_k Bin(k; 7, p) sqrt(k/(8-k)), c_8 = alpha + beta.
    let c = 0;
    for (let k = 0, binomial = 0.559 ** 7; k <= 7; binomial *= (0.441 / 0.559) * ((7 - k) / (k + 1)), k++) {
      c += binomial * (Math.sqrt((7 - k) / (k + 1)) + Math.sqrt(k / (8 - k)));
    }
    close(at(8, 0.441), c, 12);
    close(at(8, 0.441), 1.86469, 5);
    const c8: [number, number][] = [
      [0.01, 2.609],
      [0.05, 2.473],
      [0.1, 2.328],
      [0.25, 2.026],
      [0.5, 1.856],
    ];
    for (const [p, expected] of c8) close(at(8, p), expected, 3);
    close(at(2, 0.3), 1, 12);
    close(at(64, 0.01), 6.736, 3);
    // G = infinity: 1 / sqrt(p (1-p)) = 2 at p = 1/2.
    close(at(Infinity, 0.5), 2, 12);
  });

  it("agrees with simulated groups within 4 standard errors", () => {
    const rng = createRng(11);
    const G = 5;
    const value = [0, 0.1, 1];
    const probability = [0.5, 0.3, 0.2];
    const phi = expectedAdvantageByReturn(
      { value, probability },
      { groupSize: G, scale: "group", unbiased: true },
    );
    const logP = probability.map(Math.log);
    for (const own of [0, 1, 2]) {
      let sum = 0;
      let squares = 0;
      const n = 20_000;
      for (let i = 0; i < n; i++) {
        const group = [value[own]!, ...Array.from({ length: G - 1 }, () => value[rng.categorical(logP)]!)];
        const mean = group.reduce((a, b) => a + b, 0) / G;
        const std = Math.sqrt(group.reduce((a, b) => a + (b - mean) ** 2, 0) / (G - 1));
        const advantage = group.every((r) => r === group[0]) ? 0 : (group[0]! - mean) / std;
        sum += advantage;
        squares += advantage * advantage;
      }
      const mean = sum / n;
      const error = Math.sqrt((squares / n - mean * mean) / n);
      assert.ok(
        Math.abs(mean - phi[own]!) < 4 * error,
        `own ${own}: ${mean} against ${phi[own]} +- ${error}`,
      );
    }
  });

  it("averages to zero over the distribution, whatever the returns", () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ v: fc.integer({ min: -5, max: 5 }), w: fc.integer({ min: 1, max: 9 }) }), {
          minLength: 2,
          maxLength: 4,
        }),
        fc.integer({ min: 2, max: 6 }),
        fc.constantFrom("none" as const, "group" as const),
        (items, groupSize, scale) => {
          const total = items.reduce((sum, { w }) => sum + w, 0);
          const distribution = { value: items.map((i) => i.v), probability: items.map((i) => i.w / total) };
          const phi = expectedAdvantageByReturn(distribution, { groupSize, scale });
          const mean = phi.reduce((sum, x, k) => sum + x * distribution.probability[k]!, 0);
          assert.ok(Math.abs(mean) < 1e-9, `mean advantage ${mean}`);
        },
      ),
    );
  });

  it("refuses groups of one, lopsided distributions and enumerations that would not end", () => {
    const coin = { value: [0, 1], probability: [0.5, 0.5] };
    assert.throws(() => expectedAdvantageByReturn(coin, { groupSize: 1, scale: "none" }), {
      name: "RangeError",
      message: "Cannot enumerate groups: groupSize must be an integer >= 2 or Infinity, got 1.",
    });
    assert.throws(
      () =>
        expectedAdvantageByReturn(
          { value: [0, 1], probability: [0.5, 0.6] },
          { groupSize: 2, scale: "none" },
        ),
      /must be >= 0 and sum to 1, got 0.5, 0.6/,
    );
    const many = Array.from({ length: 12 }, (_, k) => k);
    assert.throws(
      () =>
        expectedAdvantageByReturn(
          { value: many, probability: many.map(() => 1 / 12) },
          { groupSize: 64, scale: "none" },
        ),
      /compositions must be at most 5000000, but 12 returns in groups of 64 have \d+/,
    );
  });
});

describe("affineTest()", () => {
  it("passes without std and for binary returns, and fails for three returns in small groups with std", () => {
    const three = { value: [0, 0.1, 1], probability: [0.6, 0.2, 0.2] };
    const phi = (scale: "none" | "group", groupSize: number): Float64Array =>
      expectedAdvantageByReturn(three, { scale, groupSize });
    assert.equal(affineTest(three.value, phi("none", 4)).affineIncreasing, true);
    assert.equal(affineTest(three.value, phi("group", Infinity)).affineIncreasing, true);
    const small = affineTest(three.value, phi("group", 4));
    assert.equal(small.affineIncreasing, false);
    assert.ok(small.deviation > 0.1, `deviation ${small.deviation}`);
    const coin = { value: [0, 1], probability: [0.7, 0.3] };
    const binary = expectedAdvantageByReturn(coin, { scale: "group", groupSize: 4 });
    assert.equal(affineTest(coin.value, binary).affineIncreasing, true);
  });
});
