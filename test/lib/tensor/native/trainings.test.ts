import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { train } from "turnwise";
import { fusedReport } from "turnwise/tensor";
import { runNode } from "../../../support/command.js";
import { skip } from "../../../support/needs.js";

/** A digest of every record and of the last checkpoint of short trainings of all networks. */
async function trained(): Promise<string> {
  const hash = createHash("sha256");
  for (const kind of ["mlp", "gru", "transformer"] as const) {
    for (const seed of [0, 1]) {
      const policy = { kind, width: 20, window: 24, compute: "wasm" } as const;
      const run = train({ env: "LookUp-v0", policy, recipe: "drGrpo", updates: 5, seed });
      for await (const { seconds: _, ...record } of run) hash.update(JSON.stringify(record));
      hash.update(JSON.stringify(run.checkpoint()));
    }
  }
  return hash.digest("hex");
}

if (process.argv[2] === "--trained") {
  void trained().then((digest) => process.stdout.write(`${fusedReport().kernels} ${digest}\n`));
} else {
  describe("trainings on native kernels", function () {
    this.timeout(300_000);

    it("have the records and parameters of WebAssembly, bit by bit, for every network", async function () {
      if (fusedReport().kernels !== "native") skip(this, `no native kernels here: ${fusedReport().reason}`);
      const [native, off] = await Promise.all(
        ["", "off"].map((own) => runNode([__filename, "--trained"], { env: { TURNWISE_NATIVE: own } })),
      );
      assert.match(native!.stdout, /^native [0-9a-f]{64}\n$/, native!.stderr);
      assert.equal(off!.stdout, native!.stdout.replace("native", "wasm"), off!.stderr);
    });
  });
}
