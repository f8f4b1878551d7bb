import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { run, tail } from "turnwise-kernel/bootstrap/command.cjs";
import { npmCommand } from "turnwise-kernel/bootstrap/install.cjs";
import { examplesBelow, failuresOf } from "../support/docExamples.js";
import { removeTemporaryFolders, runNode, temporaryFolder } from "../support/command.js";
import { skip } from "../support/needs.js";
import { patient } from "../support/patient.js";
import { isRunning, until } from "../support/process.js";
import { root } from "../support/paths.js";
import { pythonWith } from "../support/python.js";

async function npm(args: string[], cwd: string): Promise<{ code: number; output: string }> {
  const command = npmCommand();
  return run(command.file, [...command.args, ...args], {
    cwd,
    shell: command.shell,
    timeoutMs: patient(240_000),
  });
}

const manifest = (folder: string): { readonly private?: boolean; readonly workspaces?: readonly string[] } =>
  JSON.parse(fs.readFileSync(path.join(root, folder, "package.json"), "utf8")) as ReturnType<typeof manifest>;

/** The site is built from a checkout, and no package to install. */
const published = manifest(".")
  .workspaces!.filter((folder) => manifest(folder).private !== true)
  .map((folder) => `--workspace=${folder}`);

/** Megabytes that a folder takes on the disk, as `du -sm` counts them. */
function megabytes(folder: string): number {
  const blocks = (file: string): number => {
    const stat = fs.lstatSync(file);
    const inside = stat.isDirectory()
      ? fs.readdirSync(file).map((name) => blocks(path.join(file, name)))
      : [];
    return inside.reduce((sum, one) => sum + one, stat.blocks);
  };
  return (blocks(folder) * 512) / 2 ** 20;
}

/** Of the repository alone: whoever has the packages has none of these. */
const ofRepository = /npm (?:start|test|run|ci)\b|as locked|checkout/;

