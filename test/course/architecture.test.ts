import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { root } from "../support/paths.js";

const page = fs.readFileSync(path.join(root, "ARCHITECTURE.md"), "utf8");

describe("the architecture page", () => {
  for (const workspace of ["lib", "kernel"]) {
    it(`says what each room of ${workspace}/src is for, and names no other`, () => {
      const heading = workspace === "lib" ? "## The library" : "## The kernel";
      const section = page.slice(page.indexOf(heading)).split(/\n## /)[0]!;
      const named = [...section.matchAll(/^\| `(\w+)\/` /gm)].map(([, name]) => name);
      const rooms = fs
        .readdirSync(path.join(root, workspace, "src"), { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name);
      assert.deepEqual(named.sort(), rooms.sort());
    });
  }
});
