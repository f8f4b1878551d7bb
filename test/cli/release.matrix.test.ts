import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { pathsOfSuite, runNode } from "../support/command.js";
import { root } from "../support/paths.js";

describe("npm run release -- --dry", function () {
  this.timeout(1_800_000);
  this.slow(600_000);
  const at = pathsOfSuite();

  it("makes the files of the next version, installs exactly these, and leaves the repository as it is", async () => {
    const manifest = path.join(root, "kernel", "package.json");
    const before = fs.readFileSync(manifest, "utf8");
    const main = path.join(root, ".ci", "release", "main.cjs");
    const { code, stdout, stderr } = await runNode([main, "--dry", "77.0.0", "--out", at("release")]);
    assert.equal(code, 0, stdout + stderr);
    assert.match(stdout, /Nothing was published, and the repository is as it was\.\n$/);
    assert.equal(fs.readFileSync(manifest, "utf8"), before);
    const made = fs.readdirSync(at("release"));
    for (const name of ["turnwise", "turnwise-practice", "turnwise-course", "turnwise-kernel"])
      assert.ok(made.includes(`${name}-77.0.0.tgz`), made.join(", "));
    const notes = fs.readFileSync(path.join(at("release"), "PROVENANCE.md"), "utf8");
    for (const line of fs
      .readFileSync(path.join(at("release"), "SHA256SUMS"), "utf8")
      .trim()
      .split("\n"))
      assert.ok(notes.includes(`\`${line.split("  ")[0]!}\``), line);
    assert.match(notes, /- turnwise-kernel: .*zeromq \d/);
  });
});
