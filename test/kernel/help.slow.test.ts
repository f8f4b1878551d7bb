import assert from "node:assert/strict";
import * as turnwise from "turnwise";
import { installedHelp } from "turnwise-kernel/dist/help/installed.js";
import { repository } from "./with-kernel.js";

describe("help", function () {
  this.timeout(60_000);
  const help = installedHelp({}, repository);
  const about = (what: unknown): string => String(help.about(what));

  it("is an index of all that it answers to, by group, without anything", () => {
    const text = String(help.about());
    for (const name of turnwise.recipeNames) assert.ok(text.includes(name), name);
    for (const group of ["Rules", "Worlds", "Policies", "Functions and classes", "Options", "Metrics"])
      assert.match(text, new RegExp(`\\n\\n${group}[^\\n]* \\(\\d+\\)\\n {2}`));
    const { entries } = help.about() as { entries: { name: string; about: string; group: string }[] };
    for (const { name, about: line } of entries) {
      assert.doesNotMatch(about(name), /^Nothing is known/, name);
      assert.notEqual(line, "", name);
    }
    // What the field runs while you type, as the page shows it.
    const html = (help.about() as Record<symbol, () => Record<string, string>>)[
      Symbol.for("Jupyter.display")
    ]!()["text/html"]!;
    assert.match(html, /<input type="search" [^>]*oninput="const w=/);
    assert.match(html, /<td [^>]*><code>policy\/entropy<\/code><\/td>/);
  });
});
