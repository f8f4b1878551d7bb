import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { exclusively } from "turnwise-kernel/bootstrap/lock.cjs";
import { removeTemporaryFolders, runNode, temporaryFolder } from "../support/command.js";
import { root } from "../support/paths.js";
import { until } from "../support/process.js";

const script = (folder: string, ms: number): string => `
  const { exclusively } = require(${JSON.stringify(path.join(root, "kernel", "bootstrap", "lock.cjs"))});
  const fs = require("fs");
  const log = (text) => fs.appendFileSync(${JSON.stringify(path.join(folder, "log"))}, text + "\\n");
  exclusively(${JSON.stringify(folder)}, async () => {
    log("begin");
    await new Promise((resolve) => setTimeout(resolve, ${String(ms)}));
    log("end");
  });`;

describe("installing and building", () => {
  after(removeTemporaryFolders);

  it("happen in one process at a time; the others wait and say for whom", async () => {
    const folder = temporaryFolder("turn wise");
    const runs = await Promise.all([1, 2, 3].map(() => runNode(["-e", script(folder, 1500)])));
    assert.deepEqual(
      runs.map(({ code }) => code),
      [0, 0, 0],
    );
    assert.equal(fs.readFileSync(path.join(folder, "log"), "utf8"), "begin\nend\n".repeat(3));
    const waiting = runs.filter(({ stdout }) =>
      /^Waiting for process \d+, which installs or builds here/.test(stdout),
    );
    assert.ok(waiting.length >= 1, JSON.stringify(runs));
  });

  it("are not held up by a process that was killed", async () => {
    const folder = temporaryFolder();
    const child = spawn(process.execPath, ["-e", script(folder, 60_000)]);
    const file = path.join(folder, ".turnwise", "installing");
    await until("the lock", () => fs.existsSync(file) && fs.readFileSync(file, "utf8") !== "");
    child.kill("SIGKILL");
    await new Promise((resolve) => child.once("close", resolve));
    assert.equal(await exclusively(folder, () => Promise.resolve("done")), "done");
    assert.equal(fs.existsSync(file), false);
  });

  it("free the lock when they fail", async () => {
    const folder = temporaryFolder();
    await assert.rejects(
      exclusively(folder, () => Promise.reject(new Error("no disk"))),
      /no disk/,
    );
    assert.equal(await exclusively(folder, () => Promise.resolve("done")), "done");
  });
});
