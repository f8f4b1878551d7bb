import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import path from "node:path";
import { underQemu, whyNoArm64, zig } from "../../../support/arm64.js";
import { removeTemporaryFolders, temporaryFolder } from "../../../support/command.js";
import { skip } from "../../../support/needs.js";
import { root } from "../../../support/paths.js";

const { argumentsFor } = createRequire(__filename)(
  path.join(root, "lib", "turnwise", "native", "packages.cjs"),
) as {
  argumentsFor(target: string, level: string, fused: boolean): readonly string[];
};

describe("native kernels on arm64, under qemu", function () {
  this.timeout(600_000);
  this.slow(120_000);
  after(removeTemporaryFolders);

  before(function () {
    const why = whyNoArm64();
    if (why) skip(this, ...why);
  });

  it("give the bits of x86-64 in every kernel, compiled by the same compiler", () => {
    const digestOf = (target: string, level: string, run: (file: string) => { stdout: string }): string => {
      const file = path.join(temporaryFolder(), level);
      const [program, ...first] = zig()!;
      const source = path.join(root, "test/lib/tensor/native/sanitized.c");
      const args = [...argumentsFor(target, level, false), "-pthread", "-D_GNU_SOURCE"];
      const compiled = spawnSync(program!, [...first, ...args, source, "-o", file], { encoding: "utf8" });
      assert.equal(compiled.status, 0, compiled.stderr);
      return run(file).stdout;
    };
    const here = digestOf("x86_64-linux-gnu.2.28", "x86-64", (file) => spawnSync(file, { encoding: "utf8" }));
    assert.match(here, /^[0-9a-f]{16}\n$/);
    assert.equal(
      digestOf("aarch64-linux-gnu.2.28", "arm64", (file) => underQemu(file, [])),
      here,
    );
  });
});
