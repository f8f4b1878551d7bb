import assert from "node:assert/strict";
import { join } from "node:path";
import { offeredIn, refusalIn } from "./hinted.js";
import { repository, sharedKernel } from "./with-kernel.js";

describe("errors that one can act on", function () {
  this.timeout(90_000);
  const kernel = sharedKernel({ cwd: join(repository, "notebooks") });

  const refusal = refusalIn(kernel);
  const setting = `env: "LookUp-v0", recipe: "grpo", updates: 2`;

  const python: readonly (readonly [cell: string, instead: RegExp])[] = [
    [
      "import numpy as np",
      /expected\. This looks like Python\. In TypeScript: import \* as name from "package"/,
    ],
    ["from math import sqrt", /In TypeScript: import \{ name \} from/],
    ["def f(x):\n    return x + 1", /In TypeScript: function name/],
    ["const xs = [1, 2];\nfor x in xs:\n    console.log(x)", /In TypeScript: for \(const x of xs\)/],
    ["if 1 > 2:\n    console.log(1)", /In TypeScript: if \(condition\)/],
    ["[x * 2 for x in [1, 2]]", /In TypeScript: xs\.map/],
    ['f"{1 + 1}"', /In TypeScript: `text and \$\{value\}`/],
    ["print(1)", /Cannot find name 'print'\. Write console\.log\(value\)/],
    ["len([1])", /Write xs\.length/],
    ["np.mean([1])", /Arrays have map/],
    ["const a = True", /Write true/],
  ];
  for (const [cell, instead] of python) {
    it(`say what to write instead of Python's ${JSON.stringify(cell)}`, async () => {
      assert.match(await refusal(cell), instead);
    });
  }

  it("say nothing of Python where there is none", async () => {
    for (const cell of [
      "const a = (1",
      "for (const x in [1] {",
      "import x as y from 'z'",
      "if (1 {}",
      "a b c",
    ]) {
      assert.doesNotMatch(await refusal(cell), /Python/, cell);
    }
  });

  it("say of an installed package that it has no such module, and of any other how to install it", async () => {
    assert.match(
      await refusal('import x from "ws/nothing"'),
      /TS2307: .*\. ws is installed, but has no such module\n/,
    );
    assert.match(await refusal('import x from "far-away/nothing"'), /Install it: %install far-away\n/);
  });

  it("say where a name that was not imported comes from", async () => {
    assert.match(
      await refusal(`trainSeeds({ ${setting} }, 3)`),
      /^cell_\d+\.ts:1:1 - TS2304: Cannot find name 'trainSeeds'\. Import it: import \{ trainSeeds \} from "turnwise"\n/,
    );
    assert.match(await refusal("exactRule"), /Import it: import \{ exactRule \} from "turnwise\/exact"/);
    // Of Node's own modules, too: the one that gives promises first, and the whole one by its own name.
    assert.match(await refusal("readFileSync('x')"), /Import it: import \{ readFileSync \} from "node:fs"\n/);
    assert.match(
      await refusal("readFile('x')"),
      /Import it: import \{ readFile \} from "node:fs\/promises"\n/,
    );
    assert.match(await refusal("new Worker('./w.ts')"), /node:worker_threads"\. It is Node's: .* parentPort/);
    assert.match(await refusal("self.name"), /Cannot find name 'self'\. Write globalThis\n/);
    assert.match(
      await refusal("ijs.display.html('a')"),
      /Cannot find name 'ijs'\. Write display\(value\), html/,
    );
    assert.match(await refusal("document.body"), /does not have it\. Make one: %install linkedom/);
    assert.match(await refusal("path.join('a')"), /Import it: import \* as path from "node:path"\n/);
    assert.match(
      await refusal("new EventEmitter()"),
      /Import it: import \{ EventEmitter \} from "node:events"\n/,
    );
    assert.match(
      await refusal("const x = nowhereAtAll"),
      /Cannot find name 'nowhereAtAll'\. No cell that has run declares it\n/,
    );
  });

  it("take no longer for many names than for one", async () => {
    const took = async (names: number): Promise<number> => {
      const begun = performance.now();
      await refusal(Array.from({ length: names }, (_, i) => `unknownName${names}x${i}()`).join("\n"));
      return performance.now() - begun;
    };
    await took(1);
    const one = Math.max(await took(1), await took(1), 200);
    // Asked one by one, they would take forty times as long.
    assert.ok((await took(40)) < 8 * one);
  });

  it("refuse it by its name also where it comes from JSON or a variable", async () => {
    await kernel().execute('import { make, recipe, sweep, train } from "turnwise"');
    assert.match(
      await refusal(
        `train(JSON.parse('{ "env": "LookUp-v0", "recipe": "grpo", "updates": 2, "group_size": 3 }'))`,
      ),
      /unknown option "group_size"\.\nDid you mean "groupSize"\?/,
    );
    assert.match(
      await refusal(`const typed = { ${setting}, learningRate: 3 } as const; train(typed)`),
      /unknown option "learningRate"\.\nIt belongs to the rule: recipe\("grpo", \{ update: \{ optimizer: \{ learningRate: 3 \} \} \}\)/,
    );
    assert.match(
      await refusal(`sweep(JSON.parse('{ "env": "LookUp-v0", "recipe": "grpo", "update": 2, "seeds": 1 }'))`),
      /unknown option "update"\.\nDid you mean "updates"\?/,
    );
    assert.match(
      await refusal(`const loose = { ${setting} }; train(loose)`),
      /write the object with as const behind it, \{ \.\.\. \} as const/,
    );
  });

  it("show the line of the cell, however deep in the library they are thrown", async () => {
    const deep = await refusal(
      `const first = 1;\nrecipe("grpo", JSON.parse('{ "update": { "optimizer": { "kind": "adam", "learningrat": 3 } } }'))`,
    );
    assert.match(
      deep,
      /learningrat"\.\nDid you mean "learningRate"\?\n {2}1 \| const first = 1;\n {2}2 \| recipe\("grpo"/,
    );
    assert.match(deep, /\n {4}\.\.\. \d+ more\n {4}at cell_\d+\.ts:2:1$/);
    const later = await refusal(
      `const two = 2;\nawait Promise.all([1].map(async () => { await null; throw new TypeError("later"); }))`,
    );
    assert.match(later, /^TypeError: later\n {2}1 \| const two = 2;\n {2}2 \| await/);
  });
});

describe("Tab inside quotes and options", function () {
  this.timeout(90_000);
  const kernel = sharedKernel({ cwd: join(repository, "notebooks") });

  const offered = offeredIn(kernel);

  before(async () => {
    await kernel().execute(
      `import { learningCurve, make, recipe, sweep, sweepTable, train, trainSeeds } from "turnwise";`,
    );
  });

  it("completes the ids of worlds, with a quote that is open or closed, half typed or not", async () => {
    for (const text of [
      "make('|')",
      "make('|",
      "train({ env: '|' })",
      'trainSeeds({ env: "|" }, 3)',
      "sweep({ env: '|' })",
    ]) {
      const { matches } = await offered(text);
      assert.equal(matches.length, 16, text);
      assert.ok(matches.includes("LookUp-v0"), text);
    }
    assert.deepEqual(await offered('make("Look|")'), { matches: ["LookUp-v0"], replaced: "Look" });
    assert.deepEqual(await offered('make("LookUp-v|")'), { matches: ["LookUp-v0"], replaced: "LookUp-v" });
  });

  it("completes the options of train and of a world", async () => {
    assert.ok((await offered("train({ | })")).matches.includes("groupSize"));
    const { matches, replaced } = await offered('make("LookUp-v0", { | })');
    assert.deepEqual(matches, [
      "facts",
      "maxTurns",
      "passReward",
      "toolReliability",
      "turnCost",
      "wrongPenalty",
    ]);
    assert.equal(replaced, "");
    assert.ok((await offered('train({ policy: { kind: "|" } })')).matches.includes("transformer"));
  });

  it("completes metric names, past their slash as well", async () => {
    assert.ok((await offered('learningCurve([], { metric: "|" })')).matches.includes("return/exact"));
    assert.ok((await offered('sweep({ metric: "|" })')).matches.includes("return/exact"));
    assert.deepEqual(await offered('for await (const { metrics } of train({})) metrics["policy/cl|"]'), {
      matches: [
        "policy/clipFrac",
        "policy/clipFracDual",
        "policy/clipFracHigh",
        "policy/clipFracLow",
        "policy/clippedGradNorm",
      ],
      replaced: "policy/cl",
    });
  });
});
