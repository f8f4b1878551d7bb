import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import path from "node:path";
import { processorLevel } from "turnwise/internal/tensor/fused/native/processor";
import { removeTemporaryFolders, temporaryFolder } from "../../../support/command.js";
import { skip } from "../../../support/needs.js";
import { root } from "../../../support/paths.js";

const { common } = createRequire(__filename)(path.join(root, "lib", "turnwise", "native", "flags.cjs")) as {
  readonly common: readonly string[];
};

describe("the addon's threads under a thread sanitizer", function () {
  this.timeout(300_000);
  after(removeTemporaryFolders);

  it("are never at one place without an order, and do each part of tasks from three callers once", function () {
    if (processorLevel() === undefined) skip(this, "no native kernels are compiled for this platform");
    const program = path.join(temporaryFolder(), "raced");
    const flags = [
      ...common.map((flag) => (flag === "-O3" ? "-O1" : flag)),
      "-g",
      "-D_GNU_SOURCE",
      "-pthread",
    ];
    const compiled = spawnSync(
      "cc",
      [...flags, "-fsanitize=thread", path.join(root, "test/lib/tensor/native/raced.c"), "-o", program],
      { encoding: "utf8" },
    );
    if (compiled.error) skip(this, "no C compiler", "apt install gcc");
    if (/cannot find -ltsan|libclang_rt/.test(compiled.stderr)) skip(this, "no thread sanitizer");
    assert.equal(compiled.status, 0, compiled.stderr);
    const { stdout, stderr, status } = spawnSync(program, [], { encoding: "utf8" });
    if (stderr.includes("unexpected memory mapping")) skip(this, "no thread sanitizer for this kernel");
    assert.equal(status, 0, stderr);
    assert.equal(stdout, "helped\n");
  });
});
