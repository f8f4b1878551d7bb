import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { removeTemporaryFolders, runNode, temporaryFolder } from "../support/command.js";
import { JobQueue, jobsOf, type Job } from "../support/lanes.js";
import { root } from "../support/paths.js";

const inTests = (names: readonly string[]): string[] => names.map((name) => `build/test/${name}`);

describe("the lanes of a run", () => {
  after(removeTemporaryFolders);

  it("take jobs of one folder each: all of the browser's files in one, other large folders in parts", () => {
    const browser = Array.from({ length: 20 }, (_, i) => `browser/b${i}.test.js`);
    const rule = Array.from({ length: 14 }, (_, i) => `lib/rule/r${i}.test.js`);
    const others = ["lib/tiers.test.js", "lib/train/t.test.js", "kernel/streams.test.js", "kernel/k.test.js"];
    const jobs = jobsOf(inTests([...browser, ...rule, ...others]));
    assert.deepEqual(
      jobs.map(({ name, kind, files }) => [name, kind, files.length]),
      [
        ["browser", "sensitive", 20],
        // 14 files are two times 7.
        ["lib/rule", "free", 7],
        ["lib/rule", "free", 7],
        ["lib", "free", 1],
        ["lib/train", "free", 1],
        ["alone", "alone", 1],
        ["kernel", "sensitive", 1],
      ],
    );
    assert.deepEqual(
      jobs.flatMap(({ files }) => files).sort(),
      inTests([...browser, ...rule, ...others]).sort(),
    );
  });

  it("keep sensitive jobs apart, the longest first, help each other at the end, and leave some alone", () => {
    const job = (name: string, kind: Job["kind"]): Job => ({ name, kind, files: [name] });
    const jobs = [
      job("k1", "sensitive"),
      job("timed", "alone"),
      job("f1", "free"),
      job("k2", "sensitive"),
      job("f2", "free"),
    ];
    const queue = new JobQueue(jobs, { k1: 10, k2: 20, f1: 3, f2: 4, timed: 99 });
    const names = [0, 1, 1, 1].map((lane) => queue.next(lane)?.name);
    // Lane 1 has ended f2 and f1 by then, and helps with what is left of the sensitive ones.
    assert.deepEqual(names, ["k2", "f2", "f1", "k1"]);
    for (let i = 0; i < 3; i++) queue.done();
    assert.equal(queue.next(0), undefined, "one job still runs");
    queue.done();
    assert.equal(queue.next(1)!.name, "timed");
    queue.done();
    assert.equal(queue.next(1), undefined);
  });

  /** Runs one job for each text. */
  async function run(
    ...texts: readonly string[]
  ): Promise<{ code: number | null; out: string; lines: string[] }> {
    const folder = temporaryFolder();
    const jobs = texts.map((text, i): Job => {
      const file = path.join(folder, `${i}.test.js`);
      fs.writeFileSync(file, text);
      return { name: String(i), kind: "free", files: [file] };
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
