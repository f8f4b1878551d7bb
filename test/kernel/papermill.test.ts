import assert from "node:assert/strict";
import { pythonParameters } from "turnwise-kernel/dist/types/python-parameters.js";
import { plain, resultText, sharedKernel } from "./with-kernel.js";

describe("parameters that papermill writes", function () {
  this.timeout(60_000);
  const kernel = sharedKernel();

  // What papermill 2.6 writes with --language python.
  const cell = `# Parameters
rate = 0.1
name = "it's True, \\"None\\" # no comment"
flag = True
nothing = None
seeds = [0, 1, 2]
options = {"nested": {"on": False}, "far": float('-inf')}
`;

  it("become variables of the notebook, line by line", () => {
    assert.equal(
      pythonParameters(cell),
      `// Parameters
var rate = 0.1
var name = "it's True, \\"None\\" # no comment"
var flag = true
var nothing = null
var seeds = [0, 1, 2]
var options = {"nested": {"on": false}, "far": -Infinity}
`,
    );
    assert.equal(
      pythonParameters("# Parameters\nseeds = [\n    1,\n    True,\n]\n"),
      "// Parameters\nvar seeds = [\n    1,\n    true,\n]\n",
    );
  });

  it("replace those of the cell before, and have types", async () => {
    await kernel().execute("const rate = 0.5, seeds = [7];");
    const given = await kernel().execute(cell);
    assert.equal(given.status, "ok", plain(given.error?.traceback));
    assert.equal(
      resultText(await kernel().execute("[rate, seeds.length, options.nested.on]")),
      "[ 0.1, 3, false ]",
    );
    assert.match((await kernel().execute("rate.length")).error!.evalue, /TS2339/);
  });

  it("are no other cell: one that begins with a number sign is the error that it was", async () => {
    for (const code of [
      "# a heading\nf(1)",
      "#private = 1",
      "#!/usr/bin/env node\n1",
      "const a = 1;\n# Parameters\nb = 2",
    ])
      assert.equal(pythonParameters(code), undefined, code);
    assert.equal((await kernel().execute("# a heading\nf(1)")).error?.ename, "SyntaxError");
  });
});
