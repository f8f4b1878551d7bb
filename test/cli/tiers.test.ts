import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { filesOf, partOf, parts } from "../support/matrix/parts.js";
import { root } from "../support/paths.js";
import { testsBelow } from "../support/testFiles.js";
import { inTier, notRun, tierOf } from "../support/tiers.js";

describe("the tiers of the tests", () => {
  const files = ["a.test.js", "b.slow.test.js", "c.matrix.test.js", "slow.test.js"];

  it("are what the names of files declare", () => {
    assert.deepEqual(files.map(tierOf), ["fast", "slow", "matrix", "fast"]);
    assert.deepEqual(inTier(files, "fast"), ["a.test.js", "slow.test.js"]);
    assert.deepEqual(inTier(files, "slow"), ["a.test.js", "b.slow.test.js", "slow.test.js"]);
  });

  it("say what was left out, and the command that runs it", () => {
    assert.deepEqual(notRun(files, ["a.test.js", "slow.test.js"]), [
      "    1  slow files; to run them: npm run test:all",
      "    1  matrix files; to run them: npm run test:matrix",
    ]);
    assert.deepEqual(notRun(files, files), []);
  });

  const all = testsBelow("build/test");

  it("give every file of the matrix to one of its parts, and every part something to run", () => {
    for (const file of all.filter((one) => tierOf(one) === "matrix"))
      assert.ok(partOf(file), `no part of test/support/matrix/parts.ts runs ${file}`);
    for (const part of parts) {
      if (part.node !== undefined) continue;
      if (part.command) assert.ok(fs.existsSync(path.join(root, part.command[0]!)), part.name);
      else assert.ok(filesOf(part, all).length > 0, `${part.name} has no files`);
    }
    assert.equal(new Set(parts.map(({ name }) => name)).size, parts.length);
  });

  it("let a clean clone start the longest jobs first: nearly every file has a committed duration", () => {
    const known = JSON.parse(fs.readFileSync(path.join(root, "test", "durations.json"), "utf8")) as object;
    const sources = inTier(all, "slow").map((file) => file.slice("build/test/".length).replace(/js$/, "ts"));
    const missing = sources.filter((source) => !(source in known));
    assert.ok(
      missing.length < sources.length / 10,
      `npm run test:all -- --record; missing: ${missing.join(", ")}`,
    );
  });

  it("are recorded in test/MATRIX.md, part by part", () => {
    const text = fs.readFileSync(path.join(root, "test", "MATRIX.md"), "utf8");
    const rows = [...text.matchAll(/^\| ([\w-]+) +\|/gm)].map(([, name]) => name!);
    assert.deepEqual(
      rows.filter((name) => name !== "part" && !/^-+$/.test(name)),
      parts.map(({ name }) => name),
    );
  });
});
