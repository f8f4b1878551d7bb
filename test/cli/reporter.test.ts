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
  it("lacks something", function () { skip(this, "needs a unicorn", "find one"); });
  describe("inner", () => {
    before(function () { skip(this, "needs two unicorns"); });
    it("first", () => {});
    it("second", () => {});
  });
  FAILING
});`;

const bin = path.join(root, "node_modules", "mocha", "bin", "mocha.js");

async function mocha(
  text: string,
  env: NodeJS.ProcessEnv,
): Promise<{ code: number | null; lines: string[] }> {
  const file = path.join(temporaryFolder(), "sample.test.js");
  fs.writeFileSync(file, text);
  const { code, stdout } = await runNode([bin, "--no-color", file], { env });
  return { code, lines: stdout.trimEnd().split("\n") };
}

describe("the report of the tests", () => {
  after(removeTemporaryFolders);

  it("ends in a line of counts, and names what skipped tests need", async () => {
    const { code, lines } = await mocha(suite.replace("FAILING", ""), { CI: "" });
    assert.equal(code, 0);
    assert.equal(lines.at(-1), "1 passed, 0 failed, 3 skipped");
    assert.ok(lines.includes("    skip lacks something: needs a unicorn"), lines.join("\n"));
    assert.ok(lines.includes("      skip second: needs two unicorns"), lines.join("\n"));
  });

  it("gathers at its end what was skipped: how often for each reason, and the command that enables it", async () => {
    const { lines } = await mocha(suite.replace("FAILING", ""), { CI: "" });
    const at = lines.indexOf("Skipped:");
    assert.deepEqual(lines.slice(at + 1, at + 3), [
      "    1  needs a unicorn; to enable: find one",
      "    2  needs two unicorns",
    ]);
  });

  it("says beside a suite's title where in a long run it is, and how long the rest took the last time", async () => {
    const folder = temporaryFolder();
    const names = ["a", "b", "c"];
    const write = (name: string, ms: number): void => {
      const test = `it("waits", (done) => { setTimeout(done, ${String(ms)}); })`;
      const text = `describe("${name}1", () => { ${test}; }); describe("${name}2", () => { ${test}; });`;
      fs.writeFileSync(path.join(folder, `${name}.test.js`), text);
    };
    names.forEach((name) => {
      write(name, 5);
    });
    const reporter = path.join(root, "test", "support", "reporter.cjs");
    const run = async (...files: string[]): Promise<string[]> => {
      const { stdout } = await runNode([bin, "--no-color", "--reporter", reporter, ...files], {
        cwd: folder,
      });
      return stdout.split("\n").filter((line) => /^ +[abc]\d/.test(line));
    };
    const titles = (await run("a.test.js", "b.test.js", "c.test.js")).map((line) => line.trim());
    assert.equal(titles[0], "a1  [1 of 3]");
    assert.equal(titles[1], "a2");
    assert.match(titles[2]!, /^b1 {2}\[2 of 3, \d\.\d s\]$/);
    const stored = path.join(folder, ".turnwise", "test-durations.json");
    const durations = JSON.parse(fs.readFileSync(stored, "utf8")) as Record<string, number>;
    assert.deepEqual(Object.keys(durations).sort(), ["a.test.js", "b.test.js", "c.test.js"]);
    for (const ms of Object.values(durations)) assert.ok(ms >= 8 && ms < 5000, String(ms));
    // 60 s of known files, and c, which is new, counts as much as their mean: 90 s.
    fs.writeFileSync(stored, JSON.stringify({ "a.test.js": 40_000, "b.test.js": 20_000 }));
    const [first] = await run("a.test.js", "b.test.js", "c.test.js");
    assert.equal(first!.trim(), "a1  [1 of 3, about 1 min 30 s left]");
    assert.deepEqual(await run("a.test.js"), ["  a1", "  a2"], "one file says nothing");
  });

  it("counts failures, shows them before that line, and exits with an error", async () => {
    const failing = 'it("fails", () => { throw new Error("because"); });';
    const { code, lines } = await mocha(suite.replace("FAILING", failing), { CI: "" });
    assert.notEqual(code, 0);
    assert.equal(lines.at(-1), "1 passed, 1 failed, 3 skipped");
    assert.match(lines.join("\n"), /FAIL 1\) fails[\s\S]*Error: because[\s\S]*1 passed/);
  });

  it("reports a test that only its second try passed", async () => {
    const moody =
      'let tries = 0; it("is moody", () => { if (++tries === 1) throw new Error("not today"); }).retries(1);';
    const { code, lines } = await mocha(suite.replace("FAILING", moody), { CI: "" });
    assert.equal(code, 0);
    assert.match(
      lines.join("\n"),
      /AGAIN is moody: its first try failed\n *not today\n *ok {3}is moody\n[^]*\n1 tried again, see AGAIN above:\n *is moody\n/,
    );
    assert.equal(lines.at(-1), "2 passed, 0 failed, 3 skipped");
  });

  it("fails in CI where a test would be skipped", async () => {
    const { code, lines } = await mocha(suite.replace("FAILING", ""), { CI: "true" });
    assert.notEqual(code, 0);
    assert.match(
      lines.join("\n"),
      /Cannot skip this test: CI must have all that tests need: needs a unicorn/,
    );
    assert.match(lines.at(-1)!, /^1 passed, 2 failed, 0 skipped$/);
    const without = await mocha(suite.replace("FAILING", ""), {
      CI: "true",
      TURNWISE_LACKS: " slurm unicorn",
    });
    assert.match(without.lines.at(-1)!, /^1 passed, 1 failed, 1 skipped$/, "a unicorn could not be had");
  });
});
