import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { removeTemporaryFolders, runNode, temporaryFolder } from "../support/command.js";
import { JobQueue, jobsOf, shardOf, type Job } from "../support/lanes.js";
import { root } from "../support/paths.js";

const inTests = (names: readonly string[]): string[] => names.map((name) => `build/test/${name}`);

describe("the lanes of a run", () => {
  after(removeTemporaryFolders);

  it("take jobs of one folder each: all of the browser's files in one, other long folders in parts of about the same length", () => {
    const browser = Array.from({ length: 20 }, (_, i) => `browser/b${i}.slow.test.js`);
    const rule = Array.from({ length: 4 }, (_, i) => `lib/rule/r${i}.test.js`);
    const files = inTests([
      ...browser,
      ...rule,
      "lib/tiers.test.js",
      "course/form.test.js",
      "notebooks/n.test.js",
    ]);
    // 80 + 20 + 40 + 40 s are 180 s: three parts of 80, 40 + 20 and 40 s.
    const known = { r0: 80_000, r1: 20_000, r2: 40_000, r3: 40_000 };
    const durations = Object.entries(known).map(([name, ms]) => [`build/test/lib/rule/${name}.test.js`, ms]);
    const jobs = jobsOf(files, Object.fromEntries(durations) as Record<string, number>);
    assert.deepEqual(
      jobs.map((job) => [job.name, job.files.length]),
      [
        ["browser", 20],
        ["lib/rule", 1],
        ["lib/rule", 2],
        ["lib/rule", 1],
        ["lib", 1],
        ["notebooks", 2],
      ],
    );
    assert.deepEqual(jobs.flatMap((job) => job.files).sort(), files.sort());
  });

  it("take the longest job first, and a file that nobody has measured for as long as its tier usually takes", () => {
    const job = (name: string): Job => ({ name, files: [`build/test/cli/${name}.js`] });
    const jobs = ["a.test", "b.slow.test", "c.test", "d.test"].map(job);
    // b is not measured: 10 s.
    const known = { a: 11_000, c: 900, d: 12_000 };
    const durations = Object.entries(known).map(([name, ms]) => [`build/test/cli/${name}.test.js`, ms]);
    const queue = new JobQueue(jobs, Object.fromEntries(durations) as Record<string, number>);
    const order = jobs.map(() => queue.next()!.name);
    assert.deepEqual(order, ["d.test", "a.test", "b.slow.test", "c.test"]);
    assert.equal(queue.next(), undefined);
  });

  it("are shared among machines: each job on exactly one, all about as long", () => {
    const jobs = Array.from({ length: 9 }, (_, i): Job => ({ name: String(i), files: [String(i)] }));
    const known = Object.fromEntries(jobs.map(({ name }) => [name, 1000 * (1 + Number(name))]));
    const shards = [1, 2, 3].map((shard) => shardOf(jobs, shard, 3, known));
    // 1 + 2 + ... + 9 s are 45: 15 on each.
    const seconds = shards.map((all) => all.reduce((sum, { name }) => sum + 1 + Number(name), 0));
    assert.ok(
      seconds.every((s) => s >= 13 && s <= 17),
      seconds.join(", "),
    );
    assert.deepEqual(
      shards
        .flat()
        .map(({ name }) => name)
        .sort(),
      jobs.map(({ name }) => name),
    );
  });

  /** Runs one job for each text. */
  async function run(
    ...texts: readonly string[]
  ): Promise<{ code: number | null; out: string; lines: string[] }> {
    const folder = temporaryFolder();
    const jobs = texts.map((text, i): Job => {
      const file = path.join(folder, `${i}.test.js`);
      fs.writeFileSync(file, text);
      return { name: String(i), files: [file] };
    });
    const runner = path.join(root, "build", "test", "support", "laneRun.js");
    const code = `require(${JSON.stringify(runner)}).runLanes(${JSON.stringify(jobs)}, { lanes: 2 }).then(({ status }) => { process.exitCode = status; })`;
    const ended = await runNode(["-e", code], { env: { CI: "" } });
    return { code: ended.code, out: ended.stdout, lines: ended.stdout.trimEnd().split("\n") };
  }
  /** Waits in its first test for a file, which the other one writes in its first: they end only side by side. */
  const meeting = (title: string, own: string, other: string): string => `
    const fs = require("fs");
    const path = require("path");
    describe(${JSON.stringify(title)}, () => {
      it("meets the other", async () => {
        fs.writeFileSync(path.join(__dirname, ${JSON.stringify(own)}), "");
        while (!fs.existsSync(path.join(__dirname, ${JSON.stringify(other)}))) await new Promise((r) => setTimeout(r, 10));
      });
      it("goes on", () => console.log("said by ${title}"));
    });`;

  it("run at the same time, print each suite in one piece, and count together", async () => {
    const { code, out, lines } = await run(meeting("left", "a", "b"), meeting("right", "b", "a"));
    assert.equal(code, 0, out);
    assert.equal(lines.at(-1), "4 passed, 0 failed, 0 skipped");
    const titles = lines.flatMap((line, i) => (/^ {2}(left|right)/.test(line) ? [i] : []));
    assert.equal(titles.length, 2, out);
    for (const at of titles) {
      assert.match(lines[at]!, /\[[12] of 2/);
      const piece = lines.slice(at + 1, at + 4);
      assert.deepEqual(
        piece.filter((line) => line.includes(" ok ")),
        ["    ok   meets the other", "    ok   goes on"],
        out,
      );
    }
    assert.match(out, /said by left/);
    assert.match(out, /said by right/);
  });

  it("list failures of all at the end with their text, and fail with them", async () => {
    const fails = (why: string): string =>
      `describe("outer ${why}", () => { it("fails", () => { require("assert").deepEqual({ x: "${why}" }, { x: 2 }); }); });`;
    const { code, out, lines } = await run(
      fails("one"),
      fails("two"),
      "describe('well', () => it('is', () => {}))",
    );
    assert.equal(code, 1);
    assert.equal(lines.at(-1), "1 passed, 2 failed, 0 skipped");
    for (const why of ["one", "two"])
      assert.match(out, new RegExp(`\\n {2}[12]\\) outer ${why}\\n {7}fails:\\n[^]*-.*"${why}"`), out);
    assert.match(out, /FAIL 1\) fails/);
    assert.match(out, /FAIL 2\) fails/);
  });

  it("count it as a failure when a process ends before its tests", async () => {
    const { code, out, lines } = await run(
      "describe('short', () => { it('is', () => {}); it('ends', () => process.exit(0)); it('never', () => {}); });",
      "describe('well', () => it('is', () => {}))",
    );
    assert.equal(code, 1);
    assert.equal(lines.at(-1), "2 passed, 1 failed, 0 skipped");
    assert.match(out, /0\.test\.js:\n {5}The process of these tests ended with status 0 before they had/);
  });
});
