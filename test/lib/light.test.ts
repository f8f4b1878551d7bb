import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { runNode } from "../support/command.js";
import { root } from "../support/paths.js";

/** What a fresh process prints. */
async function printed(...args: string[]): Promise<string> {
  const { stdout, stderr, code } = await runNode(args, { cwd: root });
  assert.equal(code, 0, stderr);
  return stdout.trim();
}

const loadedBy = (statements: string): Promise<string> =>
  printed("-e", `${statements}; console.log(JSON.stringify(Object.keys(require.cache)))`);

describe("loading turnwise", () => {
  // Naming a function in a cell must not cost a second: 300 modules are what a laptop reads in a third of one.
  it("reads at most 300 modules, and TensorFlow.js is none of them", async () => {
    const modules = JSON.parse(await loadedBy('require("turnwise")')) as string[];
    assert.ok(modules.length <= 300, `${modules.length} modules`);
    assert.deepEqual(
      modules.filter((one) => one.includes("@tensorflow") || one.includes("vega")),
      [],
    );
    const readme = readFileSync(path.join(root, "lib/turnwise/README.md"), "utf8");
    assert.equal(/`require\("turnwise"\)` reads (\d+) files/.exec(readme)?.[1], String(modules.length));
  });

  it("reads what a function needs when it is first used", async () => {
    const modules = JSON.parse(await loadedBy('require("turnwise").make("Tiger-v0")')) as string[];
    assert.ok(modules.length <= 150, `${modules.length} modules`);
  });

  it("shows rules as cards to a kernel that has loaded nothing else", async () => {
    const card =
      'globalThis[Symbol.for("turnwise.cards")](t.recipe("grpo"))[Symbol.for("Jupyter.display")]()';
    const kinds = await printed(
      "-e",
      `const t = require("turnwise"); console.log(Object.keys(${card}).join())`,
    );
    assert.match(kinds, /text\/html/);
  });

  it("gives an ES module of Node each name, and the same functions as require", async () => {
    const script = `import { createRequire } from "node:module";
      import * as all from "turnwise";
      import { make, tf, train } from "turnwise";
      const lib = createRequire(process.cwd() + "/package.json")("turnwise");
      const missing = Object.keys(lib).filter((name) => all[name] !== lib[name]);
      console.log(JSON.stringify({ missing, same: [make === lib.make, tf === lib.tf, train === lib.train] }));`;
    assert.deepEqual(JSON.parse(await printed("--input-type=module", "-e", script)), {
      missing: [],
      same: [true, true, true],
    });
  });
});
