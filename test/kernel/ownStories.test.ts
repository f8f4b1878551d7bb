import assert from "node:assert/strict";
import { startKernel, type KernelClient } from "turnwise-kernel";
import { linesOf, quickStories } from "./stories.js";
import { tell } from "./tellStory.js";
import { sharedKernel, temporaryFolder } from "./with-kernel.js";

describe("a researcher with an idea", function () {
  this.timeout(60_000);
  const folder = temporaryFolder();
  const kernel = sharedKernel(() => ({ cwd: folder() }));

  for (const story of quickStories) {
    it(`${story.title}: ${String(linesOf(story))} lines`, async () => {
      await tell(kernel(), story);
    });
  }
});

describe("a researcher who mistypes", function () {
  this.timeout(60_000);
  const folder = temporaryFolder();
  let kernel: KernelClient;
  before(async () => {
    kernel = await startKernel({ cwd: folder() });
    const { status, error } = await kernel.execute(
      `import { autodiffPolicy, custom, GameEnv, liveCurve, make, recipe, register, sweep, train, trainSeeds } from "turnwise";
       const small = { env: "LookUp-v0", recipe: "grpo" } as const;
       const one = async (cells: Parameters<typeof recipe>[1], more: object = {}) => {
         for await (const record of train({ env: "LookUp-v0", recipe: recipe("grpo", cells), updates: 2, ...more })) record;
       };`,
    );
    assert.equal(status, "ok", error?.evalue);
  });
  after(() => kernel.shutdown());

  const own = (f: string): string => `await one({ advantage: custom("mine", ${f}) });`;
  const mistakes: readonly (readonly [string, string, RegExp])[] = [
    [
      "an advantage of the wrong shape",
      own("() => [1, 2, 3]"),
      /^TypeError: Cannot apply advantage "mine": it must return numbers of shape \[N\] or .*, but it returned 3 numbers\.$/,
    ],
    [
      "NaN in a kept cell",
      own("({ return_n }) => return_n.map(() => NaN)"),
      /^RangeError: Cannot apply advantage "mine": it must return finite numbers, but trajectory 0 is NaN\.$/,
    ],
    [
      "a dependence on masked cells",
      own("({ token_ntl, return_n }) => return_n.map(() => token_ntl.reduce((a, b) => a + b, 0))"),
      /^RangeError: Cannot apply advantage "mine": .*mask/,
    ],
    [
      "a function that throws",
      own('() => { throw new Error("not yet"); }'),
      /^Error: Cannot apply advantage "mine": .*not yet/,
    ],
    [
      "a gate that leaves the tensors' shape",
      'await one({ gate: custom("mine", (tf, { ratio }) => tf.sum(ratio)) });',
      /^TypeError: Cannot apply gate "mine": .*one number for each token/,
    ],
    [
      "a gate that nothing moves",
      'await one({ gate: custom("mine", (tf, { ratio, stopGradient }) => stopGradient(ratio)) });',
      /^TypeError: Cannot apply gate "mine": it must depend on ratio or logProb outside of stopGradient/,
    ],
    [
      "a loss of more than one number",
      'await one({ loss: custom("mine", (tf, x) => x.logProb_ntl) });',
      /^TypeError: Cannot .*"mine": .*one number/,
    ],
    [
      "a loss over masked cells",
      'await one({ loss: custom("mine", (tf, x) => tf.mean(tf.exp(x.logProb_ntl))) });',
      /^RangeError: Cannot .*"mine": .*mask/,
    ],
    [
      "logits of the wrong shape",
      "await one({}, { policy: autodiffPolicy({ parameters: { W: [3, 6] }, logits: (tf, { W }) => tf.sum(W, 0) }) });",
      /^TypeError: Cannot compute policy "autodiff": logits must return a tensor of shape \[B, V\]/,
    ],
    [
      "a world id of the library's",
      'register("Tiger-v0", () => make("LookUp-v0"));',
      /^RangeError: Cannot register "Tiger-v0": the library's own worlds cannot be replaced\./,
    ],
    [
      "a world that is not there",
      'make("LokUp-v0");',
      /^RangeError: Cannot make "LokUp-v0": the id is not registered\.\nDid you mean "LookUp-v0"\?$/,
    ],
    [
      "a piece from a cell in a sweep",
      'await sweep({ recipe: recipe("grpo", { advantage: custom("mine", (b) => b.return_n) }), env: "LookUp-v0", updates: 2, seeds: 2 });',
      /^RangeError: Cannot sweep on other threads: .*"mine" lives only in a cell; begin its cell with the line "%%module mine\.ts"/,
    ],
    [
      "a world from a cell in a sweep",
      `register("CellLookUp-v0", (options) => make("LookUp-v0", options));
await sweep({ recipe: "grpo", env: "CellLookUp-v0", updates: 2, seeds: 2 });`,
      /^RangeError: Cannot sweep on other threads: .*, but the world "CellLookUp-v0" is registered only in a cell; begin the cell that registers it with the line "%%module mine\.ts"/,
    ],
    [
      "a plan with a module that is not there",
      'await sweep({ recipe: "grpo", env: "LookUp-v0", updates: 2, seeds: 2, modules: ["./no.ts"] });',
      /^RangeError: Cannot sweep: the module must be found from .*, got "\.\/no\.ts"\.$/,
    ],
    [
      "an import from a module that is not there",
      'import { row } from "./no";',
      /TS2307: Cannot find module '\.\/no'/,
    ],
    [
      "an unknown ending of a chart's file",
      'await liveCurve({ metric: "reward/mean" }).save("mine.gif");',
      /^RangeError: Cannot save a chart: its path must end in \.svg, \.png, \.pdf or \.json, got "mine\.gif"\.$/,
    ],
    [
      "an unknown ending of a file of records",
      'await (await trainSeeds({ env: "LookUp-v0", recipe: "grpo", updates: 1 }, 1)).save("mine.xls");',
      /^RangeError: Cannot save records: .*\.csv, .*, got "mine\.xls"/,
    ],
    [
      "seeds of another setting",
      "await trainSeeds({ ...small, updates: 2 }, 2, { resume: await trainSeeds({ ...small, updates: 1 }, 1) });",
      /^RangeError: Cannot go on with these seeds: the setting must be the one that they were trained with, but it has another updates\.$/,
    ],
  ];
  for (const [what, code, sentence] of mistakes) {
    it(`reads in a sentence what was wrong: ${what}`, async () => {
      const { error } = await kernel.execute(code);
      assert.match(error ? `${error.ename}: ${error.evalue}` : "no error", sentence);
    });
  }

  const complete = async (code: string): Promise<readonly (readonly [string, string])[]> => {
    const { content } = await kernel.request("shell", "complete_request", { code, cursor_pos: code.length });
    const types = (content.metadata as { _jupyter_types_experimental?: { text: string; type: string }[] })
      ._jupyter_types_experimental;
    return (types ?? []).map(({ text, type }) => [text, type]);
  };

  it("is offered what an own function gets, as she types it", async () => {
    const names = async (code: string): Promise<string[]> => (await complete(code)).map(([text]) => text);
    const batch = await names('recipe("grpo", { advantage: custom("x", (batch) => batch.');
    for (const name of ["return_n", "reward_nt", "mask_ntl", "groupId"])
      assert.ok(batch.includes(name), name);
    const loss = await names('recipe("grpo", { loss: custom("x", (tf, x) => x.');
    for (const name of [
      "logProb_ntl",
      "oldLogProb_ntl",
      "advantage_ntl",
      "mask_ntl",
      "entropy_ntl",
      "value_nt",
    ])
      assert.ok(loss.includes(name), name);
    const gate = await names('recipe("grpo", { gate: custom("x", (tf, x) => x.');
    assert.deepEqual(gate.slice(0, 4).sort(), ["advantage", "logProb", "ratio", "stopGradient"]);
    const input = await names("autodiffPolicy({ parameters: { W: [3, 6] }, logits: (tf, p, x) => x.");
    for (const name of ["features", "tokens", "place"]) assert.ok(input.includes(name), name);
  });

  it("reads the types of what an own function gets", async () => {
    const code = 'recipe("grpo", { loss: custom("x", (tf, x) => tf.neg(x.logProb_ntl)) })';
    const asked = { code, cursor_pos: code.indexOf("logProb_ntl") + 2, detail_level: 0 };
    const { content } = await kernel.request("shell", "inspect_request", asked);
    assert.match(String((content.data as Record<string, string>)["text/plain"]), /logProb_ntl: .*Tensor3D/);
  });
});
