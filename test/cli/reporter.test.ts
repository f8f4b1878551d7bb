import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { removeTemporaryFolders, runNode, temporaryFolder } from "../support/command.js";
import { root } from "../support/paths.js";

const needs = JSON.stringify(path.join(root, "build", "test", "support", "needs.js"));
const suite = `
const { skip } = require(${needs});
describe("outer", () => {
  it("passes", () => {});
  it("lacks something", function () { skip(this, "needs a unicorn; to enable it: find one"); });
  describe("inner", () => {
    before(function () { skip(this, "needs two unicorns"); });
    it("first", () => {});
    it("second", () => {});
  });
  FAILING
});`;

async function mocha(
  text: string,
  env: NodeJS.ProcessEnv,
): Promise<{ code: number | null; lines: string[] }> {
  const file = path.join(temporaryFolder(), "sample.test.js");
  fs.writeFileSync(file, text);
  const bin = path.join(root, "node_modules", "mocha", "bin", "mocha.js");
  const { code, stdout } = await runNode([bin, "--no-color", file], { env });
  return { code, lines: stdout.trimEnd().split("\n") };
}

describe("the report of the tests", () => {
  after(removeTemporaryFolders);

  it("ends in a line of counts, and names what skipped tests need", async () => {
    const { code, lines } = await mocha(suite.replace("FAILING", ""), { CI: "" });
    assert.equal(code, 0);
    assert.equal(lines.at(-1), "1 passed, 0 failed, 3 skipped");
    assert.ok(
      lines.includes("    skip lacks something: needs a unicorn; to enable it: find one"),
      lines.join("\n"),
    );
    assert.ok(lines.includes("      skip second: needs two unicorns"), lines.join("\n"));
  });

  it("counts failures, shows them before that line, and exits with an error", async () => {
    const failing = 'it("fails", () => { throw new Error("because"); });';
    const { code, lines } = await mocha(suite.replace("FAILING", failing), { CI: "" });
    assert.notEqual(code, 0);
    assert.equal(lines.at(-1), "1 passed, 1 failed, 3 skipped");
    assert.match(lines.join("\n"), /FAIL 1\) fails[\s\S]*Error: because[\s\S]*1 passed/);
  });

  it("tells of a test that only its second try passed", async () => {
    const moody =
      'let tries = 0; it("is moody", () => { if (++tries === 1) throw new Error("not today"); }).retries(1);';
    const { code, lines } = await mocha(suite.replace("FAILING", moody), { CI: "" });
    assert.equal(code, 0);
    assert.match(
      lines.join("\n"),
      /AGAIN is moody: its first try failed\n *not today\n *ok {3}is moody\n[^]*\n1 tried again, see AGAIN above\n/,
    );
    assert.equal(lines.at(-1), "2 passed, 0 failed, 3 skipped");
  });

  it("fails in CI where a test would be skipped", async () => {
    const { code, lines } = await mocha(suite.replace("FAILING", ""), { CI: "true" });
    assert.notEqual(code, 0);
    assert.match(
      lines.join("\n"),
      /Cannot skip this test as CI must have all that tests need: needs a unicorn/,
    );
    assert.match(lines.at(-1)!, /^1 passed, 2 failed, 0 skipped$/);
    const without = await mocha(suite.replace("FAILING", ""), {
      CI: "true",
      TURNWISE_LACKS: " slurm unicorn",
    });
    assert.match(without.lines.at(-1)!, /^1 passed, 1 failed, 1 skipped$/, "a unicorn could not be had");
  });
});
