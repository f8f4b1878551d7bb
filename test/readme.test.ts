import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import ts from "typescript";
import { root } from "./support/paths.js";

const readme = fs.readFileSync(path.join(root, "README.md"), "utf8");

describe("README", function () {
  this.timeout(120_000);

  it("shows library code that runs as it stands and learns", async () => {
    const code = /```ts\n([^]*?)```/.exec(readme)![1]!;
    const file = path.join(root, "build", "readme.mjs");
    const options = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 };
    fs.writeFileSync(file, ts.transpileModule(code, { compilerOptions: options }).outputText);
    const { stdout } = await promisify(execFile)(process.execPath, [file], { cwd: root });
    const last = stdout.trim().split("\n").at(-1)!.split(" ");
    assert.equal(last[0], "100");
    assert.ok(Number(last[1]) > 0.9, `mean reward after 100 updates: ${last[1]!}`);
  });

  it("names files and npm scripts that exist", () => {
    const { scripts } = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8")) as {
      scripts: object;
    };
    for (const [, name] of readme.matchAll(/npm run (\w+)/g)) assert.ok(Object.hasOwn(scripts, name!), name);
    for (const [, target] of readme.matchAll(/\]\(([^)#:]+)\)/g)) {
      assert.ok(fs.existsSync(path.join(root, target!)), target);
    }
    for (const [, folder] of readme.matchAll(/\| `(\w+\/)`/g)) {
      assert.ok(fs.existsSync(path.join(root, folder!)), folder);
    }
  });
});
