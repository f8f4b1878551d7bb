// Uses internals of turnwise/policy.
import assert from "node:assert/strict";
import { createRng, NeuralPolicy } from "turnwise";
import { type NeuralOptions } from "turnwise/internal/policy/index";
import { FusedCompute } from "turnwise/internal/policy/neural/fusedCompute";
import {
  Arena,
  threadCount,
  wasmKernels,
  type Kernels,
  type Part,
} from "turnwise/internal/tensor/fused/index";
import { Judge, Judges } from "turnwise/internal/tensor/fused/threads/judge";
import { play, Tape } from "turnwise/internal/tensor/fused/threads/tape";
import { oneTurnBatch } from "../../bench/oneTurnBatch.js";
import { runNode } from "../../support/command.js";
import { skip } from "../../support/needs.js";
import { fusedNetworkOf } from "turnwise/internal/policy/neural/fusedNetworkOf";

const KINDS = ["wasm", "native"] as const;

/** Skips where there are none of this kind. */
function kernelsOn(context: Mocha.Context, name: (typeof KINDS)[number], threads: number): Kernels {
  const before = process.env.TURNWISE_NATIVE;
  process.env.TURNWISE_NATIVE = name === "native" ? "" : "off";
  const kernels = wasmKernels(undefined, threads, true);
  process.env.TURNWISE_NATIVE = before ?? "";
  if (typeof kernels === "string") assert.fail(kernels);
  if (kernels.name !== name) skip(context, kernels.reason);
  return kernels;
}

/** Calls a part once per unit of work on the first thread, and once when it is written down for another. */
function counted(kernels: Kernels, parts: number, part: Part): number {
  let calls = 0;
  kernels.inParts("test", parts, parts, (operations, i) => {
    calls++;
    part(operations, i);
  });
  return calls;
}

