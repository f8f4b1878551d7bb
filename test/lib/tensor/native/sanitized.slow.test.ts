import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import path from "node:path";
import { processorLevel } from "turnwise/internal/tensor/fused/native/processor";
import { removeTemporaryFolders, temporaryFolder } from "../../../support/command.js";
import { skip } from "../../../support/needs.js";
import { root } from "../../../support/paths.js";

const { common, levels } = createRequire(__filename)(
  path.join(root, "lib", "turnwise", "native", "flags.cjs"),
) as {
  readonly common: readonly string[];
  readonly levels: Readonly<Record<string, readonly string[]>>;
};

/**
 * Of all results: x86-64, x86-64-v3 and x86-64-v4 give the first one by gcc; by clang, x86-64 and arm64 (under qemu) give the
 * second one, since the compilers draw the arguments of a call in different orders.
 */
const DIGESTS = ["73cec32e7639a6d4", "8a9a3aa461b9a36f"];

describe("native kernels under an address sanitizer", function () {
  this.timeout(300_000);
  after(removeTemporaryFolders);

  it("touch nothing beside arrays of exactly their size, do nothing undefined, and give the bits of every processor", function () {
    const level = processorLevel();
    if (level === undefined) skip(this, "no native kernels are compiled for this platform");
    const program = path.join(temporaryFolder(), "sanitized");
    const compiled = spawnSync(
      "cc",
      [
        ...common.map((flag) => (flag === "-O3" ? "-O1" : flag)),
        ...levels[level]!,
        ...["-g", "-DFUSED=0", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"],
        ...[path.join(root, "test/lib/tensor/native/sanitized.c"), "-o", program],
      ],
      { encoding: "utf8" },
    );
    if (compiled.error) skip(this, "no C compiler", "apt install gcc");
    if (/cannot find -l[au]?[sb]san|libclang_rt/.test(compiled.stderr)) skip(this, "no address sanitizer");
    assert.equal(compiled.status, 0, compiled.stderr);
    const { stdout, stderr, status } = spawnSync(program, [], { encoding: "utf8" });
    assert.equal(status, 0, stderr);
    assert.ok(DIGESTS.includes(stdout.trim()), `${stdout.trim()} is neither of ${DIGESTS.join(", ")}`);
  });
});
