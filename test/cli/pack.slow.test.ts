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

describe("the published packages", function () {
  this.timeout(300_000);
  this.slow(60_000);
  let folder = "";

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
  });

  after(removeTemporaryFolders);

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
    const frames = /danfojs-node must be installed\.\nnpm install danfojs-node@/;
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

  it("bring the turnwise command, which installs a kernelspec of that copy", async () => {
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
  });
});
