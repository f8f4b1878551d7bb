import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../support/paths.js";
import { differencesTable } from "./onBothHosts.js";

describe("what differs between the hosts of a cell", () => {
  it("is what kernel/README.md says", () => {
    const squeeze = (text: string): string => text.replace(/ +/g, " ").replace(/-{3,}/g, "---");
    const page = squeeze(readFileSync(join(root, "kernel/README.md"), "utf8"));
    assert.ok(page.includes(squeeze(differencesTable())), "print it: node build/test/site/onBothHosts.js");
  });
});
