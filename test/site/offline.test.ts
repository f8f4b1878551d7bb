// Uses internals of turnwise-kernel/runner.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { readNotebook } from "turnwise-kernel/dist/runner/notebook.js";
import { serveSite } from "../support/builtSite.js";
import { root } from "../support/paths.js";

const folder = path.join(root, "build", "site");

describe("what is kept for a reader without a network", () => {
  it("are all lessons and exercises, and every file and table that they read", async function () {
    await (await serveSite(this)).close();
    const kept = JSON.parse(fs.readFileSync(path.join(folder, "offline.json"), "utf8")) as {
      files: string[];
    };
    const notebooks = path.join(root, "notebooks");
    const names = ["", "exercises", "appendix"].flatMap((below) =>
      fs
        .readdirSync(path.join(notebooks, below))
        .filter((name) => name.endsWith(".ipynb"))
        .map((name) => path.posix.join(below, name)),
    );
    const wanted = names.flatMap((name) => {
      const code = readNotebook(path.join(notebooks, name))
        .cells.map(({ source }) => source)
        .join("\n");
      const tables = [...code.matchAll(/\bmeasured\("([\w-]+)"\)/g)].map(
        ([, table]) => `measured/${table!}.csv`,
      );
      const files = [...code.matchAll(/\.\.\/datasets\/([\w./-]+\.\w+)/g)].map(([, file]) => file!);
      return [`notebooks/${name}`, ...[...tables, ...files].map((file) => `datasets/${file}`)];
    });
    assert.ok(wanted.includes("datasets/measured/echo-trap.csv"), "lesson 04 reads it");
    const missing = wanted.filter((file) => !kept.files.includes(`files/${file}`));
    assert.deepEqual(missing, []);
  });
});
