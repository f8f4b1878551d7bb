// Uses internals of turnwise/base.
import assert from "node:assert/strict";
import { createRng } from "turnwise";
import { exp, fusedReport } from "turnwise/tensor";
import { expm1 } from "turnwise/internal/base/elementary/expm1";
import { compiledTable, makeTable, type CompiledTable } from "turnwise/internal/tensor/fused/table";
import { skip } from "../../support/needs.js";

describe("compiled parts of a tabular step", () => {
  const kinds: readonly [string, CompiledTable][] = [
    ["as this machine runs them", compiledTable()!],
    ["as WebAssembly", makeTable("wasm")!],
  ];
  const doubles = (count: number, draw: (i: number) => number): Float64Array =>
    Float64Array.from({ length: count }, (_, i) => draw(i));

  function cellsOf(count: number, seed: number, spread: number) {
    const rng = createRng(seed);
    const old = doubles(count, () => -3 * rng.next());
    return {
      // Some log-ratios are exactly 0, some tiny, and a few at the limit.
      logProb: doubles(count, (i) =>
        i % 9 === 0 ? old[i]! : old[i]! + spread * rng.normal() * 10 ** -(i % 6) + (i % 997 === 5 ? 15 : 0),
      ),
      old,
      advantage: doubles(count, (i) => (i % 13 === 0 ? 0 : rng.normal())),
      weight: doubles(count, () => rng.next() / count),
      active: Uint8Array.from({ length: count }, () => (rng.next() < 0.8 ? 1 : 0)),
      entropy: doubles(count, () => rng.next()),
      slope: doubles(count, () => NaN),
    };
  }

  for (const [name, table] of kinds) {
    it(`the surrogate has the bits of the functions in JavaScript, over a million cells, ${name}`, () => {
      for (let round = 0; round < 10; round++) {
        const x = cellsOf(round === 0 ? 1 : 100_000 + round, round, 0.7);
        const [low, high] = [0.8, 1.25];
        const sums = table.surrogate(x, low, high)!;
        let [loss, kl, entropy, tokens, largest, smallest] = [0, 0, 0, 0, -Infinity, Infinity];
        let [belowLow, aboveHigh] = [0, 0];
        const slope = new Float64Array(x.slope.length);
        x.active.forEach((active, i) => {
          if (active === 0) return;
          const d = x.logProb[i]! - x.old[i]!;
          const [r, A, w] = [exp(d), x.advantage[i]!, x.weight[i]!];
          const [above, below] = [r > high && A > 0, r < low && A < 0];
          loss -= w * ((above ? high : below ? low : r) * A);
          slope[i] = -(w * (above || below ? 0 : A)) * r;
          if (d !== 0) kl += expm1(d) - d;
          entropy += x.entropy[i]!;
          tokens += 1;
          largest = Math.max(largest, r);
          smallest = Math.min(smallest, r);
          if (above) aboveHigh += 1;
          if (below) belowLow += 1;
        });
        assert.deepEqual(sums, { loss, kl, entropy, largest, smallest, tokens, belowLow, aboveHigh });
        assert.deepEqual(x.slope, slope);
      }
    });

    it(`a log-ratio beyond 20 nats, or one that is no number, is left to JavaScript, ${name}`, () => {
      for (const far of [20.5, -20.5, NaN, Infinity]) {
        const x = cellsOf(700, 1, 0.1);
        assert.ok(table.surrogate(x, 0.8, 1.2));
        x.active[300] = 0;
        x.logProb[300] = x.old[300]! + far;
        assert.ok(table.surrogate(x, 0.8, 1.2), "what stands in a masked cell does not count");
        x.active[300] = 1;
        assert.equal(table.surrogate(x, 0.8, 1.2), undefined);
      }
    });

    it(`the gradient has the bits of the sums in JavaScript, for rows of 1 to 19 tokens, ${name}`, () => {
      for (let size = 1; size < 20; size++) {
        const rng = createRng(size);
        const [groups, each, stride] = [5, 7, size + 2];
        const rows = Int32Array.of(0, 1, 3, 4, 8);
        const cells = Int32Array.from({ length: groups * each }, (_, i) => (i * 12) % 35);
        const begins = Int32Array.from({ length: groups + 1 }, (_, g) => g * each);
        const tokens = Int32Array.from({ length: 35 }, () => rng.below(size));
        // All derivatives of the third group are 0; log-probs reach from 0 to below what a double can be.
        const dLogProb = new Float64Array(35);
        cells.forEach((cell, k) => (dLogProb[cell] = Math.floor(k / each) === 2 ? 0 : rng.normal()));
        const logProb = doubles(groups * size, (i) => -(10 ** ((i % 8) / 2 - 1)) * rng.next());
        const into = doubles(9 * stride, () => rng.normal());
        const expected = into.slice();
        rows.forEach((row, g) => {
          if (g === 2) return;
          for (let v = 0; v < size; v++) {
            const p = exp(logProb[g * size + v]!);
            for (let k = begins[g]!; k < begins[g + 1]!; k++) {
              const d = dLogProb[cells[k]!]!;
              expected[row * stride + v]! += (tokens[cells[k]!] === v ? d : 0) - d * p;
            }
          }
        });
        const touched = new Int32Array(6);
        table.gradient({ rows, cells, begins, tokens, dLogProb }, logProb, size, stride, into, touched);
        assert.deepEqual(into, expected);
        assert.deepEqual([...touched.subarray(0, 5)], [4, 0, 1, 4, 8]);
      }
    });
  }

  it("native kernels refuse arrays that are too short", function () {
    if (compiledTable() instanceof makeTable("wasm")!.constructor) {
      skip(this, `no native kernels here: ${fusedReport().reason}`);
    }
    const table = compiledTable()!;
    const x = cellsOf(700, 1, 0.1);
    const message = /Cannot run a native kernel on arrays as it must find all it reads: one is too short/;
    assert.throws(() => table.surrogate({ ...x, old: x.old.subarray(1) }, 0.8, 1.2), message);
    const groups = {
      rows: Int32Array.of(0),
      cells: Int32Array.of(0, 7),
      begins: Int32Array.of(0, 2),
      tokens: new Int32Array(7),
      dLogProb: new Float64Array(7),
    };
    const [logProb, into, touched] = [new Float64Array(4), new Float64Array(4), new Int32Array(2)];
    assert.throws(() => table.gradient(groups, logProb, 4, 4, into, touched), message);
    groups.cells[1] = 6;
    table.gradient(groups, logProb, 4, 4, into, touched);
    assert.throws(() => table.gradient(groups, logProb, 4, 4, into.subarray(1), touched), message);
  });
});
