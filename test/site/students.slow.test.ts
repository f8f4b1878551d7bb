import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { unzipSync } from "fflate";
import { solutions } from "../support/courseFiles.js";
import { skip } from "../support/needs.js";
import { root } from "../support/paths.js";

const folder = path.join(root, "build", "site");

/** The texts in a file: of an archive, those of its files. */
function* textsOf(file: string): Iterable<string> {
  const bytes = fs.readFileSync(file);
  if (bytes.subarray(0, 2).toString("latin1") === "PK")
    for (const inside of Object.values(unzipSync(bytes))) yield Buffer.from(inside).toString("latin1");
  else if (bytes[0] === 0x1f && bytes[1] === 0x8b) yield gunzipSync(bytes).toString("latin1");
  else yield bytes.toString("latin1");
}

describe("the site that students get", () => {
  before(function () {
    if (!fs.existsSync(path.join(folder, "build.json"))) skip(this, "needs the built site", "npm run site");
  });

  it("holds no solution and no notes for teachers in any of its files, indexes and archives included", () => {
    const answers = [...solutions.values()].map((file) => {
      const { cells } = JSON.parse(fs.readFileSync(file, "utf8")) as {
        cells: { id: string; source: string | string[] }[];
      };
      const source = [cells.find(({ id }) => id === "answer")!.source].flat().join("");
      // The longest line between the marks is the solution's alone.
      const lines = /BEGIN SOLUTION\n([^]*?)\/\/ END SOLUTION/.exec(source)![1]!.split("\n");
      return JSON.stringify(lines.reduce((a, b) => (b.length > a.length ? b : a)).trim()).slice(1, -1);
    });
    assert.ok(answers.every((line) => line.length > 15));
    const marks = ["BEGIN SOLUTION", "Questions students ask", ...answers];
    const found: string[] = [];
    for (const entry of fs.readdirSync(folder, { recursive: true, encoding: "utf8" })) {
      const name = entry.replaceAll("\\", "/");
      const file = path.join(folder, entry);
      if (/(^|\/)(solutions|teacher)(\/|$)/.test(name)) found.push(name);
      if (fs.statSync(file).isDirectory()) continue;
      for (const text of textsOf(file))
        for (const mark of marks) if (text.includes(mark)) found.push(`${name}: ${mark}`);
    }
    assert.deepEqual(found, []);
  });
});
