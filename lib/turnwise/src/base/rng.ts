// One file because the generator and the hash that keys its streams share one 64-bit arithmetic in 32-bit halves, all of it
// on the hottest path of a rollout: calls and variables across modules would slow it down.

import { cosTurn } from "./elementary/cosTurn";
import { exp } from "./elementary/exp";
import { log } from "./elementary/log";

/** A source of random draws that can be split by name, saved and restored. */
export interface Rng {
  /** Uniform in [0, 1), 32 random bits. */
  next(): number;
  /**
   * A whole number in [0, n), without modulo bias.
   *
   * @throws {RangeError} if n is not a whole number in [1, 2^32]
   */
  below(n: number): number;
  /** Standard normal, by the Box-Muller transform; uses two draws of `next`. */
  normal(): number;
  /** An index drawn with probability exp(logProb[i]) / sum; uses one draw of `next`. */
  categorical(logProb: ArrayLike<number>): number;
  /** A new array with the items in random order (Fisher-Yates). */
  shuffle<X>(items: readonly X[]): X[];
  /**
   * An independent child stream, keyed by a name and optional whole numbers.
   *
   * It depends only on the seed and the keys, not on what was drawn from this stream, and does not advance it.
   */
  split(name: string, ...keys: number[]): Rng;
  /** Serializable state, for checkpoints; `restoreRng` gives the stream back. */
  state(): string;
}

const MULTIPLIER = 6364136223846793005n;
const MULTIPLIER_HIGH = Number(MULTIPLIER >> 32n);
const MULTIPLIER_LOW = Number(MULTIPLIER & 0xffffffffn);

/** Scratch space of `categorical`: saves a second exponential per entry. */
let weights = new Float64Array(64);

/** 64 bits in two 32-bit halves, signed as engines store small integers: a bigint per operation would be many times slower. */
type Bits64 = readonly [high: number, low: number];

/** The prefix that all children of a stream share; cached, because a rollout splits one stream for every trajectory. */
interface Stem {
  /** Hash of the key's text. */
  readonly high: number;
  readonly low: number;
  /** The latest name, and the hash after absorbing it. */
  name: string;
  namedHigh: number;
  namedLow: number;
}

/**
 * PCG32 (XSH RR 64/32): state' = 6364136223846793005 * state + increment mod 2^64.
 *
 * The 64-bit state is kept in two 32-bit halves because a bigint per draw is about thirty times slower.
 *
 * @see O'Neill, "PCG: A Family of Simple Fast Space-Efficient Statistically Good Algorithms for Random Number
 *   Generation" (2014), section 6.3, and the reference implementation pcg-c-basic
 */
class Pcg32 implements Rng {
  #high: number;
  #low: number;
  readonly #incrementHigh: number;
  readonly #incrementLow: number;
  readonly #keyHigh: number;
  readonly #keyLow: number;
  #stem: Stem | undefined;

  constructor([high, low]: Bits64, [incrementHigh, incrementLow]: Bits64, [keyHigh, keyLow]: Bits64) {
    this.#high = high | 0;
    this.#low = low | 0;
    this.#incrementHigh = incrementHigh | 0;
    this.#incrementLow = incrementLow | 0;
    this.#keyHigh = keyHigh | 0;
    this.#keyLow = keyLow | 0;
  }

  /** pcg32_srandom_r of the reference implementation: step from 0, add the initial state, step again. */
  static seeded(initial: Bits64, sequence: Bits64, key: Bits64): Pcg32 {
    const high = (sequence[0] << 1) | (sequence[1] >>> 31);
    const low = (sequence[1] << 1) | 1;
    const sumLow = (low >>> 0) + (initial[1] >>> 0);
    const rng = new Pcg32([high + initial[0] + (sumLow > 0xffffffff ? 1 : 0), sumLow], [high, low], key);
    rng.#advance();
    return rng;
  }

  /** The next 32 bits, as a whole number in [0, 2^32). */
  bits(): number {
    const high = this.#high;
    const low = this.#low;
    this.#advance();
    const mixedHigh = (high >>> 18) ^ high;
    const mixedLow = ((low >>> 18) | (high << 14)) ^ low;
    const word = (mixedLow >>> 27) | (mixedHigh << 5);
    const rotation = high >>> 27;
    return ((word >>> rotation) | (word << (-rotation & 31))) >>> 0;
  }

