import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { removeTemporaryFolders, temporaryFolder, turnwise } from "../support/command.js";
import { isRunning, until } from "../support/process.js";
import { root } from "../support/paths.js";
import { skip } from "../support/needs.js";

interface Seen {
  args: string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  pid: number;
}

/** A project with notebooks, a blank in its path, and a stand-in for `jupyter` that is first on PATH. */
function project(): { folder: string; env: NodeJS.ProcessEnv; home: string } {
  const folder = fs.realpathSync(temporaryFolder("turn wise"));
  const bin = path.join(folder, "bin");
  const home = path.join(folder, "home");
  for (const name of [bin, home, path.join(folder, "notebooks")]) fs.mkdirSync(name);
  fs.copyFileSync(path.join(root, "test", "support", "fake-jupyter.cjs"), path.join(bin, "jupyter"));
  const env: NodeJS.ProcessEnv = { PATH: `${bin}${path.delimiter}${process.env.PATH ?? ""}`, HOME: home };
  for (const name of ["VIRTUAL_ENV", "CONDA_PREFIX", "JUPYTER_PATH", "XDG_DATA_HOME"]) env[name] = "";
  return { folder, env, home };
}

interface Running {
  child: ChildProcess;
  stdout(): string;
  exit: Promise<number | null>;
  seen: Seen;
}

const started: Running[] = [];

/** Starts `turnwise lab` and waits until it says that Lab answers. */
async function start(folder: string, env: NodeJS.ProcessEnv, args: string[] = []): Promise<Running> {
  const bin = path.join(root, "kernel", "bootstrap", "turnwise.cjs");
  const child = spawn(process.execPath, [bin, "lab", ...args], {
    cwd: folder,
    env: { ...process.env, ...env },
  });
  let text = "";
  let errors = "";
  child.stdout.setEncoding("utf8").on("data", (data: string) => (text += data));
  child.stderr.setEncoding("utf8").on("data", (data: string) => (errors += data));
  const exit = new Promise<number | null>((resolve) => child.once("close", resolve));
  await until("JupyterLab to answer", () => /answers at/.test(text) || child.exitCode !== null);
  assert.match(text, /answers at/, errors);
  const file = path.join(folder, ".turnwise", "runtime", "seen.json");
  const running = {
    child,
    exit,
    stdout: () => text,
    seen: JSON.parse(fs.readFileSync(file, "utf8")) as Seen,
  };
  started.push(running);
  return running;
}

describe("turnwise lab", function () {
  this.timeout(90_000);
  before(function () {
    if (process.platform === "win32") skip(this, "needs a POSIX system");
  });
  afterEach(() => {
    for (const { child, seen } of started.splice(0)) {
      child.kill("SIGKILL");
      if (isRunning(seen.pid)) process.kill(seen.pid, "SIGKILL");
    }
  });
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

  it("says nothing about widgets if that JupyterLab has them", async () => {
    const { folder, env } = project();
    const extension = ["share", "jupyter", "labextensions", "@jupyter-widgets", "jupyterlab-manager"];
    fs.mkdirSync(path.join(folder, ...extension), { recursive: true });
    const { child, exit, stdout } = await start(folder, env);
    assert.doesNotMatch(stdout(), /Widgets/);
    child.kill("SIGTERM");
    assert.equal(await exit, 0);
  });

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
    const bin = path.join(root, "kernel", "bootstrap", "turnwise.cjs");
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
          new RegExp(`^Cannot start JupyterLab as port ${port} must be free: another program uses it`),
        );
        assert.match(stderr, /\nTo fix it, run: npm start -- --port \d+\n$/);
      }
    } finally {
      other.close();
    }
    const wrong = await turnwise(["lab", "--port", "many"], { cwd: folder, env });
    assert.match(wrong.stderr, /--port must be a whole number from 0 to 65535: "many"/);
  });

  it("shows the last messages of a Lab that does not start, and where the rest is", async () => {
    const { folder, env } = project();
    const broken = { ...env, FAKE_LAB_FAILS: "ImportError: no module named tornado" };
    const { code, stderr } = await turnwise(["lab"], { cwd: folder, env: broken });
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^Cannot start JupyterLab as it must answer: it ended\nImportError: no module named tornado\n/,
    );
    assert.match(stderr, /To see all of its messages: .*lab\.log\n$/);
    const { exit, child } = await start(folder, env);
    child.kill("SIGTERM");
    assert.equal(await exit, 0, "the next try works");
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
    assert.match(stderr, /Cannot install JupyterLab as Python >= 3\.9 with venv must be found/);
    fs.rmSync(path.join(folder, ".turnwise"), { recursive: true, force: true });
    fs.writeFileSync(path.join(folder, ".turnwise"), "a file in the way");
    const denied = await turnwise(["lab"], { cwd: folder, env });
    assert.equal(denied.code, 1);
    assert.match(
      denied.stderr,
      /^Cannot start JupyterLab as .* must be writable: .*\nTo fix it, copy the folder/,
    );
  });
});
