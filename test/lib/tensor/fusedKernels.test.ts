import assert from "node:assert/strict";
import { join } from "node:path";
import { createRng } from "turnwise";
import { fusedReport } from "turnwise/tensor";
import { runNode } from "../../support/command.js";
import {
  Arena,
  plainKernels,
  threadCount,
  wasmKernels,
  type Kernels,
} from "turnwise/internal/tensor/fused/index";

const root = join(__dirname, "..", "..", "..", "..");

function compiled(): Kernels {
  const kernels = wasmKernels();
  if (typeof kernels === "string") assert.fail(kernels);
  return kernels;
}

describe("fused kernels", () => {
  it("run compiled here; without WebAssembly or without SIMD the reason is said", () => {
    const threads = threadCount();
    const { name, level, relaxed, reason } = compiled();
    assert.deepEqual(fusedReport(), {
      kernels: name,
      kind: relaxed ? "wasm relaxed" : "wasm",
      ...(level !== undefined && { level }),
      reason: `on ${threads} ${threads === 1 ? "thread" : "threads"}: ${reason}`,
    });
    let sharing = true;
    function Memory({ shared }: { shared: boolean }): void {
      if (shared && !sharing) throw new TypeError("no");
    }
    const old = { Memory, validate: () => false } as unknown as Parameters<typeof wasmKernels>[0];
    assert.equal(wasmKernels(old), "this JavaScript engine has no WebAssembly SIMD");
    sharing = false;
    assert.equal(wasmKernels(old), "this JavaScript engine has no memory that threads can share");
    assert.equal(wasmKernels(null as never), "this JavaScript engine has no WebAssembly");
  });

  it("do the same with relaxed SIMD, which this version of Node has behind a flag", async function () {
    if (compiled().relaxed) return; // then the tests below have shown it
    const mocha = join(root, "node_modules", "mocha", "bin", "mocha.js");
    const only = ["--grep", "fused kernels wasm", "--reporter", "dot", "--no-config"];
    const flag = "--experimental-wasm-relaxed-simd";
    const script =
      'const { wasmKernels } = require("turnwise/internal/tensor/fused/index"); console.log(wasmKernels().relaxed)';
    const told = await runNode([flag, "-e", script]);
    assert.equal(told.stdout, "true\n", told.stderr);
    const { code, stdout } = await runNode([flag, mocha, ...only, __filename]);
    assert.equal(code, 0, stdout);
    assert.match(stdout, /[1-9]\d* passing/);
  }).timeout(60_000);

  for (const [name, make] of [
    ["wasm", compiled],
    ["plain", plainKernels],
  ] as const) {
    describe(name, () => {
      const arena = new Arena(make());
      const { kernels } = arena;
      const rng = createRng(3);
      const normals = (count: number): Float32Array =>
        Float32Array.from({ length: count }, () => rng.normal());

      it("gemm adds A B for any sizes and strides, transposed or not, within the rounding of 32 bits", () => {
        for (let trial = 0; trial < 60; trial++) {
          const [m, n, k] = [1 + rng.below(70), 1 + rng.below(30), 1 + rng.below(150)];
          const [a, b, c] = [normals(m * k), normals(k * n), normals(m * n)];
          const transposed = trial % 2 === 1;
          arena.reset();
          const at = [arena.putFloats(a), arena.putFloats(b), arena.putFloats(c)] as const;
          const [row, column] = transposed ? [1, m] : [k, 1];
          kernels.gemm(at[0], row, column, at[1], n, at[2], n, m, n, k);
          const out = arena.getFloats(at[2], m * n);
          for (let i = 0; i < m; i++) {
            for (let j = 0; j < n; j++) {
              let sum = c[i * n + j]!;
              for (let p = 0; p < k; p++) sum += a[i * row + p * column]! * b[p * n + j]!;
              // About sqrt(150) roundings of 6e-8 of sums below 40: 3e-5.
              assert.ok(Math.abs(out[i * n + j]! - sum) < 3e-5, `${m} ${n} ${k}: ${out[i * n + j]}, ${sum}`);
            }
          }
        }
      });

      it("a row of a product has the same bits alone and in company", () => {
        // The second is too large for the cache, and goes through copies of blocks.
        for (const [m, n, k] of [
          [11, 13, 200],
          [203, 301, 333],
        ] as const) {
          for (const [row, column] of [
            [k, 1],
            [1, m],
          ] as const) {
            arena.reset();
            const [a, b] = [arena.putFloats(normals(m * k)), arena.putFloats(normals(k * n))];
            const whole = arena.zeros(m * n);
            kernels.gemm(a, row, column, b, n, whole, n, m, n, k);
            for (const i of [0, 1, 6, m - 5, m - 1]) {
              const alone = arena.zeros(n);
              kernels.gemm(a + 4 * i * row, row, column, b, n, alone, n, 1, n, k);
              assert.deepEqual(arena.getFloats(alone, n), arena.getFloats(whole + 4 * i * n, n));
            }
          }
        }
      });

      it("tanh is right to 4 units of the last place from 1e-6 to 30, odd, and NaN stays NaN", () => {
        const values = Float32Array.from({ length: 4000 }, (_, i) => 10 ** (-6 + (i / 3999) * 7.477));
        arena.reset();
        const [x, y] = [arena.putFloats(values), arena.putFloats(values.map((v) => -v))];
        const odd = arena.putFloats([NaN, Infinity, -Infinity, 0]);
        kernels.tanh(x, values.length);
        kernels.tanh(y, values.length);
        kernels.tanh(odd, 4);
        const [up, down] = [arena.getFloats(x, values.length), arena.getFloats(y, values.length)];
        values.forEach((v, i) => {
          const exact = Math.tanh(v);
          // 2^-23 = 1.2e-7 is one unit of the last place of a number just above a power of two.
          assert.ok(Math.abs(up[i]! - exact) <= 4 * 1.2e-7 * exact, `tanh ${v}: ${up[i]}, ${exact}`);
          assert.equal(down[i], -up[i]!);
        });
        assert.deepEqual(arena.getFloats(odd, 4), Float64Array.of(NaN, 1, -1, 0));
      });

      it("logSoftmax of (0, ln 2, ln 5): probabilities 1/8, 2/8, 5/8, entropy .9003 nats; huge logits do no harm", () => {
        arena.reset();
        const logits = [0, Math.log(2), Math.log(5)];
        // -(1/8) ln(1/8) - (2/8) ln(2/8) - (5/8) ln(5/8) = .25993 + .34657 + .29375
        const entropy = 0.9002561;
        const x = arena.putFloats([...logits, ...logits.map((v) => v + 1e4), 1e30, 0, -1e30]);
        const p = arena.floats(9);
        const tokens = arena.integers([2, 0, 0]);
        const [logProb, spread, totals] = [arena.doubles(3), arena.doubles(3), arena.doubles(3)];
        kernels.logSoftmax(x, p, tokens, logProb, spread, totals, 3, 3);
        const [a, b, c] = arena.getDoubles(logProb, 3);
        assert.ok(Math.abs(a! - Math.log(5 / 8)) < 1e-6);
        assert.ok(Math.abs(b! - Math.log(1 / 8)) < 2e-3, "1e4 + ln 2 is rounded to .001 in 32 bits");
        assert.equal(c, 0);
        const entropies = arena.getDoubles(spread, 3);
        assert.ok(Math.abs(entropies[0]! - entropy) < 1e-6, String(entropies[0]));
        assert.equal(entropies[2], 0);
        const shares = arena.getFloats(p, 3);
        [1 / 8, 2 / 8, 5 / 8].forEach((share, i) => assert.ok(Math.abs(shares[i]! - share) < 1e-7));
      });
    });
  }

  it("says which size does not fit in memory", () => {
    assert.throws(() => new Arena(compiled()).floats(2 ** 31), {
      name: "RangeError",
      message: "Cannot run the fused network: its memory must hold the batch, got 8193 MB.",
    });
  });
});
