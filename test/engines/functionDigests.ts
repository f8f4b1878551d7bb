// Uses internals of turnwise/base.
// The digests also run in pages, where all of turnwise does not load.
import { cosTurn } from "turnwise/internal/base/elementary/cosTurn";
import { exp } from "turnwise/internal/base/elementary/exp";
import { expm1 } from "turnwise/internal/base/elementary/expm1";
import { cosh, sinh } from "turnwise/internal/base/elementary/hyperbolic";
import { acos, asin, atan, atan2 } from "turnwise/internal/base/elementary/inverseTrigonometric";
import { log } from "turnwise/internal/base/elementary/log";
import { log1p } from "turnwise/internal/base/elementary/log1p";
import { power } from "turnwise/internal/base/elementary/power";
import { tanh } from "turnwise/internal/base/elementary/tanh";
import { cos, sin, tan } from "turnwise/internal/base/elementary/trigonometric";
import { Digest } from "./digest.js";

type Range = readonly [low: number, high: number] | "any bits";

interface Subject {
  readonly f: (x: number, y: number) => number;
  /** The arguments are shared out among them. */
  readonly ranges: readonly Range[];
  /** Share of the arguments that are asked for; those that training uses get all of them. */
  readonly share?: number;
}

const few = 0.05;
const wave: readonly Range[] = [
  [-4, 4],
  [-1e5, 1e5],
];
const subjects: Readonly<Record<string, Subject>> = {
  exp: { f: exp, ranges: [[-40, 2], [-1e-3, 1e-3], [-760, 720], "any bits"] },
  expm1: { f: expm1, ranges: [[-2, 2], [-1e-2, 1e-2], [-60, 60], "any bits"] },
  log: { f: log, ranges: [[0, 1], [0.99, 1.01], [0, 1e6], "any bits"] },
  log1p: { f: log1p, ranges: [[-1, 2], [-1e-3, 1e-3], [0, 1e9], "any bits"] },
  tanh: { f: tanh, ranges: [[-3, 3], [-1e-3, 1e-3], [-25, 25], "any bits"] },
  power: { f: power, ranges: [[0, 3], [0.9, 1], "any bits"], share: few },
  // Whole exponents, as of Adam's corrections and of discounts.
  wholePower: {
    f: (x, y) => power(x, Math.floor(8 * y)),
    ranges: [
      [0, 1.01],
      [-20, 20],
    ],
    share: few,
  },
  cosTurn: { f: cosTurn, ranges: [[0, 1]], share: few },
  sin: { f: sin, ranges: wave, share: few },
  cos: { f: cos, ranges: wave, share: few },
  tan: { f: tan, ranges: wave, share: few },
  largeSin: { f: sin, ranges: [[1e5, 1e9], "any bits"], share: 1e-3 },
  sinh: {
    f: sinh,
    ranges: [
      [-3, 3],
      [-720, 720],
    ],
    share: few,
  },
  cosh: {
    f: cosh,
    ranges: [
      [-3, 3],
      [-720, 720],
    ],
    share: few,
  },
  atan: { f: atan, ranges: [[-3, 3], "any bits"], share: few },
  atan2: { f: atan2, ranges: [[-3, 3], "any bits"], share: few },
  asin: { f: asin, ranges: [[-1, 1]], share: few },
  acos: { f: acos, ranges: [[-1, 1]], share: few },
};

export const functionNames: readonly string[] = Object.keys(subjects);

/** The digest of a function's values at `count` arguments, or its share of them, drawn alike on every engine. */
export function functionDigest(name: string, count: number): string {
  const { f, ranges, share = 1 } = subjects[name]!;
  const digest = new Digest();
  const bits = new Uint32Array(2);
  const any = new Float64Array(bits.buffer);
  const each = Math.ceil((share * count) / ranges.length);
  // xorshift, since the library's generator is four times as slow.
  let state = 2463534242;
  const word = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
  const argument = (range: Range): number => {
    if (range === "any bits") {
      bits[0] = word();
      bits[1] = word();
      return any[0]!;
    }
    const [low, high] = range;
    return low + (high - low) * ((word() + word() / 4294967296) / 4294967296);
  };
  for (const range of ranges) {
    for (let i = 0; i < each; i++) {
      const x = argument(range);
      digest.add(f(x, 3 * argument([-1, 1])));
    }
  }
  return digest.toString();
}