describe("the published packages", function () {
  this.timeout(300_000);
  this.slow(60_000);
  let folder = "";
  /** The kernel alone, as `npm install turnwise-kernel` puts it into an empty folder. */
  let alone = "";

  before(async function () {
    folder = temporaryFolder("turn wise");
    const packed = await npm(["pack", ...published, "--json", `--pack-destination=${folder}`], root);
    assert.equal(packed.code, 0, tail(packed.output));
    const tarballs = fs.readdirSync(folder).filter((name) => name.endsWith(".tgz"));
    assert.equal(tarballs.length, 4, tarballs.join(", "));
    fs.writeFileSync(path.join(folder, "package.json"), JSON.stringify({ name: "user", version: "1.0.0" }));
    const install = [
      ...["install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"],
      ...tarballs.map((name) => `./${name}`),
    ];
    let installed = await npm(install, folder);
    // The way to the registry may fail for a moment.
    for (let tries = 1; tries < 3 && installed.code !== 0; tries++) installed = await npm(install, folder);
    if (/E(NOTFOUND|AI_AGAIN|CONNREFUSED|TIMEDOUT)/.test(installed.output)) {
      skip(this, "needs the npm registry", "connect to the network, then run the same command again");
    }
    assert.equal(installed.code, 0, tail(installed.output));
    alone = temporaryFolder("turn wise alone");
    fs.writeFileSync(path.join(alone, "package.json"), JSON.stringify({ name: "user", version: "1.0.0" }));
    const kernel = tarballs.find((name) => name.startsWith("turnwise-kernel-"))!;
    // With scripts: no package may need or have one.
    const added = await npm(
      ["install", "--no-audit", "--no-fund", "--prefer-offline", path.join(folder, kernel)],
      alone,
    );
    assert.equal(added.code, 0, tail(added.output));
  });

  after(removeTemporaryFolders);

  it("take at most 60 MB for the kernel alone, and run no install script", () => {
    const size = megabytes(path.join(alone, "node_modules"));
    assert.ok(size <= 60, `${size.toFixed(0)} MB`);
    assert.ok(size > 10, `${size.toFixed(0)} MB: something is missing`);
    for (const where of [alone, folder]) {
      const lock = fs.readFileSync(path.join(where, "node_modules", ".package-lock.json"), "utf8");
      assert.doesNotMatch(lock, /hasInstallScript/);
    }
  });

  it("take at most 90 MB with the library and the course", () => {
    const size = megabytes(path.join(folder, "node_modules"));
    assert.ok(size <= 90, `${size.toFixed(0)} MB`);
  });

  it("install the kernel by npx turnwise, with a snapshot for its first cell, for Jupyter to find and start", async function () {
    const installed = await npm(["exec", "--", "turnwise", "install", "--prefix", alone], alone);
    assert.equal(installed.code, 0, installed.output);
    assert.match(installed.output, /^Installed the kernel turnwise in .*$/m);
    assert.match(installed.output, /^Preparing the type checker \.\.\. [\d.]+ s$/m);
    const snapshot = path.join(alone, "node_modules", "turnwise-kernel", "dist", "snapshot", "types.json");
    assert.ok(fs.existsSync(snapshot));
    const python = await pythonWith(this, "protocolTests");
    const script = `import json
from jupyter_client.kernelspec import KernelSpecManager
from jupyter_client.manager import start_new_kernel
manager, client = start_new_kernel(kernel_name="turnwise")
told = []
client.execute_interactive('["from", "a", "cell"].join(" ") as string', timeout=60,
    output_hook=lambda message: told.append(message["content"].get("data", {}).get("text/plain")))
client.stop_channels()
manager.shutdown_kernel()
print(json.dumps([KernelSpecManager().get_all_specs()["turnwise"]["spec"]["argv"][0], told]))`;
    const ran = await run(python, ["-c", script], {
      cwd: alone,
      env: { ...process.env, JUPYTER_PATH: path.join(alone, "share", "jupyter") },
    });
    assert.equal(ran.code, 0, tail(ran.output));
    const [node, told] = JSON.parse(ran.output.trim().split("\n").at(-1)!) as [string, unknown[]];
    assert.equal(fs.realpathSync(node), fs.realpathSync(process.execPath));
    assert.ok(told.includes("'from a cell'"), ran.output);
  });

  it("take the space that the README names", () => {
    const readme = fs.readFileSync(path.join(root, "README.md"), "utf8");
    const stated = (pattern: RegExp): number => Number(pattern.exec(readme)![1]);
    const [kernel, whole] = [alone, folder].map((one) => megabytes(path.join(one, "node_modules")));
    const snapshot = megabytes(path.join(alone, "node_modules", "turnwise-kernel", "dist", "snapshot"));
    const near = (what: string, is: number, said: number): void =>
      assert.ok(Math.abs(is - said) <= 2, `${what}: ${is.toFixed(1)} MB, the README says ${said}`);
    near("kernel", kernel!, stated(/of your account: (\d+) MB/));
    near("snapshot", snapshot, stated(/type checker \((\d+) of the \d+ MB\)/));
    near("library and course", whole! - (kernel! - snapshot), stated(/for your notebooks: (\d+) MB more/));
  });

  it("tell whoever has the kernel alone what to install, and nothing of the repository", async () => {
    const bin = path.join(alone, "node_modules", "turnwise-kernel", "bootstrap", "turnwise.cjs");
    const turnwise = (args: string[]): ReturnType<typeof runNode> => runNode([bin, ...args], { cwd: alone });
    const sweep = await turnwise(["sweep", "plan.json"]);
    assert.equal(
      sweep.stderr,
      "Cannot run turnwise sweep: the package turnwise must be installed.\nTo fix it: npm install turnwise\n",
    );
    const help = await turnwise(["--help"]);
    assert.match(help.stdout, /^Usage: turnwise <command>[^]*\nWith npm install turnwise-course: new\n/);
    const doctor = await turnwise(["doctor"]);
    assert.equal(doctor.code, 0, doctor.stdout);
    assert.match(doctor.stdout, /^ok {4}Kernel: 1 \+ 1 gives 2 /m);
    assert.doesNotMatch(doctor.stdout, ofRepository);
  });

  it("refuse to register a kernel in the cache of npx, with the commands that last", async () => {
    const cache = path.join(folder, ".npm", "_npx", "0a1b2c", "node_modules");
    fs.cpSync(path.join(alone, "node_modules", "turnwise-kernel"), path.join(cache, "turnwise-kernel"), {
      recursive: true,
      filter: (file) => !file.endsWith(".blob"),
    });
    const bin = path.join(cache, "turnwise-kernel", "bootstrap", "turnwise.cjs");
    const prefix = path.join(folder, "npx");
    const { code, stderr } = await runNode([bin, "install", "--prefix", prefix], { cwd: cache });
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^Cannot install the kernel: its package must be in a folder that lasts, but .* is a cache, which npx and the like empty\.\nTo fix it, run: npm install -g turnwise-kernel && turnwise install\nor, .*: npm install turnwise-kernel && npx turnwise install\n$/,
    );
    assert.equal(fs.existsSync(prefix), false);
  });

  it("say which package tslab's engine needs, and give cells tslab's display without it", async () => {
    const script = `const { startKernel } = require("turnwise-kernel");
      (async () => {
        const said = [];
        for (const engine of ["tslab", "tslap", ""]) {
          const kernel = await startKernel({ cwd: process.cwd(), env: { ...process.env, TURNWISE_ENGINE: engine } });
          said.push(await kernel.execute('import { display } from "tslab"; display.html("<b>shown</b>")'));
          await kernel.shutdown();
        }
        console.log(JSON.stringify(said));
      })();`;
    const { stdout, stderr, code } = await runNode(["-e", script], { cwd: alone });
    assert.equal(code, 0, stderr);
    const [absent, unknown, usual] = JSON.parse(stdout) as {
      error?: { evalue: string };
      outputs: { data?: Record<string, string> }[];
    }[];
    assert.match(
      absent!.error!.evalue,
      /^Cannot check cells with tslab \(TURNWISE_ENGINE=tslab\): the package tslab must be installed next to turnwise-kernel\.\nTo fix it: npm install tslab@1\.\d+\.\d+ /,
    );
    assert.equal(
      unknown!.error!.evalue,
      'Cannot check cells: TURNWISE_ENGINE must be "typescript" or "tslab", got "tslap".',
    );
    assert.equal(usual!.outputs[0]!.data!["text/html"], "<b>shown</b>");
  });

  it("import in an empty folder, by require and by import, on one TensorFlow.js", async () => {
    const script = `const lib = require("turnwise"); const kernel = require("turnwise-kernel");
      import("turnwise").then((esm) => console.log(JSON.stringify({
        same: esm.recipe === lib.recipe, recipe: typeof lib.recipe, start: typeof kernel.startKernel })));`;
    const { stdout, stderr, code } = await runNode(["-e", script], { cwd: folder });
    assert.equal(code, 0, stderr);
    assert.deepEqual(JSON.parse(stdout), { same: true, recipe: "function", start: "function" });
    assert.equal(fs.existsSync(path.join(folder, "node_modules", "turnwise", "node_modules")), false);
  });

  it("hold no sources, tests or build information", () => {
    for (const name of ["turnwise", "turnwise-practice", "turnwise-course", "turnwise-kernel"]) {
      const inside = fs.readdirSync(path.join(folder, "node_modules", name)).sort();
      assert.deepEqual(
        inside.filter((entry) => ["src", "test", "tsconfig.json"].includes(entry)),
        [],
        name,
      );
      assert.ok(inside.includes("dist"), name);
      assert.ok(!fs.existsSync(path.join(folder, "node_modules", name, "dist", ".tsbuildinfo")), name);
    }
  });

  it("run every example of a docstring, the data of the lessons included", async () => {
    const examples = ["turnwise", "practice", "course"].flatMap((name) =>
      examplesBelow(path.join(root, "lib", name, "src")),
    );
    const failures: string[] = [];
    const before = process.cwd();
    process.chdir(folder);
    try {
      for (const one of examples) failures.push(...(await failuresOf(one, folder)));
    } finally {
      process.chdir(before);
    }
    // Data frames are another package's, which whoever wants them installs.
    const frames = /danfojs-node must be installed\.\nTo fix it: npm install danfojs-node@/;
    assert.equal(failures.filter((one) => !frames.test(one)).join("\n"), "");
  });

  it("bring a kernel that runs a cell which imports the library", async () => {
    const script = `const { startKernel } = require("turnwise-kernel");
      (async () => {
        const kernel = await startKernel({ cwd: process.cwd() });
        const result = await kernel.execute('import { recipe } from "turnwise";\\ntypeof recipe("grpo")');
        console.log(JSON.stringify(result));
        await kernel.shutdown();
      })();`;
    const { stdout, stderr, code } = await runNode(["-e", script], { cwd: folder });
    assert.equal(code, 0, stderr);
    const result = JSON.parse(stdout) as { status: string; outputs: { data?: Record<string, string> }[] };
    assert.equal(result.status, "ok", stdout);
    assert.equal(result.outputs[0].data?.["text/plain"], "'object'");
  });

  /** What an installed package writes its snapshot into. */
  const snapshots = (): string => path.join(folder, "node_modules", "turnwise-kernel", "dist", "snapshot");

  let making: ReturnType<typeof runNode> | undefined;
  /**
   * Runs two kernels, one after the other, and tells whether each has its types from a snapshot and finds errors. The first one
   * makes the snapshot only after some seconds, so what another kernel does meanwhile is tested at the same time.
   */
  function twoKernels(): ReturnType<typeof runNode> {
    if (making) return making;
    fs.rmSync(snapshots(), { recursive: true, force: true });
    const script = `const { startKernel } = require("turnwise-kernel");
      const { descendants } = require("turnwise-kernel/dist/process/descendants.js");
      const fs = require("node:fs");
      const commands = (pid) => descendants(pid).map((one) => fs.readFileSync("/proc/" + one + "/cmdline", "utf8"));
      (async () => {
        const fromSnapshot = [];
        for (const round of [1, 2]) {
          const kernel = await startKernel({ cwd: process.cwd() });
          const { error } = await kernel.execute('import { recipe } from "turnwise";\\nconst wrong: number = recipe("grpo")');
          const found = commands(kernel.pid).some((one) => one.includes("--snapshot-blob") && !one.includes("--build-snapshot"));
          fromSnapshot.push([found, error.evalue.includes("TS2322")]);
          while (!fs.existsSync(${JSON.stringify(path.join(snapshots(), "types.json"))})) await new Promise((r) => setTimeout(r, 100));
          await kernel.shutdown();
        }
        console.log(JSON.stringify(fromSnapshot));
      })();`;
    return (making = runNode(["-e", script], { cwd: folder }));
  }

  it("make no snapshot for a kernel that was killed", async function () {
    if (process.platform !== "linux") skip(this, "needs Linux");
    const others = twoKernels();
    // The maker is halted, so that it cannot end by itself.
    const script = `const { startKernel } = require("turnwise-kernel");
      const { descendants } = require("turnwise-kernel/dist/process/descendants.js");
      const fs = require("node:fs");
      const command = (pid) => { try { return fs.readFileSync("/proc/" + pid + "/cmdline", "utf8") } catch { return "" } };
      (async () => {
        const kernel = await startKernel({ cwd: process.cwd() });
        let maker;
        while (!(maker = descendants(kernel.pid).find((one) => command(one).includes("--build-snapshot"))))
          await new Promise((r) => setTimeout(r, 20));
        process.kill(maker, "SIGSTOP");
        const all = descendants(kernel.pid);
        process.kill(kernel.pid, "SIGKILL");
        console.log(JSON.stringify(all));
        await kernel.kill();
      })();`;
    const { stdout, stderr, code } = await runNode(["-e", script], { cwd: folder });
    assert.equal(code, 0, stderr);
    const all = JSON.parse(stdout) as number[];
    assert.ok(all.length >= 4, "session, type service, the maker and Node, which it has called");
    await until("the end of all", () => !all.some(isRunning));
    await others;
  });

  it("make the snapshot of the type service while the first kernel works, and start the next one from it", async function () {
    if (process.platform !== "linux") skip(this, "needs Linux");
    const { stdout, stderr, code } = await twoKernels();
    assert.equal(code, 0, stderr);
    assert.deepEqual(JSON.parse(stdout), [
      [false, true],
      [true, true],
    ]);
  });

  it("bring the turnwise command, which installs a kernelspec of that copy and compiles the network kernels", async () => {
    const bin = path.join(folder, "node_modules", "turnwise", "bin", "turnwise.cjs");
    const installed = await runNode([bin, "install", "--prefix", folder], { cwd: folder });
    assert.equal(installed.code, 0, installed.stderr);
    const spec = fs.readFileSync(
      path.join(folder, "share", "jupyter", "kernels", "turnwise", "kernel.json"),
      "utf8",
    );
    const { argv } = JSON.parse(spec) as { argv: string[] };
    assert.equal(
      fs.realpathSync(argv[1]),
      fs.realpathSync(path.join(folder, "node_modules", "turnwise-kernel", "dist", "front", "main.js")),
    );
    // Where there is no compiler, or a processor that nothing is compiled for, the line says so.
    assert.match(
      installed.stdout,
      /^Preparing turnwise \.\.\. network kernels(?: compiled for [\w-]+|: .+), [\d.]+ s$/m,
    );
    const compiler = await run("cc", ["--version"]).catch(() => undefined);
    if (compiler?.code === 0)
      assert.doesNotMatch(installed.stdout, /there is no C compiler|could not compile/);
    const doctor = await runNode([bin, "doctor"], { cwd: folder });
    assert.doesNotMatch(doctor.stdout, ofRepository);
  });

  it("bring the course, which turnwise new copies without the repository", async () => {
    const bin = path.join(folder, "node_modules", "turnwise", "bin", "turnwise.cjs");
    const made = await runNode([bin, "new", "course"], { cwd: folder });
    assert.equal(made.code, 0, made.stderr);
    for (const name of ["notebooks/00-start-here.ipynb", "notebooks/exercises/01-leave-one-out.ipynb"]) {
      assert.equal(
        fs.readFileSync(path.join(folder, "course", name), "utf8"),
        fs.readFileSync(path.join(root, name), "utf8"),
      );
    }
    assert.deepEqual(
      fs.readFileSync(path.join(folder, "course", "datasets", "logs", "trl.jsonl")),
      fs.readFileSync(path.join(root, "datasets", "logs", "trl.jsonl")),
    );
  });
});
