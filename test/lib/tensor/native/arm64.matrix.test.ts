import assert from "node:assert/strict";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { underQemu, whyNoArm64, whyNoNode } from "../../../support/arm64.js";
import { removeTemporaryFolders, temporaryFolder } from "../../../support/command.js";
import { skip } from "../../../support/needs.js";
import { root } from "../../../support/paths.js";

const { prebuild } = createRequire(__filename)(
  path.join(root, "lib", "turnwise", "native", "packages.cjs"),
) as {
  prebuild(out: string, names: readonly string[]): Promise<{ folder: string }[]>;
};

describe("native kernels on arm64, under qemu, in Node", function () {
  this.timeout(600_000);
  this.slow(120_000);
  after(removeTemporaryFolders);

  before(function () {
    const why = whyNoArm64();
    if (why) skip(this, ...why);
  });

  it("pass all tests of the kernels in Node for arm64, on the package for that platform", async function () {
    const why = whyNoNode();
    if (why) skip(this, ...why);
    const [made] = await prebuild(temporaryFolder(), ["turnwise-native-linux-arm64"]);
    // Where the tests look for what is compiled here; nothing else there is for this platform.
    const built = path.join(root, "lib", "turnwise", "native", "built");
    fs.mkdirSync(built, { recursive: true });
    const files = fs.readdirSync(made!.folder).filter((name) => name.endsWith(".node"));
    assert.equal(files.length, 2);
    for (const name of files) fs.copyFileSync(path.join(made!.folder, name), path.join(built, name));
    try {
      const script =
        "console.log(JSON.stringify(require('turnwise/internal/tensor/fused/index').fusedReport()))";
      const report = JSON.parse(underQemu("node", ["-e", script]).stdout) as {
        kernels: string;
        level: string;
      };
      assert.deepEqual([report.kernels, report.level], ["native", "arm64"]);
      // A process of its own can be started by no program of another processor.
      const only = ["--grep", "TURNWISE_NATIVE", "--invert", "--reporter", "spec", "--no-config"];
      const tests = ["native.slow.test.js", "border.slow.test.js"];
      const mocha = [path.join(root, "node_modules/mocha/bin/mocha.js"), ...only, "--timeout", "300000"];
      const { stdout, status } = underQemu("node", [
        ...mocha,
        ...tests.map((name) => path.join(__dirname, name)),
      ]);
      assert.equal(status, 0, stdout.slice(-3000));
      assert.ok(Number(/(\d+) passing/.exec(stdout)?.[1]) > 50, stdout.slice(-3000));
    } finally {
      for (const name of files) fs.rmSync(path.join(built, name), { force: true });
    }
  });
});
