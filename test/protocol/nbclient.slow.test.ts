import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { run } from "turnwise-kernel/bootstrap/command.cjs";
import { writeKernelspec } from "turnwise-kernel/dist/cli/kernelspec.js";
import { patient } from "../support/patient.js";
import { pythonWith } from "../support/python.js";
import { root } from "../support/paths.js";
import { temporaryFolder } from "../kernel/with-kernel.js";

const scripts = path.join(root, "test", "protocol", "python");

describe("Jupyter's own tools", function () {
  this.timeout(240_000);
  const folder = temporaryFolder();
  let python = "";
  let env: NodeJS.ProcessEnv;

  before(async function () {
    python = await pythonWith(this, "protocolTests");
    writeKernelspec(path.join(folder(), "share"), "turnwise");
    env = {
      ...process.env,
      JUPYTER_PATH: path.join(folder(), "share"),
      HOME: folder(),
      PYTHONWARNINGS: "ignore",
    };
  });

  it("nbclient runs a notebook in order, past a cell that may fail, and nbconvert turns it into HTML", async () => {
    const cell = (source: string, tags: string[] = []): object => ({
      cell_type: "code",
      id: `c${source.length}`,
      metadata: { tags },
      execution_count: null,
      outputs: [],
      source,
    });
    const notebook = {
      nbformat: 4,
      nbformat_minor: 5,
      metadata: { kernelspec: { name: "turnwise", display_name: "TypeScript", language: "typescript" } },
      cells: [
        cell("let order: number[] = [1]"),
        cell("order.push(2)\nthrow new Error('allowed')", ["raises-exception"]),
        cell("order.push(3)\norder.join()"),
        cell("for (let i = 0; i < 3_000; i++) console.log('line', i)"),
      ],
    };
    const source = path.join(folder(), "in.ipynb");
    const html = path.join(folder(), "out.html");
    fs.writeFileSync(source, JSON.stringify(notebook));
    const { code, output } = await run(python, [path.join(scripts, "run_notebook.py"), source, html], {
      cwd: folder(),
      env,
      timeoutMs: patient(120_000),
    });
    assert.equal(code, 0, output);
    const cells = JSON.parse(output.trim().split("\n").at(-1)!) as [number, Record<string, unknown>[]][];
    assert.deepEqual(
      cells.map(([count]) => count),
      [1, 2, 3, 4],
    );
    assert.equal(cells[1]![1][0]!.ename, "Error");
    assert.deepEqual(cells[2]![1][0]!.data, { "text/plain": "'1,2,3'" });
    // nbclient keeps one stream output for each message.
    const printed = cells[3]![1].map((output) => String(output.text)).join("");
    assert.equal(printed.trimEnd().split("\n").length, 3_000);
    assert.match(fs.readFileSync(html, "utf8"), /1,2,3/);
  });
});
