import assert from "node:assert/strict";
import { createRequire } from "node:module";
import fs from "node:fs";
import path from "node:path";
import { runNode } from "../support/command.js";
import { root } from "../support/paths.js";

interface Versions {
  currentVersion(root: string): string;
  nextVersion(current: string, wanted: string): string;
  releasedChangelog(text: string, version: string, date: string): string;
  releasedFiles(root: string, version: string, date: string): Record<string, string>;
}

const versions = createRequire(__filename)(path.join(root, ".ci", "release", "versions.cjs")) as Versions;

describe("npm run release", () => {
  it("counts versions as Semantic Versioning does, and only up", () => {
    assert.equal(versions.nextVersion("0.9.12", "patch"), "0.9.13");
    assert.equal(versions.nextVersion("0.9.12", "minor"), "0.10.0");
    assert.equal(versions.nextVersion("0.9.12", "major"), "1.0.0");
    assert.equal(versions.nextVersion("0.9.12", "0.10.0"), "0.10.0");
    for (const wrong of ["0.9.12", "0.9.2", "0.8.99", "1.0", "v1.0.0", "minot"]) {
      assert.throws(() => versions.nextVersion("0.9.12", wrong), {
        message: `Cannot release: the version must be major, minor, patch, or one above 0.9.12 such as 0.10.0, got ${wrong}.`,
      });
    }
  });

  it("puts a heading above what was unreleased, which must be something", () => {
    const text = "# Changelog\n\n## Unreleased\n\n### Added\n\n- One.\n\n## 0.1.0\n\n- Zero.\n";
    assert.equal(
      versions.releasedChangelog(text, "0.2.0", "2026-11-27"),
      "# Changelog\n\n## Unreleased\n\n## 0.2.0 - 2026-11-27\n\n### Added\n\n- One.\n\n## 0.1.0\n\n- Zero.\n",
    );
    const nothing = versions.releasedChangelog(text, "0.2.0", "2026-11-27");
    assert.throws(
      () => versions.releasedChangelog(nothing, "0.3.0", "2026-11-28"),
      /^Complaint: Cannot release: CHANGELOG\.md must list under "## Unreleased" what the version brings/,
    );
    assert.throws(
      () => versions.releasedChangelog(text, "0.1.0", "2026-11-28"),
      /must have no version 0\.1\.0 yet/,
    );
  });

  it("raises all packages, what they ask of one another, and the lockfile, and nothing else", () => {
    const now = versions.currentVersion(root);
    const files = versions.releasedFiles(root, "77.0.0", "2026-11-27");
    const { workspaces } = JSON.parse(files["package.json"]!) as { workspaces: string[] };
    assert.deepEqual(
      Object.keys(files).sort(),
      [
        "CHANGELOG.md",
        "package-lock.json",
        "package.json",
        ...workspaces.map((name) => `${name}/package.json`),
      ].sort(),
    );
    for (const [file, text] of Object.entries(files)) {
      if (file === "CHANGELOG.md") continue;
      const before = fs.readFileSync(path.join(root, file), "utf8").split("\n");
      const after = text.split("\n");
      assert.equal(after.length, before.length, file);
      for (const [i, line] of after.entries()) {
        if (line === before[i]) continue;
        assert.match(before[i]!, /^ +"(?:version|turnwise[\w-]*)": "[\d.]+",?$/, `${file}:${i + 1}`);
        assert.equal(line, before[i]!.replace(`"${now}"`, '"77.0.0"'));
      }
      if (file !== "package-lock.json") assert.doesNotMatch(text, new RegExp(`"turnwise[\\w-]*": "${now}"`));
    }
    // practice and course ask for turnwise, course for practice.
    assert.match(files["lib/course/package.json"]!, /"turnwise-practice": "77\.0\.0"/);
  });

  it("refuses an option that it does not know, before it builds anything", async () => {
    const { code, stdout, stderr } = await runNode([path.join(root, ".ci/release/main.cjs"), "--publish"]);
    assert.equal(code, 1);
    assert.equal(stdout, "");
    assert.match(
      stderr,
      /^Cannot release: --dry and --out <folder> are the options, got --publish\.\nnpm run release -- /,
    );
  });
});
