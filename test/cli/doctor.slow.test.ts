import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
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

  it("reports what packages of another project declare wrong or cannot say, and goes on with the others", async () => {
    const folder = temporaryFolder("turn wise");
    const declaring = path.join(folder, "node_modules", "careless");
    fs.mkdirSync(declaring, { recursive: true });
    fs.writeFileSync(path.join(folder, "package.json"), '{ "dependencies": { "careless": "1.0.0" } }');
    fs.writeFileSync(
      path.join(declaring, "package.json"),
      '{ "name": "careless", "jupyterKernel": { "help": "yes", "doctor": "./missing.js" } }',
    );
    const { stdout, code } = await turnwise(["doctor"], { cwd: folder });
    assert.match(
      stdout,
      /^bad {3}Cannot use "jupyterKernel\.help" in the package\.json of careless: it must be true or false, got "yes"\.$/m,
    );
    assert.match(stdout, /^bad {3}Cannot examine careless: .*missing\.js must export examine\(\)/m);
    assert.match(stdout, /^ok {4}Tensor backend /m);
    assert.equal(code, 1);
  });
});
