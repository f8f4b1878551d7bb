import assert from "node:assert/strict";
import path from "node:path";
import { removeTemporaryFolders, temporaryFolder } from "../support/command.js";
import { examplesBelow, failuresOf } from "../support/docExamples.js";
import { root } from "../support/paths.js";

describe("examples of docstrings", function () {
  this.timeout(300_000);
  const examples = ["turnwise", "practice", "course"].flatMap((name) =>
    examplesBelow(path.join(root, "lib", name, "src")),
  );

  it("run, and have the values that they claim", async () => {
    const failures: string[] = [];
    const before = process.cwd();
    process.chdir(temporaryFolder()); // some examples write files
    try {
      for (const one of examples) failures.push(...(await failuresOf(one)));
    } finally {
      process.chdir(before);
      removeTemporaryFolders();
    }
    assert.equal(failures.join("\n"), "");
  });
});
