import assert from "node:assert/strict";
import { cosTurn } from "turnwise/internal/base/elementary/cosTurn";
import { exp } from "turnwise/tensor";
import { createRng } from "turnwise";
import { expm1 } from "turnwise/internal/base/elementary/expm1";
import { cosh, sinh } from "turnwise/internal/base/elementary/hyperbolic";
import { acos, asin, atan, atan2 } from "turnwise/internal/base/elementary/inverseTrigonometric";
import { log } from "turnwise/internal/base/elementary/log";
import { log1p } from "turnwise/internal/base/elementary/log1p";
import { power } from "turnwise/internal/base/elementary/power";
import { tanh } from "turnwise/internal/base/elementary/tanh";
import { cos, sin, tan } from "turnwise/internal/base/elementary/trigonometric";
import { HighPrecision } from "../../../support/highPrecision.js";

const exact = new HighPrecision(240);
const { one, over, times } = exact;

interface Case {
  readonly f: (x: number) => number;
  readonly truth: (x: bigint) => bigint;
  /** In units in the last place, as the docstring of the function states it. */
  readonly bound: number;
  readonly ranges: readonly (readonly [number, number])[];
  /** Where the formula changes. */
  readonly seams?: readonly number[];
}

const tanhOf = (x: bigint): bigint => {
  const e = exact.exp(2n * x);
  return over(e - one, e + one);
};

const cases: Readonly<Record<string, Case>> = {
  exp: {
    f: exp,
    truth: (x) => exact.exp(x),
    bound: 0.51,
    ranges: [
      [-1, 1],
      [-40, 40],
      [-1e-3, 1e-3],
      [-90, 300],
    ],
    seams: [-300, -1, 0, 1, 77, 5000].map((k) => ((k + 0.5) * Math.LN2) / 128),
  },
  expm1: {
    f: expm1,
    truth: (x) => exact.exp(x) - one,
    bound: 0.7,
    ranges: [
      [-1, 1],
      [-0.03, 0.03],
      [-1e-6, 1e-6],
      [-60, 60],
    ],
    seams: [-50, -0.02, 0.02, 50, 1.5 * (Math.LN2 / 128), Math.LN2],
  },
  log: {
    f: log,
    truth: (x) => exact.log(x),
    bound: 0.52,
    ranges: [
      [0.5, 2],
      [0.999, 1.001],
      [1e-6, 1e-3],
      [2, 1e10],
    ],
    seams: [0.703125, 1.40625, 127.5 / 128, 128.5 / 128, 1, 89.5 / 128, 4.5],
  },
  log1p: {
    f: log1p,
    truth: (x) => exact.log(one + x),
    bound: 0.6,
    ranges: [
      [-0.9, 1],
      [-1e-2, 1e-2],
      [-1e-5, 1e-5],
      [0, 1e9],
    ],
    seams: [-1e-6, 1e-6, 1, -0.5 / 128, 0.5 / 128],
  },
  tanh: {
    f: tanh,
    truth: tanhOf,
    bound: 2.5,
    ranges: [
      [-2, 2],
      [-1e-2, 1e-2],
      [-22, 22],
    ],
    seams: [0.01, 1, 20],
  },
  sinh: {
    f: sinh,
    truth: (x) => (exact.exp(x) - exact.exp(-x)) / 2n,
    bound: 2.5,
    ranges: [
      [-2, 2],
      [-1e-2, 1e-2],
      [-60, 60],
    ],
    seams: [1e-9, 0.02, 22],
  },
  cosh: {
    f: cosh,
    truth: (x) => (exact.exp(x) + exact.exp(-x)) / 2n,
    bound: 1.5,
    ranges: [
      [-2, 2],
      [-60, 60],
    ],
  },
  sin: {
    f: sin,
    truth: (x) => exact.sin(x),
    bound: 0.9,
    ranges: [
      [-4, 4],
      [-1e-3, 1e-3],
      [-1e5, 1e5],
      [1e5, 1e12],
    ],
  },
  cos: {
    f: cos,
    truth: exact.cos,
    bound: 0.9,
    ranges: [
      [-4, 4],
      [-1e5, 1e5],
      [-1e12, -1e5],
    ],
  },
  tan: {
    f: tan,
    truth: (x) => over(exact.sin(x), exact.cos(x)),
    bound: 2.5,
    ranges: [
      [-4, 4],
      [-1e5, 1e5],
      [1e5, 1e12],
    ],
  },
  atan: {
    f: atan,
    truth: (x) => exact.atan(x),
    bound: 1,
    ranges: [
      [-1, 1],
      [-5, 5],
      [-1e-3, 1e-3],
      [0, 1e6],
    ],
    seams: [0.4375, 0.6875, 1.1875, 2.4375, 1e-8],
  },
  asin: {
    f: asin,
    truth: (x) => exact.atan(over(x, exact.root(one - times(x, x)))),
    bound: 3,
    ranges: [
      [-0.999999, 0.999999],
      [-1e-3, 1e-3],
    ],
  },
  acos: {
    f: acos,
    truth: (x) => 2n * exact.atan(exact.root(over(one - x, one + x))),
    bound: 3,
    ranges: [[-0.999999, 0.999999]],
  },
};

/** The double that is n places above. */
function after(x: number, n: number): number {
  const bits = new BigInt64Array(1);
  const double = new Float64Array(bits.buffer);
  double[0] = x;
  bits[0]! += BigInt(x < 0 ? -n : n);
  return double[0]!;
}

