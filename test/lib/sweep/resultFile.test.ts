import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { merge, readSweep, sweep } from "turnwise";
import { skip } from "../../support/needs.js";

const jobs = join(__dirname, "jobs.js");

describe("a results file", () => {
  let folder = "";
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "turnwise-results-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const inFolder = (name: string): string => join(folder, name);
  const plan = { task: { module: jobs, export: "draw" }, grid: { scale: [1, 2] }, seeds: 2, workers: 0 };
  const linesOf = (file: string): string[] => readFileSync(file, "utf8").split("\n");

  it("cuts nothing off a file that is not a sweep's, whole lines or not", () => {
    const file = inFolder("notes.txt");
    for (const notes of ["notes", "notes\nand half a line", '{"format":"turnwise"}', "\n\n"]) {
      writeFileSync(file, notes);
      assert.throws(
        () => sweep({ ...plan, file }),
        /must be new or a sweep's own, but it holds something else/,
      );
      assert.equal(readFileSync(file, "utf8"), notes);
    }
  });

  it("begins again where a process was killed in the middle of the first line", async () => {
    const file = inFolder("results.jsonl");
    for (const half of ['{"for', '{"format":"turnwise-sweep","vers']) {
      writeFileSync(file, half);
      assert.equal((await sweep({ ...plan, file })).results.length, 4);
      assert.equal(readSweep(file).rows.length, 4);
      rmSync(file);
    }
  });

  it("names the line that is no result, and goes on without it", async () => {
    const file = inFolder("results.jsonl");
    const { results } = await sweep({ ...plan, file });
    const lines = linesOf(file);
    for (const broken of [lines[2]!.slice(0, 30), '{"key":"scale=2 seed=0"}', "[]"]) {
      writeFileSync(file, [lines[0], lines[1], broken, ...lines.slice(3)].join("\n"));
      const message =
        /each line must be a result, but line 3 begins with .* \(without that line, its job runs/;
      assert.throws(() => sweep({ ...plan, file }), { name: "RangeError", message });
      assert.throws(() => merge([file]), { name: "RangeError", message });
    }
    writeFileSync(file, [lines[0], lines[1], "", ...lines.slice(3)].join("\n"));
    const again = await sweep({ ...plan, file });
    assert.deepEqual(
      again.results.map(({ value }) => value),
      results.map(({ value }) => value),
    );
    assert.equal(readSweep(file).rows.length, 4);
  });

  it("is refused when its first line is broken or of a later format", () => {
    const file = inFolder("results.jsonl");
    writeFileSync(file, '{"format":"turnwise-sweep","version":1\n');
    assert.throws(() => readSweep(file), /its first line must describe a sweep/);
    writeFileSync(file, '{"format":"turnwise-sweep","version":2,"plan":{"seeds":[0]},"shard":null}\n');
    assert.throws(() => sweep({ ...plan, file }), /its format must be of version 1, got 2/);
  });

  it("loses no result and doubles none when the disk is full in the middle of a line", async function () {
    if (process.platform === "win32") skip(this, "needs a POSIX system");
    const file = inFolder("results.jsonl");
    // One block: 512 or 1024 bytes, which end within some line; the signal would end the process before it is told.
    const script = "trap '' XFSZ; ulimit -f 1; exec \"$@\"";
    const args = ["-c", script, "sh", process.execPath, join(__dirname, "failing.js"), "draw", file];
    const { stdout, stderr } = spawnSync("sh", args, { encoding: "utf8" });
    const { error } = JSON.parse(stdout) as { error: string };
    assert.match(error, /^Cannot keep a result: .*results\.jsonl must take it: EFBIG/, stderr);
    const kept = linesOf(file);
    assert.equal(kept.at(-1), "", "ends with a whole line");
    const rows = readSweep(file).rows.length;
    assert.ok(rows >= 1 && rows < 40, `${rows} rows`);
    const same = { task: plan.task, grid: {}, seeds: 40, workers: 0 };
    const whole = await sweep({ ...same, file });
    assert.deepEqual(linesOf(file).slice(0, kept.length - 1), kept.slice(0, -1));
    assert.equal(readSweep(file).rows.length, 40);
    assert.deepEqual(
      whole.results.map(({ value }) => value),
      (await sweep(same)).results.map(({ value }) => value),
    );
  });

  it("is not taken from a process that has just made its lock, or has just taken over that of a dead one", async () => {
    const file = inFolder("results.jsonl");
    writeFileSync(`${file}.lock`, "");
    assert.throws(() => sweep({ ...plan, file }), /another process does \(if it does not, delete results/);
    const { pid } = spawnSync(process.execPath, ["-e", ""]);
    writeFileSync(`${file}.lock`, String(pid));
    await sweep({ ...plan, file });
    assert.deepEqual(readdirSync(folder), ["results.jsonl"]);
  });

  it("takes what merge joins only when it is new or of the same plan", async () => {
    const parts = ["1/2", "2/2"].map((shard) => ({ shard, file: inFolder(`${shard[0]!}.jsonl`) }));
    for (const part of parts) await sweep({ ...plan, ...part });
    const files = parts.map(({ file }) => file);
    writeFileSync(inFolder("plan.json"), "{}");
    assert.throws(
      () => merge(files, { file: inFolder("plan.json") }),
      /plan\.json: it must be new or a sweep's own, but it holds something else/,
    );
    assert.equal(readFileSync(inFolder("plan.json"), "utf8"), "{}");
    const other = inFolder("other.jsonl");
    await sweep({ ...plan, seeds: 3, file: other });
    assert.throws(
      () => merge(files, { file: other }),
      /must hold the same plan and shard, but it has another seeds \(stored \[0,1,2\], now \[0,1\]\)\.$/,
    );
    writeFileSync(`${files[0]!}.lock`, "1@another-machine");
    assert.throws(() => merge(files, { file: files[0]! }), /process 1 of another-machine does/);
    rmSync(`${files[0]!}.lock`);
    merge(files, { file: files[0]! });
    assert.equal(merge([files[0]!]).results.length, 4);
    assert.deepEqual(readdirSync(folder).sort(), ["1.jsonl", "2.jsonl", "other.jsonl", "plan.json"]);
    appendFileSync(files[0]!, "{");
    assert.equal(merge([files[0]!], { file: files[0]! }).results.length, 4);
  });
});
