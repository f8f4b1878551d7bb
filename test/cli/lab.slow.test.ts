import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { removeTemporaryFolders, turnwise } from "../support/command.js";
import { isRunning, until } from "../support/process.js";
import { root } from "../support/paths.js";
import { endStarted, project, start, type Seen } from "./labProject.js";
import { skip } from "../support/needs.js";

describe("turnwise lab", function () {
  this.timeout(90_000);
  before(function () {
    if (process.platform === "win32") skip(this, "needs a POSIX system");
  });
  afterEach(endStarted);
  after(removeTemporaryFolders);

  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    it(`stops Lab on ${signal} and leaves no process`, async () => {
      const { folder, env } = project();
      const { child, exit, seen } = await start(folder, env);
      child.kill(signal);
      assert.equal(await exit, 0);
      assert.equal(isRunning(seen.pid), false);
      assert.deepEqual(
        fs
          .readdirSync(path.join(folder, ".turnwise", "runtime"))
          .filter((name) => name.startsWith("jpserver")),
        [],
      );
    });
  }

  it("stops Lab when Ctrl-C comes while it gives its first answer", async () => {
    const { folder, env } = project();
    const bin = path.join(root, "lib", "turnwise", "bin", "turnwise.cjs");
    const child = spawn(process.execPath, [bin, "lab"], {
      cwd: folder,
      env: { ...process.env, ...env, FAKE_LAB_ANSWERS_AFTER: "1000" },
      stdio: "ignore",
    });
    const exit = new Promise<number | null>((resolve) => child.once("close", resolve));
    const runtime = path.join(folder, ".turnwise", "runtime");
    await until("a question to Lab", () => fs.existsSync(path.join(runtime, "asked")));
    child.kill("SIGINT");
    assert.equal(await exit, 1);
    const seen = JSON.parse(fs.readFileSync(path.join(runtime, "seen.json"), "utf8")) as Seen;
    assert.equal(isRunning(seen.pid), false);
  });

  it("kills Lab on a second Ctrl-C if it ignores the first", async () => {
    const { folder, env } = project();
    const { child, exit, seen } = await start(folder, { ...env, FAKE_LAB_STUBBORN: "1" });
    child.kill("SIGINT");
    const told = path.join(folder, ".turnwise", "runtime", "told-to-end");
    await until("the first Ctrl-C to reach Lab", () => fs.existsSync(told));
    assert.ok(isRunning(seen.pid));
    child.kill("SIGINT");
    assert.equal(await exit, 1);
    await until("the end of Lab", () => !isRunning(seen.pid));
  });

  it("leaves no process when it is killed itself", async () => {
    const { folder, env } = project();
    const { child, seen } = await start(folder, env);
    child.kill("SIGKILL");
    await until("the end of Lab", () => !isRunning(seen.pid));
  });

  it("ends when Lab is shut down from its own menu", async () => {
    const { folder, env } = project();
    const { exit, seen } = await start(folder, env);
    process.kill(seen.pid, "SIGTERM");
    assert.equal(await exit, 0);
  });

  it("names a port that is in use, and one that is free", async () => {
    const { folder, env } = project();
    const other = net.createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const port = String((other.address() as net.AddressInfo).port);
    try {
      for (const flag of [["--port", port], [`--port=${port}`], [`--ServerApp.port=${port}`]]) {
        const { code, stderr } = await turnwise(["lab", ...flag], { cwd: folder, env });
        assert.equal(code, 1);
        assert.match(
          stderr,
          new RegExp(`^Cannot start JupyterLab: port ${port} must be free, but another program uses it.`),
        );
        assert.match(stderr, /\nTo fix it, run: npm start -- --port \d+\n$/);
      }
    } finally {
      other.close();
    }
    const wrong = await turnwise(["lab", "--port", "many"], { cwd: folder, env });
    assert.match(wrong.stderr, /--port must be an integer from 0 to 65535, got "many"\.$/m);
  });

  it("shows the last messages of a Lab that does not start, and where the rest is", async () => {
    const { folder, env } = project();
    const broken = { ...env, FAKE_LAB_FAILS: "ImportError: no module named tornado" };
    const { code, stderr } = await turnwise(["lab"], { cwd: folder, env: broken });
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^Cannot start JupyterLab: it does not answer: it ended\nImportError: no module named tornado\n/,
    );
    assert.match(stderr, /To see all of its messages: .*lab\.log\n$/);
    const { exit, child } = await start(folder, env);
    child.kill("SIGTERM");
    assert.equal(await exit, 0, "the next try works");
  });
});