  #advance(): void {
    const low = this.#low;
    const sumLow = (Math.imul(low, MULTIPLIER_LOW) >>> 0) + (this.#incrementLow >>> 0);
    const product = productHigh(this.#high, low, MULTIPLIER_HIGH, MULTIPLIER_LOW);
    this.#low = sumLow | 0;
    this.#high = (product + this.#incrementHigh + (sumLow > 0xffffffff ? 1 : 0)) | 0;
  }

  next(): number {
    return this.bits() / 4294967296;
  }

  below(n: number): number {
    if (!Number.isInteger(n) || n < 1 || n > 4294967296) {
      throw new RangeError(`Cannot draw an integer below n: n must be an integer from 1 to 2^32, got ${n}.`);
    }
    const threshold = 4294967296 % n;
    for (;;) {
      const draw = this.bits();
      if (draw >= threshold) return draw % n;
    }
  }

  normal(): number {
    const radius = Math.sqrt(-2 * log(1 - this.next()));
    return radius * cosTurn(this.next());
  }

  categorical(logProb: ArrayLike<number>): number {
    return categoricalBy(this.next(), logProb);
  }

  shuffle<X>(items: readonly X[]): X[] {
    const result = items.slice();
    for (let i = result.length - 1; i > 0; i--) {
      const j = this.below(i + 1);
      [result[i], result[j]] = [result[j]!, result[i]!];
    }
    return result;
  }

  split(name: string, ...keys: number[]): Rng {
    const stem = (this.#stem ??= stemOf(this.#keyHigh, this.#keyLow));
    if (stem.name !== name) {
      absorb(stem.high, stem.low, name);
      stem.name = name;
      stem.namedHigh = hashHigh;
      stem.namedLow = hashLow;
    }
    hashHigh = stem.namedHigh;
    hashLow = stem.namedLow;
    // The hashed text is "name/1/2" or, without keys, "name/".
    if (keys.length === 0) absorbUnit(SLASH);
    for (const key of keys) {
      absorbUnit(SLASH);
      absorbNumber(key);
    }
    return fromKey(mix(hashHigh, hashLow));
  }

  state(): string {
    const state = hex64(this.#high, this.#low);
    const increment = hex64(this.#incrementHigh, this.#incrementLow);
    return `pcg32:${state}:${increment}:${hex64(this.#keyHigh, this.#keyLow)}`;
  }
}

/** The index that `categorical` draws if `next` gives this number. */
export function categoricalBy(uniform: number, logProb: ArrayLike<number>): number {
  const n = logProb.length;
  if (weights.length < n) weights = new Float64Array(2 * n);
  return pick(uniform * weigh(logProb, weights), weights, n);
}

/**
 * Writes weights exp(logProb - largest) and returns their sum.
 *
 * @throws {RangeError} if the largest is not finite
 */
export function weigh(logProb: ArrayLike<number>, into: Float64Array): number {
  const n = logProb.length;
  let max = -Infinity;
  let i = 0;
  for (; i < n; i++) {
    const x = logProb[i]!;
    if (x > max || Number.isNaN(x)) max = x;
  }
  if (!Number.isFinite(max)) {
    throw new RangeError(`Cannot draw from log-probs: the largest must be finite, got ${max} among ${n}.`);
  }
  let total = 0;
  for (i = 0; i < n; i++) {
    const weight = exp(logProb[i]! - max);
    into[i] = weight;
    total += weight;
  }
  return total;
}

/** The index among the first n weights at which their running sum exceeds `mark`. */
export function pick(mark: number, of: Float64Array, n: number): number {
  let left = mark;
  let last = 0;
  for (let i = 0; i < n; i++) {
    const weight = of[i]!;
    if (weight === 0) continue;
    left -= weight;
    last = i;
    if (left < 0) return i;
  }
  return last;
}

/** Whether `categorical` is what `categoricalBy` gives for one draw of `next`, which generators of a sampler's own may change. */
export function drawsByOne(rng: Rng): boolean {
  return rng.categorical === Pcg32.prototype.categorical;
}

function hex64(high: number, low: number): string {
  return (high >>> 0).toString(16).padStart(8, "0") + (low >>> 0).toString(16).padStart(8, "0");
}

/** The high half of a * b mod 2^64; the low half is Math.imul of the low halves. */
function productHigh(aHigh: number, aLow: number, bHigh: number, bLow: number): number {
  // aLow * bLow from 16-bit parts, whose products are exact.
  const a0 = aLow & 0xffff;
  const a1 = aLow >>> 16;
  const b0 = bLow & 0xffff;
  const b1 = bLow >>> 16;
  const middle = a1 * b0 + ((a0 * b0) >>> 16);
  const middle2 = a0 * b1 + (middle & 0xffff);
  const carried = a1 * b1 + Math.floor(middle / 65536) + Math.floor(middle2 / 65536);
  return (carried + Math.imul(aHigh, bLow) + Math.imul(aLow, bHigh)) | 0;
}

const SLASH = 47;
// The running hash is a pair of variables: allocating a tuple per character would be most of the cost of a split.
let hashHigh = 0;
let hashLow = 0;

/**
 * 64-bit FNV-1a over UTF-16 code units, from a given state.
 *
 * The prime is 2^40 + 435, so the product of a 32-bit half with 435 is exact in a double: ten times faster than bigint.
 */
function absorb(high: number, low: number, text: string): void {
  hashHigh = high;
  hashLow = low;
  for (let i = 0; i < text.length; i++) absorbUnit(text.charCodeAt(i));
}

function absorbUnit(unit: number): void {
  const low = hashLow ^ unit;
  const product = (low >>> 0) * 435;
  hashHigh = (Math.imul(hashHigh, 435) + Math.floor(product / 4294967296) + (low << 8)) | 0;
  hashLow = product | 0;
}

/** Absorbs a number's decimal text. */
function absorbNumber(value: number): void {
  if (value >= 0 && value < 10 && Number.isInteger(value)) return absorbUnit(48 + value);
  const text = String(value);
  for (let i = 0; i < text.length; i++) absorbUnit(text.charCodeAt(i));
}

/** Absorbs the key as hexadecimal text without leading zeros, then a slash. */
function stemOf(keyHigh: number, keyLow: number): Stem {
  absorb(HASH_HIGH, HASH_LOW, "");
  let started = false;
  for (let shift = 60; shift >= 0; shift -= 4) {
    const digit = (shift >= 32 ? keyHigh >>> (shift - 32) : keyLow >>> shift) & 15;
    started ||= digit > 0 || shift === 0;
    if (started) absorbUnit(digit < 10 ? 48 + digit : 87 + digit);
  }
  absorbUnit(SLASH);
  // The empty name has been absorbed, so to speak.
  return { high: hashHigh, low: hashLow, name: "", namedHigh: hashHigh, namedLow: hashLow };
}

const HASH_HIGH = 0xcbf29ce4 | 0;
const HASH_LOW = 0x84222325 | 0;

/** SplitMix64's finalizer, which drives neighboring keys far apart. */
function mix(high: number, low: number): Bits64 {
  // Twice: x ^ (x >> n), then a product; at last x ^ (x >> 31).
  let zLow = low ^ ((low >>> 30) | (high << 2));
  let zHigh = high ^ (high >>> 30);
  zHigh = productHigh(zHigh, zLow, 0xbf58476d, 0x1ce4e5b9);
  zLow = Math.imul(zLow, 0x1ce4e5b9);
  zLow = zLow ^ ((zLow >>> 27) | (zHigh << 5));
  zHigh = zHigh ^ (zHigh >>> 27);
  zHigh = productHigh(zHigh, zLow, 0x94d049bb, 0x133111eb);
  zLow = Math.imul(zLow, 0x133111eb);
  return [zHigh ^ (zHigh >>> 31), zLow ^ ((zLow >>> 31) | (zHigh << 1))];
}

function hash(text: string): Bits64 {
  absorb(HASH_HIGH, HASH_LOW, text);
  return mix(hashHigh, hashLow);
}

function fromKey(key: Bits64): Pcg32 {
  const sumLow = (key[1] >>> 0) + 0x7f4a7c15;
  const sumHigh = (key[0] + 0x9e3779b9 + (sumLow > 0xffffffff ? 1 : 0)) | 0;
  return Pcg32.seeded(key, mix(sumHigh, sumLow | 0), key);
}

/**
 * A random generator (PCG32) whose draws depend only on the seed.
 *
 * @throws {RangeError} if the seed is not a whole number from 0 to 2^53 - 1
 * @example
 * import { createRng } from "turnwise";
 * const rng = createRng(1);
 * rng.split("env", 3).below(6) === createRng(1).split("env", 3).below(6); // => true
 */
export function createRng(seed: number): Rng {
  if (!Number.isSafeInteger(seed) || seed < 0) {
    throw new RangeError(
      `Cannot create a generator: seed must be an integer from 0 to 2^53 - 1, got ${seed}.`,
    );
  }
  return fromKey(hash(`seed/${seed}`));
}

/** The raw PCG32 stream of the reference implementation, `pcg32_srandom(state, sequence)`, for golden values. */
export function pcg32(state: bigint, sequence: bigint): { bits(): number } & Rng {
  return Pcg32.seeded(halves(state), halves(sequence), hash(`pcg32/${state}/${sequence}`));
}

function halves(value: bigint): Bits64 {
  return [Number((value >> 32n) & 0xffffffffn), Number(value & 0xffffffffn)];
}

/**
 * The generator whose `state()` was saved.
 *
 * @throws {TypeError} if the text is not such a state
 * @example
 * import { createRng } from "turnwise";
 * import { restoreRng } from "turnwise/tensor";
 * const rng = createRng(1);
 * const saved = rng.state();
 * const first = rng.next();
 * restoreRng(saved).next() === first; // => true
 */
export function restoreRng(state: string): Rng {
  const match = /^pcg32:([0-9a-f]{16}):([0-9a-f]{16}):([0-9a-f]{16})$/.exec(state);
  if (!match) {
    throw new TypeError(
      `Cannot restore a generator: the state must look like "pcg32:<16 hex>:<16 hex>:<16 hex>", got "${state}".`,
    );
  }
  return new Pcg32(
    halves(BigInt(`0x${match[1]}`)),
    halves(BigInt(`0x${match[2]}`)),
    halves(BigInt(`0x${match[3]}`)),
  );
}
