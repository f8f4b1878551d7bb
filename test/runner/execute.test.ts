import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { startKernel, type KernelClient } from "turnwise-kernel";
import { executeNotebook } from "turnwise-kernel/dist/runner/execute.js";
import { stringifyNotebook, readNotebook, type Notebook } from "turnwise-kernel/dist/runner/notebook.js";
import { removeTemporaryFolders, temporaryFolder, turnwise } from "../support/command.js";
import { code, markdown, notebookOf } from "../support/notebook.js";
import { root } from "../support/paths.js";
import { patient } from "../support/patient.js";
import { isRunning, until } from "../support/process.js";
import { skip } from "../support/needs.js";

/** Most tests here need no types, and reading these is most of what a kernel does at its start. */
const untyped = { ...process.env, TURNWISE_TYPES: "off" };

const run = (notebook: Notebook): ReturnType<typeof executeNotebook> =>
  executeNotebook(notebook, { cwd: root, budgetMs: patient(60_000), env: untyped });

/** A kernel that has run a cell, and that is interrupted only after the next one has printed something. */
async function warmKernel(): Promise<KernelClient> {
  const kernel = await startKernel({ cwd: root, env: untyped, startTimeoutMs: patient(30_000) });
  await kernel.execute("1");
  const printed = new Promise<void>((resolve) => {
    kernel.onMessage(({ header }) => {
      if (header.msg_type === "stream") resolve();
    });
  });
  const interrupt = kernel.interrupt.bind(kernel);
  kernel.interrupt = async () => {
    await printed;
    await interrupt();
  };
  return kernel;
}

describe("running a notebook", function () {
  this.timeout(240_000);
  this.slow(10_000);

  it("runs the code cells in order in one kernel and stores outputs and counts", async () => {
    const notebook = notebookOf(
      markdown("# A"),
      code("let a = 20;"),
      code(""),
      code("console.log(a);\na + 22"),
    );
    const {
      notebook: executed,
      failures,
      language,
    } = await executeNotebook(notebook, {
      cwd: root,
      budgetMs: patient(60_000),
    });
    assert.deepEqual(failures, []);
    assert.equal(language.name, "typescript");
    assert.deepEqual(
      executed.cells.map((cell) => cell.execution_count),
      [undefined, 1, null, 2],
    );
    const [printed, result] = executed.cells[3].outputs!;
    assert.deepEqual(printed, { output_type: "stream", name: "stdout", text: "20\n" });
    assert.equal(result.output_type === "execute_result" && result.data["text/plain"], "42");
    assert.deepEqual(notebook.cells[1].execution_count, null, "the notebook given is not changed");
  });

  it("fails on an error output, says where it was raised and how many cells did not run", async () => {
    const { notebook, failures } = await run(
      notebookOf(code("let a = 1;"), code("// boom\nthrow new RangeError('too far')"), code("a"), code("a")),
    );
    assert.equal(failures.length, 2);
    assert.match(failures[0], /^Cell 2 of 4 \(\/\/ boom\) raised RangeError: too far\n/);
    assert.equal(failures[1], "2 of 4 cells did not run");
    assert.equal(notebook.cells[1].outputs?.at(-1)?.output_type, "error");
    assert.equal(notebook.cells[2].execution_count, null);
  });

  it("goes on after an error in a cell tagged raises-exception, and leaves out one tagged skip-execution", async () => {
    const { notebook, failures } = await run(
      notebookOf(
        code("throw new Error('shown to learners')", "raises-exception"),
        code("process.exit(1)", "skip-execution"),
        code("1 + 1"),
      ),
    );
    assert.deepEqual(failures, []);
    assert.equal(notebook.cells[0].outputs?.at(-1)?.output_type, "error");
    assert.equal(notebook.cells[1].execution_count, null);
    assert.equal(notebook.cells[2].execution_count, 2);
  });

  it("stops a cell that exceeds the time budget, keeps what it printed, and says so", async () => {
    const endless = "// @ts-nocheck\nconsole.log('begun');\nfor (;;) {}";
    // It starts before the budget begins to be used, and so prints long before the kernel would be killed.
    const kernel = await warmKernel();
    const { notebook, failures } = await executeNotebook(notebookOf(code(endless), code("2")), {
      ...{ cwd: root, budgetMs: 3_000 },
      start: () => Promise.resolve(kernel),
    });
    assert.deepEqual(failures, [
      "Cell 1 of 2 (// @ts-nocheck) exceeded the notebook's time budget of 3 s",
      "1 of 2 cells did not run",
    ]);
    assert.deepEqual(notebook.cells[0].outputs?.[0], {
      output_type: "stream",
      name: "stdout",
      text: "begun\n",
    });
  });

  it("fails when the cells' process ends", async () => {
    const { failures } = await run(notebookOf(code("process.exit(3)"), code("1")));
    assert.match(failures[0], /^Cell 1 of 2 \(process\.exit\(3\)\) (raised|did not end)/);
    assert.equal(failures.at(-1), "1 of 2 cells did not run");
  });

  it("fails when an error comes after its cell has ended", async () => {
    const late = "const timer = setTimeout(() => { throw new Error('late'); }, 20);";
    const { failures } = await run(
      notebookOf(code(late), code("await new Promise((r) => setTimeout(r, 100));")),
    );
    assert.deepEqual(failures, [`Cell 1 of 2 (${late}) left an error behind: Error: late`]);
  });
});

