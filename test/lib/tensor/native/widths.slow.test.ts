import assert from "node:assert/strict";
import path from "node:path";
import { fusedReport } from "turnwise/tensor";
import { processorLevels } from "turnwise/internal/tensor/fused/native/processor";
import { runNode } from "../../../support/command.js";
import { root } from "../../../support/paths.js";
import { addonsHere } from "./addons.js";

const SUITES = ["fusedPolicy", "fusedOp", "fusedDraws", "fusedAdam"];

describe("narrower vectors than this processor has", function () {
  this.timeout(300_000);

  // Those of the highest level are what all other tests run on.
  for (const level of processorLevels().slice(0, -1)) {
    it(`${level}: networks pass the tests of the fused kernels`, async function () {
      await addonsHere(this);
      const env = { TURNWISE_NATIVE: level };
      const script = 'console.log(require("turnwise/tensor").fusedReport().reason)';
      const { stdout: reason } = await runNode(["-e", script], { env });
      if (fusedReport().kind === "wasm relaxed" && level === "x86-64") {
        // Such a processor cannot round a product once with its sum, as the WebAssembly here does.
        assert.match(reason, /no native kernels, as this platform has none/);
        return;
      }
      assert.ok(reason.includes(`compiled C for ${level}, `), reason);
      const mocha = path.join(root, "node_modules", "mocha", "bin", "mocha.js");
      const files = SUITES.map((name) => path.join(__dirname, "..", `${name}.test.js`));
      const { code, stdout } = await runNode([mocha, ...files], { env });
      assert.equal(code, 0, stdout);
      assert.match(stdout, /[1-9]\d* passed, 0 failed/);
    });
  }
});
