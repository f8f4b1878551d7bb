import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readSweep } from "turnwise";
import { removeTemporaryFolders, temporaryFolder, turnwise } from "../support/command.js";
import { root } from "../support/paths.js";
import { until } from "../support/process.js";

const jobs = join(__dirname, "..", "lib", "sweep", "jobs.js");
const keys = (file: string): string[] => readSweep(file).rows.map(({ key }) => key);

describe("turnwise sweep", function () {
  this.timeout(120_000);
  this.slow(20_000);
  after(removeTemporaryFolders);
  const plan = { task: { module: jobs, export: "draw" }, grid: { scale: [1, 2] }, seeds: 3 };
  const folderWith = (content: object): string => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "plan.json"), JSON.stringify(content));
    return folder;
  };

  it("stops at SIGTERM, keeps what is done, and the same command goes on", async () => {
    const hold = join(temporaryFolder(), "hold");
    writeFileSync(hold, "");
    const cwd = folderWith({ ...plan, grid: { scale: 1, hold }, seeds: 6 });
    const results = join(cwd, "plan.jsonl");
    const args = [
      join(root, "lib", "turnwise", "bin", "turnwise.cjs"),
      "sweep",
      "plan.json",
      "--workers",
      "1",
    ];
    const child = spawn(process.execPath, args, { cwd, stdio: ["ignore", "pipe", "inherit"] });
    let said = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (said += text));
    const closed = once(child, "close");
    const lines = (): number => (existsSync(results) ? readFileSync(results, "utf8").split("\n").length : 0);
    await until("four results", () => lines() === 6, 100_000); // and the plan before them, nothing after them
    child.kill("SIGTERM");
    assert.deepEqual(await closed, [143, null]);
    assert.match(said, /Stopped; the same command goes on where plan\.jsonl ends\n$/);
    assert.equal(existsSync(`${results}.lock`), false);
    rmSync(hold);
    const { code } = await turnwise(["sweep", "plan.json", "--workers", "0"], { cwd });
    assert.equal(code, 0);
    assert.deepEqual(
      keys(results),
      [0, 1, 2, 3, 4, 5].map((seed) => `all seed=${seed}`),
    );
  });

  it("leaves a file alone that a process on another machine is writing", async () => {
    const cwd = folderWith(plan);
    writeFileSync(join(cwd, "plan.jsonl.lock"), "17@another-machine");
    const { code, stderr } = await turnwise(["sweep", "plan.json"], { cwd });
    assert.equal(code, 1);
    assert.match(stderr, /only one process at a time may write it, and process 17 of another-machine does/);
  });
});
