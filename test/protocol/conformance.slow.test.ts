import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { run } from "turnwise-kernel/bootstrap/command.cjs";
import { writeKernelspec } from "turnwise-kernel/dist/cli/kernelspec.js";
import { launchBrowser } from "../support/browser.js";
import { partsFolder } from "../support/kernelSite.js";
import { patient } from "../support/patient.js";
import { pythonWith } from "../support/python.js";
import { root } from "../support/paths.js";
import { temporaryFolder } from "../kernel/with-kernel.js";

const scripts = path.join(root, "test", "protocol", "python");

describe("Jupyter's own test suite for kernels", function () {
  this.timeout(240_000);
  const folder = temporaryFolder();
  let python = "";
  let env: NodeJS.ProcessEnv;

  before(async function () {
    python = await pythonWith(this, "protocolTests");
    writeKernelspec(path.join(folder(), "share"), "turnwise");
    env = {
      ...process.env,
      JUPYTER_PATH: path.join(folder(), "share"),
      HOME: folder(),
      PYTHONWARNINGS: "ignore",
    };
  });

  it("the whole official kernel test suite passes, with plain samples, with comments, and with types over many lines", async () => {
    const { code, output } = await run(python, [path.join(scripts, "kernel_suite.py")], {
      cwd: root,
      env,
      timeoutMs: patient(200_000),
    });
    assert.equal(code, 0, output);
    // unittest runs the 12 tests of the suite in three styles, and one for the welcome message; none may be skipped.
    assert.match(output, /Ran 37 tests/);
    assert.doesNotMatch(output, /skipped/);
  });

  it("the same suite passes for the kernel in a page, as far as messages are concerned", async function () {
    await (await launchBrowser(this)).close();
    // Jupyter waits a minute for a kernel, which is to be that of the kernel.
    await partsFolder();
    const share = path.join(folder(), "page");
    const at = path.join(share, "kernels", "turnwise");
    fs.mkdirSync(at, { recursive: true });
    const argv = [
      process.execPath,
      path.join(root, "build/test/protocol/pageKernel.js"),
      "{connection_file}",
    ];
    const spec = { argv, display_name: "in a page", language: "typescript", interrupt_mode: "message" };
    fs.writeFileSync(path.join(at, "kernel.json"), JSON.stringify(spec));
    const { code, output } = await run(python, [path.join(scripts, "kernel_suite.py")], {
      cwd: root,
      env: { ...env, JUPYTER_PATH: share },
      timeoutMs: patient(200_000),
    });
    assert.equal(code, 0, output);
    assert.match(output, /Ran 37 tests/);
    assert.doesNotMatch(output, /skipped/);
  });
});
