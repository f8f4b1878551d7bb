import assert from "node:assert/strict";
import { createRng } from "turnwise";
import { restoreRng } from "turnwise/tensor";
import { pcg32 } from "turnwise/internal/base/rng";

describe("Rng", () => {
  it("pcg32() gives the values that the reference implementation prints for seed 42, sequence 54", () => {
    // pcg32-demo of pcg-c-basic, round 1: 0xa15c02b7 0x7b47f409 0xba1d3330 0x83d2f293 0xbfa4784b 0xcbed606e
    const rng = pcg32(42n, 54n);
    const golden = [0xa15c02b7, 0x7b47f409, 0xba1d3330, 0x83d2f293, 0xbfa4784b, 0xcbed606e];
    assert.deepEqual(
      golden.map(() => rng.bits()),
      golden,
    );
  });

  it("steps its 64-bit state as exact integer arithmetic does, over 20000 draws", () => {
    const rng = pcg32(7n, 1n);
    const increment = 3n;
    const mask = (1n << 64n) - 1n;
    let state = ((increment + 7n) * 6364136223846793005n + increment) & mask;
    for (let i = 0; i < 20000; i++) {
      const word = Number((((state >> 18n) ^ state) >> 27n) & 0xffffffffn);
      const rotation = Number(state >> 59n);
      const expected = ((word >>> rotation) | (word << (-rotation & 31))) >>> 0;
      assert.equal(rng.bits(), expected);
      state = (state * 6364136223846793005n + increment) & mask;
    }
  });

  it("split() depends on seed and keys, not on what the parent has drawn", () => {
    const parent = createRng(7);
    const before = parent.split("env", 3).next();
    for (let i = 0; i < 10; i++) parent.next();
    assert.equal(parent.split("env", 3).next(), before);
    assert.notEqual(parent.split("env", 4).next(), before);
    assert.notEqual(parent.split("policy", 3).next(), before);
    assert.notEqual(createRng(8).split("env", 3).next(), before);
    // Keys are separated, so ("a", 1, 23) and ("a", 12, 3) are different children.
    assert.notEqual(parent.split("a", 1, 23).next(), parent.split("a", 12, 3).next());
  });

  it("the key of a child is FNV-1a of parent, name and numbers with SplitMix64's finalizer, in exact integers", () => {
    const wrap = (x: bigint): bigint => BigInt.asUintN(64, x);
    const key = (text: string): bigint => {
      let h = 0xcbf29ce484222325n;
      for (const unit of text) h = wrap((h ^ BigInt(unit.charCodeAt(0))) * 0x100000001b3n);
      h = wrap((h ^ (h >> 30n)) * 0xbf58476d1ce4e5b9n);
      h = wrap((h ^ (h >> 27n)) * 0x94d049bb133111ebn);
      return h ^ (h >> 31n);
    };
    const keyOf = (rng: { state(): string }): bigint => BigInt(`0x${rng.state().split(":")[3]!}`);
    for (const seed of [0, 1, 42, 2 ** 53 - 1]) {
      const root = key(`seed/${seed}`);
      assert.equal(keyOf(createRng(seed)), root);
      const texts: [name: string, keys: number[]][] = [
        ["x", []],
        ["env", [7]],
        ["policy", [12, 30_000]],
        ["m", [-1, 0.5]],
      ];
      for (const [name, keys] of texts) {
        const child = createRng(seed).split(name, ...keys);
        const expected = key(`${root.toString(16)}/${name}/${keys.join("/")}`);
        assert.equal(keyOf(child), expected);
        assert.equal(keyOf(child.split("again", 3)), key(`${expected.toString(16)}/again/3`));
      }
    }
  });

  it("split() does not advance the parent", () => {
    const a = createRng(1);
    const b = createRng(1);
    a.split("x");
    assert.equal(a.next(), b.next());
  });

  it("state() and restoreRng() continue the same stream and the same children", () => {
    const rng = createRng(11);
    rng.next();
    const copy = restoreRng(rng.state());
    assert.deepEqual([copy.next(), copy.next()], [rng.next(), rng.next()]);
    assert.equal(copy.split("child", 2).next(), rng.split("child", 2).next());
  });

  it("below(n) is uniform: a chi-square of 6 faces over 60000 draws stays below its 0.999 quantile", () => {
    const rng = createRng(5);
    const count = new Array<number>(6).fill(0);
    for (let i = 0; i < 60000; i++) count[rng.below(6)]!++;
    const chiSquare = count.reduce((sum, c) => sum + (c - 10000) ** 2 / 10000, 0);
    assert.ok(chiSquare < 20.5, `chi-square ${chiSquare} with 5 degrees of freedom`);
  });

  it("categorical() draws in proportion to exp(logProb) and never an entry of probability 0", () => {
    const rng = createRng(3);
    const logProb = [Math.log(0.2), -Infinity, Math.log(0.8)];
    const count = [0, 0, 0];
    for (let i = 0; i < 20000; i++) count[rng.categorical(logProb)]!++;
    assert.equal(count[1], 0);
    // Standard deviation of the frequency: sqrt(.2 * .8 / 20000) = .0028; four of them.
    assert.ok(Math.abs(count[0]! / 20000 - 0.2) < 0.0114, String(count[0]));
  });

  it("categorical() does not need normalized log-probs", () => {
    const a = createRng(9);
    const b = createRng(9);
    for (let i = 0; i < 100; i++) assert.equal(a.categorical([0, 1, 2]), b.categorical([700, 701, 702]));
  });

  it("normal() has mean 0 and variance 1 within four standard errors over 40000 draws", () => {
    const rng = createRng(13);
    let sum = 0;
    let squares = 0;
    for (let i = 0; i < 40000; i++) {
      const x = rng.normal();
      sum += x;
      squares += x * x;
    }
    assert.ok(Math.abs(sum / 40000) < 4 / 200); // standard error 1 / sqrt(40000)
    assert.ok(Math.abs(squares / 40000 - 1) < (4 * Math.SQRT2) / 200);
  });

  it("shuffle() keeps the items and leaves its argument alone", () => {
    const items = [1, 2, 3, 4, 5];
    const shuffled = createRng(1).shuffle(items);
    assert.deepEqual(items, [1, 2, 3, 4, 5]);
    assert.deepEqual([...shuffled].sort(), items);
  });

  it("children of 40,000 different keys are all different, and their first draws uniform", () => {
    const root = createRng(0);
    const states = new Set<string>();
    const count = new Array<number>(16).fill(0);
    for (let i = 0; i < 40000; i++) {
      const child = i % 2 ? root.split("policy", i, 0) : root.split("policy", 0, i);
      states.add(child.state());
      count[Math.floor(child.next() * 16)]!++;
    }
    // Even i give (0, i), odd i give (i, 0): all keys differ.
    assert.equal(states.size, 40000);
    const chiSquare = count.reduce((sum, c) => sum + (c - 2500) ** 2 / 2500, 0);
    assert.ok(chiSquare < 37.7, `chi-square ${chiSquare} with 15 degrees of freedom, 0.999 quantile 37.7`);
  });

  it("names what is wrong with a bad argument", () => {
    assert.throws(() => createRng(-1), {
      name: "RangeError",
      message: "Cannot create a generator: seed must be an integer from 0 to 2^53 - 1, got -1.",
    });
    assert.throws(() => createRng(1).below(0), {
      name: "RangeError",
      message: "Cannot draw an integer below n: n must be an integer from 1 to 2^32, got 0.",
    });
    assert.throws(() => createRng(1).categorical([-Infinity, -Infinity]), {
      name: "RangeError",
      message: "Cannot draw from log-probs: the largest must be finite, got -Infinity among 2.",
    });
    assert.throws(() => restoreRng("pcg64:1"), { name: "TypeError" });
  });
});
