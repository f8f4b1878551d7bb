import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { root } from "../support/paths.js";

describe("the syllabus", () => {
  for (const name of ["notebooks/README.md", "notebooks/exercises/README.md"]) {
    const text = fs.readFileSync(path.join(root, name), "utf8");

    it(`${name} links to files that exist`, () => {
      const links = [...text.matchAll(/\]\(([^)#:]+)\)/g)].map((match) => match[1]!);
      for (const link of links) assert.ok(fs.existsSync(path.join(root, path.dirname(name), link)), link);
    });
  }

  it("lists every exercise with its minutes, and their sum", () => {
    const exercises = fs.readFileSync(path.join(root, "notebooks/exercises/README.md"), "utf8");
    const rows = [...exercises.matchAll(/^\| `([\w-]+)` .*\| (\d+) +\|$/gm)];
    const files = fs
      .readdirSync(path.join(root, "notebooks/exercises"))
      .filter((one) => one.endsWith(".ipynb"));
    assert.deepEqual(
      rows.map(([, one]) => `${one!}.ipynb`),
      files.sort(),
    );
    const total = rows.reduce((sum, [, , minutes]) => sum + Number(minutes), 0);
    const course = fs.readFileSync(path.join(root, "notebooks/README.md"), "utf8");
    assert.match(course, new RegExp(`\\(exercises/README\\.md\\) +\\| ${String(total)} `));
  });
});
