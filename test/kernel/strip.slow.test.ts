import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { blankSourceFile } from "ts-blank-space";
import ts from "typescript";
import { root } from "../support/paths.js";
import { ink, parsed, stripped } from "./stripped.js";

/** Imports and exports are rewritten by another step: what the stripper leaves of them does not count. */
function withoutModules(file: ts.SourceFile, code: string): string {
  let text = code;
  for (const statement of file.statements) {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) continue;
    const [start, end] = [statement.getStart(file), statement.end];
    text = text.slice(0, start) + " ".repeat(end - start) + text.slice(end);
  }
  return text;
}

describe("stripping types", function () {
  this.timeout(60_000);
  this.slow(20_000);

  it("leaves of each file of this repository what ts-blank-space leaves, each character at its place", () => {
    let compared = 0;
    for (const folder of ["kernel/src", "lib/turnwise/src"]) {
      for (const name of readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })) {
        if (!name.endsWith(".ts")) continue;
        const file = parsed(readFileSync(join(root, folder, name), "utf8"));
        const mine = stripped(file);
        if (mine === undefined) continue;
        compared++;
        const theirs = blankSourceFile(file, () => assert.fail(`ts-blank-space refuses ${name}`));
        // It moves the parenthesis of an arrow function's parameters where its type spans lines: places are compared below.
        assert.equal(ink(withoutModules(file, mine)), ink(withoutModules(file, theirs)), name);
        assert.equal(mine.length, file.text.length, name);
        for (let at = 0; at < mine.length; at++) {
          if (mine[at] !== file.text[at]) assert.match(mine[at]!, /[ ;]/, `${name} at ${at}`);
        }
      }
    }
    assert.ok(compared > 400, `${compared} files were compared`);
  });
});
