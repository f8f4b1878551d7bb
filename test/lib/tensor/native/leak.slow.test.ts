import assert from "node:assert/strict";
import { fusedReport } from "turnwise/tensor";
import { fusedArena } from "turnwise/internal/tensor/fused/index";
import { runNode } from "../../../support/command.js";
import { skip } from "../../../support/needs.js";
import { work } from "../../../bench/update/work.js";

/** Updates, and after how many of them the engine has compiled what it will and its heap has its size. */
const UPDATES = { first: 4000, all: 10_000 };
/** Bytes that a process may grow in the updates after that: a leak of 1.5 KB in each would be 9 million. */
const MOST = 9e6;

interface Sizes {
  readonly process: number;
  readonly heap: number;
  readonly arena: number;
}

function sizes(): Sizes {
  globalThis.gc!();
  const { rss, heapUsed } = process.memoryUsage();
  return { process: rss, heap: heapUsed, arena: fusedArena().bytes };
}

if (process.argv[2] === "--updates") {
  // Two parts a task, so that threads of the addon take part now and then.
  const { step } = work("mlp", 128, "wasm");
  for (let i = 0; i < UPDATES.first; i++) step();
  const first = sizes();
  for (let i = UPDATES.first; i < UPDATES.all; i++) step();
  process.stdout.write(JSON.stringify([fusedReport().kernels, first, sizes()]));
} else {
  describe("ten thousand updates", function () {
    this.timeout(300_000);

    for (const kernels of ["native", "wasm"] as const) {
      it(`leave the memory of the process and of the ${kernels} kernels as large as it was`, async function () {
        const env = { TURNWISE_NATIVE: kernels === "native" ? "" : "off", TURNWISE_THREADS: "2" };
        // The heap's young generation stays small: the room that the engine gives it over time is no leak.
        const node = ["--expose-gc", "--max-semi-space-size=1", __filename, "--updates"];
        const { code, stdout, stderr } = await runNode(node, { env });
        assert.equal(code, 0, stderr);
        const [ran, first, last] = JSON.parse(stdout) as [string, Sizes, Sizes];
        if (ran !== kernels) skip(this, `no native kernels here: ${fusedReport().reason}`);
        assert.equal(last.arena, first.arena);
        assert.ok(last.heap - first.heap < 1e6, stdout);
        assert.ok(last.process - first.process < MOST, stdout);
      });
    }
  });
}