describe("elementary functions", () => {
  for (const [name, { f, truth, bound, ranges, seams = [] }] of Object.entries(cases)) {
    it(`keep ${name} within ${bound} units in the last place of the truth`, () => {
      const rng = createRng(1).split(name);
      const drawn = ranges.flatMap(([low, high]) =>
        Array.from({ length: 600 }, () => low + (high - low) * (rng.next() + rng.next() / 4294967296)),
      );
      const beside = seams.flatMap((x) => [-2, -1, 0, 1, 2].map((n) => after(x, n)));
      for (const x of [...drawn, ...beside]) {
        const error = exact.error(f(x), truth(exact.of(x)));
        assert.ok(error <= bound, `${name}(${x}) is ${f(x)}, ${error} units away`);
      }
    });

    if (seams.length > 0) {
      it(`let ${name} rise where its formula changes, up to the last place`, () => {
        for (const seam of seams) {
          let before = -Infinity;
          const steps = Array.from({ length: 401 }, (_, i) => after(seam, i - 200));
          for (const x of steps) {
            const lastPlace = 2 ** (Math.floor(Math.log2(Math.abs(f(x)))) - 52);
            assert.ok(
              f(x) >= before - Math.ceil(bound) * lastPlace,
              `${name}(${x}) is ${f(x)}, below ${before}`,
            );
            before = f(x);
          }
        }
      });
    }
  }

  it("compute the cosine of a part of a turn within 2^-53 of 1", () => {
    const rng = createRng(2);
    const turn = 8n * exact.atan(one);
    for (let i = 0; i < 2000; i++) {
      const u = rng.next();
      const truth = exact.cos(times(turn, exact.of(u)));
      const difference = Number(((exact.of(cosTurn(u)) - truth) << 60n) / one) / 2 ** 60;
      assert.ok(Math.abs(difference) < 2 ** -52, `cosTurn(${u}) is ${difference} away`);
    }
  });

  it("hold the stated bound for powers", () => {
    const rng = createRng(3);
    for (let i = 0; i < 2000; i++) {
      const base = 3 * rng.next() + 1e-3;
      const exponent = i % 2 ? rng.below(40) - 20 : 10 * rng.next() - 5;
      const truth = exact.exp(times(exact.of(exponent), exact.log(exact.of(base))));
      const bound = 2 + Math.abs(exponent) * (1 + Math.abs(Math.log(base)));
      const error = exact.error(power(base, exponent), truth);
      assert.ok(error <= bound, `power(${base}, ${exponent}) is ${error} units away, not ${bound}`);
    }
    assert.equal(power(10, 15), 1e15);
    assert.equal(power(2, -1074), Number.MIN_VALUE);
    assert.equal(power(-2, 3), -8);
    assert.equal(power(0, 0), 1);
    assert.equal(power(-8, 1 / 3), NaN);
  });

  it("take pi to enough digits for the largest arguments", () => {
    const precise = new HighPrecision(1300);
    for (const x of [1e22, 2 ** 1023, 1.7976931348623157e308, -1.5e300, 5e15]) {
      assert.ok(precise.error(sin(x), precise.sin(precise.of(x))) <= 0.9, `sin(${x})`);
      assert.ok(precise.error(cos(x), precise.cos(precise.of(x))) <= 0.9, `cos(${x})`);
    }
    // The double that comes closest to a multiple of pi/2: 5.3e-19 is left of it.
    assert.equal(cos(6381956970095103 * 2 ** 797), -4.6871659242546277e-19);
  });

  it("answer as IEEE 754 asks where there is no number to compute", () => {
    const oneArgument = { exp, expm1, log, log1p, tanh, sinh, cosh, sin, cos, tan, atan, asin, acos };
    for (const [name, f] of Object.entries(oneArgument)) {
      const engine = Math[name as keyof typeof oneArgument];
      for (const x of [0, -0, NaN, Infinity, -Infinity, -1, 1, 710, -746, 709.782712893384]) {
        const [own, its] = [f(x), engine(x)];
        const alike =
          Number.isFinite(its) && its !== 0 ? Math.abs(own / its - 1) < 1e-15 : Object.is(own, its);
        assert.ok(alike, `${name}(${Object.is(x, -0) ? "-0" : x}) is ${own}, not ${its}`);
      }
    }
    const sides = [0, -0, 1, -1, Infinity, -Infinity, NaN];
    for (const y of sides) {
      for (const x of sides) assert.ok(Object.is(atan2(y, x), Math.atan2(y, x)), `atan2(${y}, ${x})`);
    }
  });

  it("reach through the subnormal numbers", () => {
    // e^-745 = 5e-324 up to rounding, e^-744 = 9.9e-324: the one and two smallest numbers there are.
    assert.equal(exp(-745), Number.MIN_VALUE);
    assert.equal(exp(-744), 2 * Number.MIN_VALUE);
    assert.equal(exp(-745.2), 0);
    // ln 2^-1074 = -1074 ln 2.
    assert.equal(log(Number.MIN_VALUE), -744.4400719213812);
    assert.equal(log1p(Number.MIN_VALUE), Number.MIN_VALUE);
    assert.equal(sin(Number.MIN_VALUE), Number.MIN_VALUE);
    const most = 709.782712893384;
    const scaled = exact.exp(exact.of(most)) / exact.of(2 ** 971);
    assert.equal(exp(most) / 2 ** 971, Number(scaled));
  });
});