describe("turnwise run", function () {
  this.timeout(240_000);
  this.slow(15_000);
  after(removeTemporaryFolders);

  function folderWith(notebooks: Record<string, Notebook>): string {
    const folder = temporaryFolder("turn wise");
    for (const [name, notebook] of Object.entries(notebooks)) {
      fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      fs.writeFileSync(path.join(folder, name), stringifyNotebook(notebook));
    }
    return folder;
  }

  it("sets parameters, writes notebook and page, and prints a line per cell", async () => {
    const folder = folderWith({
      "deep/a.ipynb": notebookOf(markdown("# Doubling"), code("let lr = 0.1;", "parameters"), code("lr * 2")),
    });
    const out = path.join(folder, "results");
    const { code: exit, stdout, stderr } = await turnwise(["run", folder, "-p", "lr=21", "--out", out]);
    assert.equal(exit, 0, stderr);
    assert.match(stdout, /^deep\/a \[1\/3\] let lr = 0\.1; \.\.\. \d+\.\d s$/m);
    assert.match(stdout, /^deep\/a \[3\/3\] lr \* 2 \.\.\. /m);
    assert.match(stdout, /^1 notebook passed, 0 failed\n$/m);
    const executed = readNotebook(path.join(out, "deep", "a.ipynb"));
    assert.deepEqual(
      executed.cells.map((cell) => cell.execution_count),
      [undefined, 1, 2, 3],
    );
    assert.match(
      fs.readFileSync(path.join(out, "deep", "a.html"), "utf8"),
      /<h1 id="Doubling">[\s\S]*<pre>42<\/pre>/,
    );
    const committed = readNotebook(path.join(folder, "deep", "a.ipynb"));
    assert.equal(committed.cells.length, 3, "the notebook itself is not touched");
  });

  it("with --write stores the outputs in the notebook itself, the same each time", async () => {
    const notebook = notebookOf(code("1 + 1"), code("console.log('x')"));
    delete notebook.cells[0].id;
    const folder = folderWith({ "a.ipynb": notebook });
    const file = path.join(folder, "a.ipynb");
    const args = ["run", file, "--write", "--out", path.join(folder, "out")];
    assert.equal((await turnwise(args, { env: untyped })).code, 0);
    const first = fs.readFileSync(file, "utf8");
    assert.match(first, /"execution_count": 2/);
    assert.equal((await turnwise(args, { env: untyped })).code, 0);
    assert.equal(fs.readFileSync(file, "utf8"), first);
  });

  it("exits with 1 when a notebook fails, still runs the others, and stores nothing in the failed one", async () => {
    const folder = folderWith({
      "a.ipynb": notebookOf(code("throw new Error('no')")),
      "b.ipynb": notebookOf(code("1")),
    });
    const before = fs.readFileSync(path.join(folder, "a.ipynb"), "utf8");
    const {
      code: exit,
      stdout,
      stderr,
    } = await turnwise(["run", folder, "--write", "--out", path.join(folder, "out")], { env: untyped });
    assert.equal(exit, 1);
    assert.match(stderr, /^a\.ipynb: Cell 1 of 1 \(throw new Error\('no'\)\) raised Error: no\n/);
    assert.match(stdout, /^1 notebook passed, 1 failed$/m);
    assert.equal(fs.readFileSync(path.join(folder, "a.ipynb"), "utf8"), before);
    assert.ok(fs.existsSync(path.join(folder, "out", "a.html")), "a failed one has its page, too");
  });

  it("goes on after errors with --allow-errors, and says which cells had one", async () => {
    const folder = folderWith({ "a.ipynb": notebookOf(code("throw new Error('no')"), code("6 * 7")) });
    const out = path.join(folder, "out");
    const ended = await turnwise(["run", folder, "--allow-errors", "--out", out], { env: untyped });
    assert.equal(ended.code, 0, ended.stderr);
    assert.equal(ended.stderr, "a.ipynb: Cell 1 of 2 (throw new Error('no')) raised Error: no\n");
    assert.match(ended.stdout, /^1 notebook passed, 0 failed, 1 cell ended in an error$/m);
    const { cells } = readNotebook(path.join(out, "a.ipynb"));
    assert.deepEqual(
      cells.map(({ outputs = [] }) => outputs[0]!.output_type),
      ["error", "execute_result"],
    );
  });

  it("reads the cells as the kernel does that the notebook names, and leaves that name", async () => {
    const kernelspec = { name: "javascript", display_name: "Javascript (Node.js)", language: "javascript" };
    const notebook = {
      ...notebookOf(code("madeGlobal = 1"), code("madeGlobal + 1")),
      metadata: { kernelspec },
    };
    const folder = folderWith({ "a.ipynb": notebook });
    const { code: exit, stderr } = await turnwise([
      "run",
      folder,
      "--write",
      "--out",
      path.join(folder, "out"),
    ]);
    assert.equal(exit, 0, stderr);
    assert.deepEqual(readNotebook(path.join(folder, "a.ipynb")).metadata, { kernelspec });
  });

  it("leaves no kernel behind when it is stopped from outside", async function () {
    if (process.platform === "win32") skip(this, "needs a POSIX system");
    const folder = temporaryFolder("turn wise");
    const bin = path.join(root, "lib", "turnwise", "bin", "turnwise.cjs");
    const mark = path.join(folder, "pids");
    const endless = code(
      `require("fs").writeFileSync(${JSON.stringify(mark)}, process.ppid + " " + process.pid); for (;;) {}`,
    );
    fs.writeFileSync(path.join(folder, "a.ipynb"), stringifyNotebook(notebookOf(endless)));
    const child = spawn(process.execPath, [bin, "run", folder, "--out", path.join(folder, "out")], {
      stdio: "ignore",
      env: untyped,
    });
    await until(
      "the cell to run",
      () => fs.existsSync(mark) && fs.readFileSync(mark, "utf8").includes(" "),
      60_000,
    );
    const pids = fs.readFileSync(mark, "utf8").split(" ").map(Number);
    child.kill("SIGTERM");
    await until("the end of the kernel", () => !pids.some(isRunning), 20_000);
  });

  it("says in a sentence what it cannot run", async () => {
    const folder = folderWith({ "a.ipynb": { ...notebookOf(code("1")), nbformat: 3, nbformat_minor: 0 } });
    const cases: [string[], RegExp][] = [
      [
        ["run", folder],
        /Cannot run .*a\.ipynb: nbformat must be 4\.5, got 3\.0\. To convert it: jupyter nbconvert --to notebook --inplace a\.ipynb$/m,
      ],
      [["run", path.join(folder, "none")], /no such file or folder: .*none/],
      [["run", temporaryFolder()], /at least one \.ipynb file, but .* has none\.$/m],
      [["run", folder, "--timeout", "soon"], /--timeout must be a number of seconds above 0, got soon/],
      [
        ["run", folder, "--write", "-p", "a=1"],
        /--write must store the notebook's own values, but -p changes them\./,
      ],
    ];
    for (const [args, expected] of cases) {
      const { code: exit, stderr } = await turnwise([...args], { cwd: folder });
      assert.equal(exit, 1, args.join(" "));
      assert.match(stderr, expected);
      assert.doesNotMatch(stderr, /\n {4}at /);
    }
  });
});
