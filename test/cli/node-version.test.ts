import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import ts from "typescript";
import { nodeComplaint } from "turnwise-kernel/bootstrap/node-version.cjs";
import { runNode } from "../support/command.js";
import { root } from "../support/paths.js";

const bootstrap = path.join(root, "kernel", "bootstrap");

/** What npm runs before anything is installed, too. */
const siteMain = path.join(root, "site", "builder", "main.cjs");

describe("the check of the Node version", () => {
  it("accepts 20.19 and everything later, and nothing earlier", () => {
    for (const version of ["20.19.0", "20.20.2", "22.1.0", "24.0.0", "v20.19.1"]) {
      assert.equal(nodeComplaint(version), "", version);
    }
    for (const version of ["20.18.3", "18.20.0", "8.17.0"]) {
      assert.match(nodeComplaint(version), /needs Node >= 20\.19, but this is /, version);
    }
  });

  for (const entry of [
    "start.cjs",
    "test.cjs",
    "notebooks.cjs",
    "gpu.cjs",
    "nodes.cjs",
    siteMain,
    "bench.cjs",
    "turnwise-kernel.cjs",
  ]) {
    it(`stops ${path.relative(root, path.resolve(bootstrap, entry))} on an old Node with one sentence and the commands that fix it`, async () => {
      const script = `Object.defineProperty(process.versions, "node", { value: "16.2.0" });
        require(${JSON.stringify(path.resolve(bootstrap, entry))});`;
      const { code, stdout, stderr } = await runNode(["-e", script]);
      assert.equal(code, 1);
      assert.equal(stdout, "");
      assert.match(
        stderr,
        /^Cannot start: turnwise needs Node >= 20\.19, but this is 16\.2\.0\.\nTo fix it, .*\n {2}nvm install 22/,
      );
    });
  }

  it("can be read by a Node of 2017: no file of bootstrap/ uses newer syntax or node: names", () => {
    const lower = (text: string, target: ts.ScriptTarget): string =>
      ts.transpileModule(text, { compilerOptions: { target, module: ts.ModuleKind.CommonJS, allowJs: true } })
        .outputText;
    const files = fs
      .readdirSync(bootstrap)
      .filter((name) => name.endsWith(".cjs"))
      .concat(siteMain);
    assert.ok(files.length >= 8);
    for (const name of files) {
      const text = fs.readFileSync(path.resolve(bootstrap, name), "utf8");
      assert.equal(lower(text, ts.ScriptTarget.ES2017), lower(text, ts.ScriptTarget.ESNext), name);
      assert.doesNotMatch(text, /require\("node:/, name);
    }
  });
});