/** Until another thread does parts: then some that were written down are not called here. Threads of the addon are there at once. */
async function together(kernels: Kernels): Promise<void> {
  if (kernels.name === "native") return;
  const arena = new Arena(kernels);
  const x = arena.zeros(40 * 4096);
  for (;;) {
    const calls = counted(kernels, 40, (operations, i) => operations.tanh(x + 4 * 4096 * i, 4096));
    // Half of them or more are written down, and called here as well unless another thread does them.
    if (calls < 60) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

describe("threads of the fused kernels", function () {
  this.timeout(30_000);

  it("are two where the machine has two cores, one in a worker thread, or what TURNWISE_THREADS says", async () => {
    assert.equal(threadCount("3"), 3);
    assert.ok([1, 2].includes(threadCount("")));
    const script =
      'new (require("node:worker_threads").Worker)(\'console.log(require("turnwise/internal/tensor/fused/index").threadCount(""))\', { eval: true })';
    assert.equal((await runNode(["-e", script])).stdout, "1\n");
    for (const wrong of ["0", "65", "1.5", "all"]) {
      assert.throws(() => threadCount(wrong), {
        name: "RangeError",
        message: `Cannot choose threads: TURNWISE_THREADS must be an integer from 1 to 64, got "${wrong}".`,
      });
    }
  });
});

for (const name of KINDS) {
  describe(`threads of the ${name} kernels`, function () {
    this.timeout(30_000);

    it("give the bits of one thread, in every part of a work, also when there are more parts than places for them", async function () {
      const kernels = [kernelsOn(this, name, 1), kernelsOn(this, name, 3)] as const;
      await together(kernels[1]);
      const rng = createRng(3);
      const values = Float64Array.from({ length: 1000 * 48 }, () => rng.normal());
      const weights = Float64Array.from({ length: 48 * 48 }, () => rng.normal());
      for (const parts of [1, 2, 3, 7, 255, 256, 1000]) {
        const [alone, divided] = kernels.map((own) => {
          const arena = new Arena(own);
          const [x, w, y] = [arena.putFloats(values), arena.putFloats(weights), arena.zeros(values.length)];
          for (let times = 0; times < 4; times++) {
            own.inParts("product", parts, parts, (operations, i) => {
              const [from, to] = [i, i + 1].map((j) => Math.floor((1000 * j) / parts)) as [number, number];
              const row = 4 * 48 * from;
              operations.gemm(x + row, 48, 1, w, 48, y + row, 48, to - from, 48, 48);
            });
          }
          return arena.getFloats(y, values.length);
        });
        assert.deepEqual(divided, alone);
      }
    });

    for (const kind of ["mlp", "gru", "transformer"] as const) {
      it(`${kind}: values and gradient of 40 turns have the bits of one thread`, async function () {
        const spec = { vocabulary: [..."abcdefgh"], observationVocabulary: ["seen", "heard"], maxTokens: 9 };
        const options: NeuralOptions = {
          kind,
          width: 36,
          window: 30,
          ...(kind === "transformer" && { layers: 2, heads: 3 }),
          valueHead: true,
          seed: 4,
        };
        const policy = new NeuralPolicy(spec, options);
        const rng = createRng(8).split(kind);
        const [N, L] = [40, 9];
        const lengths = Array.from({ length: N }, () => 1 + rng.below(L));
        const draw = (length: number, below: number): number[] =>
          Array.from({ length }, () => rng.below(below));
        const contexts = lengths.map(() => draw(1 + rng.below(20), 11));
        const mask_ntl = Uint8Array.from({ length: N * L }, (_, i) =>
          i % L < lengths[Math.floor(i / L)]! ? 1 : 0,
        );
        const batch = { ...oneTurnBatch(L, draw(N * L, 8), new Float64Array(N * L), contexts), mask_ntl };
        const slope = {
          dLogProb_ntl: Float64Array.from(mask_ntl, () => rng.normal()),
          dEntropy_ntl: Float64Array.from(mask_ntl, () => rng.normal()),
          dValue_nt: Float64Array.from({ length: N }, () => rng.normal()),
        };
        const offsets = new Map<string, number>();
        let next = 0;
        for (const { name, count } of policy.parameterTable()) {
          offsets.set(name, next);
          next += count;
        }
        const at = (name: string): number => offsets.get(name)!;
        const [alone, divided] = await Promise.all(
          [1, 2].map(async (threads) => {
            const kernels = kernelsOn(this, name, threads);
            if (threads > 1) await together(kernels);
            const compute = new FusedCompute({
              spec,
              window: 30,
              network: fusedNetworkOf(11, { ...options, width: 36, window: 30 }, at),
              parameterCount: policy.parameters.length,
              valueHead: true,
              at,
              arena: new Arena(kernels),
            });
            const evaluation = compute.evaluate(policy.parameters, batch);
            const gradient = compute.backward(
              policy.parameters,
              batch,
              slope,
              undefined,
              undefined,
              evaluation,
            );
            return { evaluation, gradient };
          }),
        );
        assert.deepEqual(divided, alone);
        assert.ok(alone!.gradient.some((g) => g !== 0));
      });
    }

    it("go on after a work that was stopped in the middle of it, and write nothing into what comes next", async function () {
      const kernels = kernelsOn(this, name, 2);
      await together(kernels);
      const arena = new Arena(kernels);
      for (let times = 0; times < 50; times++) {
        arena.reset();
        const x = arena.zeros(64 * 1024);
        assert.throws(
          () =>
            counted(kernels, 64, (operations, i) => {
              if (i === 3) throw new Error("stopped");
              operations.broadcast(x + 4096 * i, x, 8, 128);
              operations.relu(x + 4096 * i, 1024);
            }),
          { message: "stopped" },
        );
        arena.reset();
        const after = arena.putFloats(new Float64Array(64 * 1024).fill(-1));
        assert.ok(arena.getFloats(after, 64 * 1024).every((value) => value === -1));
      }
      const y = arena.putFloats([-1, 2]);
      counted(kernels, 2, (operations, i) => operations.relu(y + 64 * i, 2));
      assert.deepEqual(arena.getFloats(y, 2), Float64Array.of(0, 2));
    });

    it("do not keep a process from ending", async () => {
      const script = `
        const { Arena, wasmKernels } = require("turnwise/internal/tensor/fused/index");
        const kernels = wasmKernels(undefined, 2);
        const x = new Arena(kernels).zeros(4096);
        kernels.inParts("test", 1, 4, (operations, i) => operations.tanh(x + 4096 * i, 1024));
        console.log("done");`;
      const env = { TURNWISE_NATIVE: name === "native" ? "" : "off" };
      assert.deepEqual(await runNode(["-e", script], { env }), { code: 0, stdout: "done\n", stderr: "" });
    });
  });
}

describe("Tape", () => {
  it("plays the calls of a part, and drops a part for which there is no room", () => {
    const numbers = new Float64Array(9);
    const tape = new Tape(numbers, ["relu", "clear"]);
    // Each call takes 2 numbers and its 2 arguments.
    const part: Part = (operations, i) => {
      for (let j = 0; j < i; j++) operations[j === 0 ? "relu" : "clear"](10 * i + j, i);
    };
    assert.deepEqual(tape.record(part, 1), [0, 4]);
    assert.equal(tape.record(part, 2), undefined);
    assert.deepEqual(tape.record(part, 1), [4, 8]);
    tape.clear();
    assert.deepEqual(tape.record(part, 2), [0, 8]);
    const calls: unknown[] = [];
    const note =
      (name: string) =>
      (...args: number[]): void => {
        calls.push([name, ...args]);
      };
    play(numbers, 0, 8, [note("relu"), note("clear")]);
    assert.deepEqual(calls, [
      ["relu", 20, 2],
      ["clear", 21, 2],
    ]);
  });
});

describe("Judge", () => {
  /** Works until the judge changes its mind, or `most`. */
  function works(
    judge: Judge,
    divided: number,
    alone: number,
    most = 5000,
  ): { trials: number; other: boolean } {
    const before = judge.divides;
    let trials = 0;
    let run = 0;
    for (let i = 0; i < most; i++) {
      const { divides } = judge;
      run = divides === before ? 0 : run + 1;
      if (run === 1) trials++;
      // Of works of .1 ms a trial has up to 25; what lasts longer is a change of mind.
      if (run > 25) return { trials, other: true };
      judge.took(10, divides ? divided : alone);
    }
    return { trials, other: false };
  }

  it("divides at first, stops when that takes longer, and divides again when it pays again", () => {
    const judge = new Judge();
    assert.equal(judge.divides, true);
    assert.deepEqual(works(judge, 0.13, 0.1), { trials: 1, other: true });
    assert.deepEqual(works(judge, 0.13, 0.1).other, false);
    assert.deepEqual(works(judge, 0.06, 0.1).other, true);
    assert.equal(judge.divides, true);
  });

  it("keeps to its way for a gain below 15%, and tries the other way ever more seldom", () => {
    // Works of .125 ms: a trial has 3 of .12 while others wake and 17 that count, 2.4 ms; it comes after 10 ms, then after
    // 20 x 2.4 = 48 ms, as that is more than 20 and 40, then after 80, 160 and 160 ms: 80, 384, 384, 640, 1280, 1280 works.
    const most = 80 + 384 + 384 + 640 + 1280 + 1280 + 6 * 20;
    assert.deepEqual(works(new Judge(), 0.125, 0.12, most), { trials: 6, other: false });
    assert.deepEqual(works(new Judge(), 0.125, 0.1, most), { trials: 1, other: true });
  });

  it("can begin undivided, and divides once it has tried", () => {
    const judge = new Judge(false);
    assert.equal(judge.divides, false);
    assert.deepEqual(works(judge, 0.06, 0.1), { trials: 1, other: true });
    assert.equal(judge.divides, true);
  });

  it("never tries to divide what is over before a thread is awake", () => {
    assert.deepEqual(works(new Judge(false), 0.04, 0.09), { trials: 0, other: false });
    assert.equal(works(new Judge(false), 0.04, 0.11).other, true);
  });

  it("needs but five works for a trial of works of seconds", () => {
    const judge = new Judge();
    const ways = Array.from({ length: 8 }, () => {
      const { divides } = judge;
      judge.took(1, divides ? 2000 : 1000);
      return divides;
    });
    assert.deepEqual(ways, [true, false, false, false, false, false, false, false]);
  });
});

describe("Judges", () => {
  it("have one judge for each kind of work, which learns nothing from the first one", () => {
    // Works of 0 ms never come to a trial; the first one takes longer than the 10 ms that come before a trial.
    let clock = 0;
    const judges = new Judges(false, () => clock);
    const ways = (work: string): boolean[] =>
      Array.from({ length: 4 }, (_, i) => {
        let way = true;
        judges.time(work, 1, (divides) => {
          way = divides;
          clock += i === 0 ? 12 : 0;
        });
        return way;
      });
    assert.deepEqual(ways("one"), [false, false, false, false]);
    assert.deepEqual(ways("two"), [false, false, false, false]);
  });
});
