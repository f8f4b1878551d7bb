import assert from "node:assert/strict";
import { removeTemporaryFolders, temporaryFolder, turnwise } from "../support/command.js";

describe("turnwise doctor", function () {
  this.timeout(90_000);
  this.slow(20_000);
  after(removeTemporaryFolders);

  it("reports on Node, packages, kernel, JupyterLab, kernelspec and tensor backend, with the reasons", async () => {
    const { code, stdout } = await turnwise(["doctor"]);
    assert.match(stdout, /^ok {4}Node \d+\.\d+\.\d+ \(/m);
    assert.match(stdout, /^ok {4}npm packages as locked$/m);
    assert.match(stdout, /^ok {4}Kernel: 1 \+ 1 gives 2 \d+\.\d s after its start$/m);
    assert.match(stdout, /JupyterLab (>= )?4/);
    assert.match(stdout, /kernelspec/i);
    assert.match(stdout, /^ok {4}Tensor backend (cpu|node|node-gpu|webgpu) \(TensorFlow\.js 4\.22\.0\)$/m);
    assert.match(
      stdout,
      /^ok {4}Fused neural policies \(compute: "wasm"\): on (1 thread|2 threads): compiled (C for .+|WebAssembly with 128-bit SIMD(, relaxed)?; no native kernels, as .+)$/m,
    );
    assert.match(stdout, /^ {8}(runs|not used): node-gpu, ./m);
    assert.match(stdout, /^ {8}\w+ runs, as (no other backend loads|it took .+)\.$/m);
    assert.equal(code, 0, stdout);
  });

  it("says what is missing elsewhere, and what to do about it", async () => {
    const folder = temporaryFolder("turn wise");
    const { stdout } = await turnwise(["doctor"], { cwd: folder });
    assert.match(
      stdout,
      /^note {2}The library turnwise is not installed here\n {6}To fix it: npm install turnwise$/m,
    );
  });
});
