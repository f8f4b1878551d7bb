// Uses internals of turnwise-kernel/cli.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findPython } from "turnwise-kernel/dist/cli/jupyter/python.js";
import { serverConfiguration } from "turnwise-kernel/dist/cli/jupyter/server.js";
import { removeTemporaryFolders, turnwise } from "../support/command.js";
import { root } from "../support/paths.js";
import { endStarted, project, start } from "./labProject.js";
import { skip } from "../support/needs.js";

describe("turnwise lab", function () {
  this.timeout(90_000);
  before(function () {
    if (process.platform === "win32") skip(this, "needs a POSIX system");
  });
  afterEach(endStarted);
  after(removeTemporaryFolders);

  it("opens Lab in notebooks/ with its own flags passed through, and keeps all it writes in the project", async () => {
    const { folder, env, home } = project();
    const { seen, child, exit, stdout } = await start(folder, env, ["--no-browser", "--collaborative"]);
    assert.equal(seen.cwd, path.join(folder, "notebooks"));
    assert.deepEqual(
      seen.args.filter((arg) => arg !== "--allow-root"),
      ["lab", `--ServerApp.root_dir=${path.join(folder, "notebooks")}`, "--no-browser", "--collaborative"],
    );
    const state = path.join(folder, ".turnwise");
    assert.equal(seen.env.JUPYTER_DATA_DIR, path.join(state, "share", "jupyter"));
    assert.equal(seen.env.JUPYTER_CONFIG_DIR, path.join(state, "etc", "jupyter"));
    assert.equal(seen.env.JUPYTER_RUNTIME_DIR, path.join(state, "runtime"));
    assert.ok(
      seen.env.JUPYTER_PATH?.split(path.delimiter).includes(path.join(home, ".local", "share", "jupyter")),
    );
    const spec = path.join(state, "share", "jupyter", "kernels", "turnwise", "kernel.json");
    assert.deepEqual((JSON.parse(fs.readFileSync(spec, "utf8")) as { argv: string[] }).argv.slice(1), [
      path.join(root, "kernel", "dist", "front", "main.js"),
      "{connection_file}",
    ]);
    assert.deepEqual(fs.readdirSync(home), []);
    assert.match(stdout(), /^Looking for JupyterLab >= 4 \.\.\. 4\.5\.0 in .*jupyter, \d+\.\d s$/m);
    assert.match(stdout(), /^JupyterLab answers at http:\/\/127\.0\.0\.1:\d+\/lab\?token=secret$/m);
    assert.match(stdout(), /^Widgets show as text: turnwise doctor says how to add them\.$/m);
    child.kill("SIGTERM");
    assert.equal(await exit, 0);
  });

  it("opens the folder that a teacher asks for, beside the students' own", async () => {
    const { folder, env } = project();
    fs.mkdirSync(path.join(folder, "lib", "course"), { recursive: true });
    const given = "--ServerApp.root_dir=lib/course";
    const { seen, child, exit } = await start(folder, env, [given]);
    // JupyterLab takes one folder, and reads a relative one from where it runs.
    assert.equal(seen.cwd, fs.realpathSync(folder));
    assert.deepEqual(
      seen.args.filter((arg) => arg.includes("root_dir")),
      [given],
    );
    child.kill("SIGTERM");
    assert.equal(await exit, 0);
  });

  it("lays a way to docs/ into the notebooks of a checkout, and into no other folder", async () => {
    for (const isCheckout of [true, false]) {
      const { folder, env } = project();
      fs.mkdirSync(path.join(folder, "docs"));
      fs.mkdirSync(path.join(folder, "notebooks"), { recursive: true });
      fs.writeFileSync(path.join(folder, "docs", "README.md"), "# Your own run");
      if (isCheckout) {
        fs.mkdirSync(path.join(folder, "kernel", "bootstrap"), { recursive: true });
        fs.writeFileSync(path.join(folder, "kernel", "bootstrap", "start.cjs"), "");
      }
      const { child, exit } = await start(folder, env);
      const here = path.join(folder, "notebooks", "docs", "README.md");
      assert.equal(fs.existsSync(here), isCheckout);
      if (isCheckout) assert.equal(fs.readFileSync(here, "utf8"), "# Your own run");
      child.kill("SIGTERM");
      assert.equal(await exit, 0);
    }
  });

  it("keeps the server while its input is open, also where a child has made it non-blocking", async function () {
    const found = await findPython();
    if (!found) skip(this, "needs Python");
    // What Node does to a pipe that it reads; both ends of it are the server's and its children's.
    const nonBlocking = "import os\nos.set_blocking(0, False)\n";
    const stubs = "class Config:\n    def __getattr__(self, name): return Config()\nget_config = Config\n";
    const lives = `${nonBlocking}${stubs}${serverConfiguration}\nprint("reads", flush=True)\ntime.sleep(60)\n`;
    const [command, ...before] = found.argv;
    const python = spawn(command, [...before, "-c", lives], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    const end = once(python, "exit");
    const lasted = once(python.stdout, "data").then(() => sleep(500));
    const early = await Promise.race([end, lasted]);
    python.stdin.end();
    assert.equal(early, undefined, "ended while its input was open");
    assert.deepEqual(await end, [null, "SIGTERM"]);
  });

  it("says nothing about widgets if that JupyterLab has them", async () => {
    const { folder, env } = project();
    const extension = ["share", "jupyter", "labextensions", "@jupyter-widgets", "jupyterlab-manager"];
    fs.mkdirSync(path.join(folder, ...extension), { recursive: true });
    const { child, exit, stdout } = await start(folder, env);
    assert.doesNotMatch(stdout(), /Widgets/);
    child.kill("SIGTERM");
    assert.equal(await exit, 0);
  });

  it("does not accept a JupyterLab below 4, and needs a writable folder", async () => {
    const { folder, env } = project();
    const bin = path.join(folder, "bin");
    const old = {
      ...env,
      FAKE_LAB_VERSION: "3.6.8",
      PATH: `${bin}${path.delimiter}${path.dirname(process.execPath)}`,
    };
    fs.writeFileSync(path.join(bin, "python3"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
    fs.writeFileSync(path.join(bin, "python"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
    const { code, stdout, stderr } = await turnwise(["lab"], { cwd: folder, env: old });
    assert.equal(code, 1);
    assert.match(stdout, /^Looking for JupyterLab >= 4 \.\.\. none found/);
    assert.match(stderr, /Cannot install JupyterLab: Python >= 3\.9 with venv must be found/);
    fs.rmSync(path.join(folder, ".turnwise"), { recursive: true, force: true });
    fs.writeFileSync(path.join(folder, ".turnwise"), "a file in the way");
    const denied = await turnwise(["lab"], { cwd: folder, env });
    assert.equal(denied.code, 1);
    assert.match(
      denied.stderr,
      /^Cannot start JupyterLab: .* must be writable: .*\nTo fix it, copy the folder/,
    );
  });
});
