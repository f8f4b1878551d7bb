import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { exclusively } from "turnwise-kernel/bootstrap/lock.cjs";
import { removeTemporaryFolders, temporaryFolder } from "../support/command.js";
import { root } from "../support/paths.js";
import { until } from "../support/process.js";

/** Holds the lock until there is a file named "go". */
const script = (folder: string): string => `
  const { exclusively } = require(${JSON.stringify(path.join(root, "kernel", "bootstrap", "lock.cjs"))});
  const fs = require("fs");
  const log = (text) => fs.appendFileSync(${JSON.stringify(path.join(folder, "log"))}, text + "\\n");
  exclusively(${JSON.stringify(folder)}, async () => {
    log("begin");
    while (!fs.existsSync(${JSON.stringify(path.join(folder, "go"))})) await new Promise((resolve) => setTimeout(resolve, 20));
    log("end");
  });`;

describe("installing and building", () => {
  after(removeTemporaryFolders);

  it("happen in one process at a time; the others wait and say for which", async () => {
    const folder = temporaryFolder("turn wise");
    const runs = [1, 2, 3].map(() => {
      const child = spawn(process.execPath, ["-e", script(folder)], { stdio: ["ignore", "pipe", "inherit"] });
      const run = { pid: child.pid, said: "", code: once(child, "close").then(([code]) => code as number) };
      child.stdout.setEncoding("utf8").on("data", (text: string) => (run.said += text));
      return run;
    });
    await until("two that wait", () => runs.filter(({ said }) => said !== "").length === 2);
    const holder = runs.find(({ said }) => said === "")!;
    for (const { said } of runs.filter((run) => run !== holder))
      assert.match(said, new RegExp(`^Waiting for process ${holder.pid}, which installs or builds here`));
    const log = (): string => fs.readFileSync(path.join(folder, "log"), "utf8");
    await until("the work of the holder", () => fs.existsSync(path.join(folder, "log")));
    assert.equal(log(), "begin\n");
    fs.writeFileSync(path.join(folder, "go"), "");
    assert.deepEqual(await Promise.all(runs.map(({ code }) => code)), [0, 0, 0]);
    assert.equal(log(), "begin\nend\n".repeat(3));
  });

  it("are not held up by a process that was killed", async () => {
    const folder = temporaryFolder();
    const child = spawn(process.execPath, ["-e", script(folder)]);
    const file = path.join(folder, ".turnwise", "installing");
    await until("the lock", () => fs.existsSync(file) && fs.readFileSync(file, "utf8") !== "");
    child.kill("SIGKILL");
    await new Promise((resolve) => child.once("close", resolve));
    assert.equal(await exclusively(folder, () => Promise.resolve("done")), "done");
    assert.equal(fs.existsSync(file), false);
  });

  it("release the lock when they fail", async () => {
    const folder = temporaryFolder();
    await assert.rejects(
      exclusively(folder, () => Promise.reject(new Error("no disk"))),
      /no disk/,
    );
    assert.equal(await exclusively(folder, () => Promise.resolve("done")), "done");
  });
});
