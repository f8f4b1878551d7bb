import assert from "node:assert/strict";
import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  autodiffPolicy,
  custom,
  make,
  readSweep,
  recipe,
  register,
  sweep,
  SweepError,
  TabularPolicy,
  type Recipe,
  type SweepOptions,
} from "turnwise";
import { readPlan } from "turnwise/internal/sweep/command/planFile";
import { compiledFiles } from "turnwise/internal/sweep/modules/compile";
import type { Json } from "turnwise/internal/sweep/json";
import { cellsOf } from "turnwise/internal/sweep/plan";
import { loadModules } from "turnwise/internal/sweep/modules/load";
import { keepThreads, takeThreads } from "turnwise/internal/sweep/threads";
import { removeTemporaryFolders, runNode, temporaryFolder } from "../../support/command.js";

const values = (outcome: { results: readonly { key: string; value: unknown }[] }): unknown[] =>
  outcome.results.map(({ key, value }) => [key, value]);

const pieces = `
import { autodiffPolicy, custom, recipe, type Recipe } from "turnwise";
import { power } from "./power";

export const squared = custom("squared", (batch) => batch.return_n.map((R: number) => R ** power));
export const rows: Recipe[] = [
  recipe("rloo", { advantage: custom("cubed", (batch) => batch.return_n.map((R) => R ** 3)) }),
];
export const linear = autodiffPolicy({
  name: "linear",
  parameters: ({ features, vocabulary }) => ({ W: [features, vocabulary] }),
  logits: (tf, { W }, x) => tf.matMul(x.features, W),
});
export const failing = custom("failing", (): number[] => {
  throw new RangeError("no such thing");
});
`;
const world = `
import { make, register } from "turnwise";
register("ModuleLookUp-v0", (options) => make("LookUp-v0", options));
`;

interface Mine {
  /** They fit into any cell. */
  readonly squared: never;
  readonly failing: never;
  readonly rows: readonly Recipe[];
  readonly linear: ReturnType<typeof autodiffPolicy>;
}

describe("modules of a sweep", function () {
  // A worker thread starts in a fraction of a second on an idle machine, and in many seconds on a busy one.
  this.timeout(180_000);
  const known = Symbol.for("turnwise.modules");
  const before = process.cwd();
  let folder = "";
  beforeEach(() => {
    folder = realpathSync(temporaryFolder("modules"));
    process.chdir(folder);
    write({ "mine.ts": pieces, "power.ts": "export const power: number = 2;", "world.ts": world });
  });
  afterEach(() => {
    process.chdir(before);
    Reflect.deleteProperty(globalThis, known);
  });
  after(removeTemporaryFolders);

  function write(files: Readonly<Record<string, string>>): void {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
  }
  /** As a kernel does it: loads the modules and tells the library of them. */
  function notebook(...names: string[]): Mine {
    const files = names.map((name) => join(folder, name));
    const modules = loadModules({ files, ...compiledFiles(files) });
    Object.defineProperty(globalThis, known, { value: modules, configurable: true });
    return modules.get(files[0]!) as unknown as Mine;
  }
  const short = { env: "LookUp-v0", updates: 3, groups: 2, groupSize: 4, seeds: 2 } as const;
  const options = (o: object): SweepOptions => ({ ...short, ...o }) as unknown as SweepOptions;

  it("gives the same bits over threads as in this thread, with pieces, worlds and policies of modules", async () => {
    const { squared, rows, linear } = notebook("mine.ts", "world.ts");
    const plan = options({
      env: "ModuleLookUp-v0",
      recipe: ["rloo", recipe("rloo", { advantage: squared }), ...rows],
      policy: linear,
    });
    const threads = await sweep({ ...plan, workers: 2, file: "out.jsonl" });
    const here = await sweep({ ...plan, workers: 0 });
    assert.deepEqual(
      threads.results.slice(0, 3).map(({ key }) => key),
      [
        "recipe=rloo seed=0",
        'recipe=rloo{advantage.by="squared"} seed=0',
        'recipe=rloo{advantage.by="cubed"} seed=0',
      ],
    );
    assert.deepEqual(values(threads), values(here));
    const [plain, own] = threads.results;
    assert.notDeepEqual(plain!.value, own!.value, "another advantage trains differently");
    const { grid, modules } = readSweep("out.jsonl").plan;
    assert.deepEqual(modules, ["./mine.ts", "./world.ts"]);
    assert.deepEqual(grid["policy"], { module: "./mine.ts", export: "linear" });
    const [, second, third] = grid["recipe"] as unknown as { advantage: { by: unknown } }[];
    const by = (label: string, way: string): object => ({
      custom: label,
      module: "./mine.ts",
      export: way,
    });
    assert.deepEqual(
      [second!.advantage.by, third!.advantage.by],
      [by("squared", "squared"), by("cubed", "rows.0.advantage.by")],
    );
  });

  it("names rows in tables by their own functions, where these tell them apart", () => {
    const by = (label: string): Json => ({ custom: label, module: "./mine.ts", export: label });
    const row = (advantage: Json, epochs = 1): Json => ({ name: "rloo", advantage, epochs });
    const labels = (values: readonly Json[]): string[] =>
      cellsOf({ recipe: values }).map(({ label }) => label);
    assert.deepEqual(labels(["rloo", row(by("a"), 2), row(by("b"))]), [
      "recipe=rloo",
      'recipe=rloo{advantage="a"}',
      'recipe=rloo{advantage="b"}',
    ]);
    assert.deepEqual(labels([row(by("a"), 2), row(by("a"), 3), row("plain", 3)]), [
      'recipe=rloo{advantage="a",epochs=2}',
      'recipe=rloo{advantage="a",epochs=3}',
      'recipe=rloo{advantage="plain",epochs=3}',
    ]);
    assert.deepEqual(labels([by("a"), { custom: "b" }, { module: "./mine.ts", export: "c" }]), [
      "recipe=a",
      "recipe=b",
      "recipe=c",
    ]);
  });

  it("goes on with a results file, and takes rows as they are written to JSON", async () => {
    const { squared } = notebook("mine.ts");
    const row = recipe("rloo", { advantage: squared });
    const plan = options({ recipe: row, workers: 0 });
    const whole = await sweep({ ...plan, file: "out.jsonl" });
    const again = await sweep({ ...plan, file: "out.jsonl", workers: 2 });
    assert.deepEqual(again.results, whole.results, "nothing ran again");
    const stored = JSON.parse(JSON.stringify(row)) as { advantage: { by: unknown } };
    assert.deepEqual(stored.advantage.by, { custom: "squared" });
    Reflect.deleteProperty(globalThis, known);
    write({ "plan.json": JSON.stringify({ ...short, recipe: stored, modules: ["./mine.ts"] }) });
    const { plan: read } = readPlan("plan.json");
    assert.deepEqual(read, readSweep("out.jsonl").plan);
  });

  it("finds the modules of a plan from the folder of the plan", () => {
    write({
      "sub/plan.json": JSON.stringify({ ...short, recipe: "rloo", modules: ["../mine.ts", "./near.ts"] }),
    });
    write({ "sub/near.ts": "export {};" });
    const { plan, live } = readPlan("sub/plan.json");
    assert.deepEqual(plan.modules, [join(folder, "mine.ts"), "./near.ts"]);
    assert.deepEqual(live.files, [join(folder, "mine.ts"), join(folder, "sub", "near.ts")]);
  });

  it("runs a job that is written in TypeScript", async () => {
    write({
      "job.ts": `
        import { createRng } from "turnwise";
        import { power } from "./power";
        export function job({ seed, own }: { seed: number; own: (x: number) => number }): number {
          return own(createRng(seed).split("draw").normal()) ** power;
        }
        export const double = (x: number): number => 2 * x;`,
    });
    const plan = {
      task: { module: "./job", export: "job" },
      grid: { own: [{ module: "./job.ts", export: "double" }] },
      seeds: 3,
    };
    const threads = await sweep({ ...plan, workers: 2 });
    assert.deepEqual(values(threads), values(await sweep({ ...plan, workers: 0 })));
    assert.equal(threads.results.length, 3);
  });

  it("loads a module again only when it has changed", async () => {
    const value = async (): Promise<unknown> =>
      (
        await sweep({ task: { export: "trainJob" }, grid: grid() as never, seeds: 2, workers: 2 })
      ).results.map((one) => one.value);
    const grid = (): object => {
      const { squared } = notebook("mine.ts");
      const { seeds: _, ...rest } = short;
      return { ...rest, recipe: recipe("rloo", { advantage: squared }) };
    };
    const first = await value();
    const { sources } = compiledFiles([join(folder, "mine.ts")]);
    assert.deepEqual(Object.keys(sources), [join(folder, "mine.ts"), join(folder, "power.ts")]);
    const again = await value();
    assert.deepEqual(again, first);
    write({ "power.ts": "export const power: number = 3;" });
    assert.notDeepEqual(await value(), first);
    const left = takeThreads(2);
    assert.equal(left.completed, 0, "threads that have loaded a module are not for those without");
    keepThreads(left);
    await takeThreads(2).destroy();
  });

  it("says what lives only in this program or cell, and what to do about it", () => {
    const refused = (o: object, message: string): void =>
      assert.throws(() => sweep(options(o)), { name: "RangeError", message });
    const others = "Cannot sweep on other threads: they must know everything that a setting names, but ";
    const here = ", or run the jobs in this thread (workers: 0).";
    const own = recipe("rloo", { advantage: custom("my surprise", (batch) => [...batch.return_n]) });
    refused(
      { recipe: own },
      others +
        'the function "my surprise" lives only in this program; export it from a file of its own ' +
        '("export const mySurprise = custom("my surprise", ...)") and name that file (modules: ["./mine.ts"])' +
        here,
    );
    register("ProgramLookUp-v0", (o) => make("LookUp-v0", o));
    refused(
      { recipe: "rloo", env: "ProgramLookUp-v0" },
      others +
        'the world "ProgramLookUp-v0" is registered only in this program; register it in a file of its own and name that ' +
        'file (modules: ["./mine.ts"])' +
        here,
    );
    notebook("mine.ts");
    refused(
      { recipe: own },
      others +
        'the function "my surprise" lives only in a cell; begin its cell with the line "%%module mine.ts" and export it ' +
        '("export const mySurprise = custom("my surprise", ...)")' +
        here,
    );
    refused(
      { recipe: "rloo", env: "ProgramLookUp-v0" },
      others +
        'the world "ProgramLookUp-v0" is registered only in a cell; begin the cell that registers it with the line ' +
        '"%%module mine.ts"' +
        here,
    );
    refused(
      { recipe: "rloo", policy: autodiffPolicy({ parameters: { w: [1] }, logits: (_, { w }) => w }) },
      others +
        'the function "autodiff" lives only in a cell; begin its cell with the line "%%module mine.ts" and export it ' +
        '("export const autodiff = ...")' +
        here,
    );
    const env = make("LookUp-v0");
    refused(
      { recipe: "rloo", env },
      others +
        "env is a ready environment; register it as a world in a module of its own, and give its id" +
        here,
    );
    refused(
      { recipe: "rloo", policy: new TabularPolicy(env.spec) },
      others +
        "policy is a ready policy; give its options, or a function that makes one and that a module exports" +
        here,
    );
    const stale = recipe("rloo", { advantage: custom("squared", (batch) => [...batch.return_n]) });
    refused(
      { recipe: stale },
      others +
        'the function "squared" is not the one that mine.ts exports now; run the cells that use it again' +
        here,
    );
  });

  it("runs what lives only here in this thread when it is asked to", async () => {
    const own = recipe("rloo", { advantage: custom("halved", (batch) => batch.return_n.map((R) => R / 2)) });
    const { results } = await sweep(options({ recipe: ["rloo", own], workers: 0, file: "out.jsonl" }));
    assert.equal(results.length, 4);
    assert.notDeepEqual(results[0]!.value, results[1]!.value);
    const [, stored] = readSweep("out.jsonl").plan.grid["recipe"] as unknown as {
      advantage: { by: unknown };
    }[];
    assert.deepEqual(stored!.advantage.by, { custom: "halved" });
    assert.throws(
      () =>
        sweep(
          options({
            recipe: [own, recipe("grpo", { advantage: custom("halved", (batch) => [...batch.return_n]) })],
            workers: 0,
          }),
        ),
      /^RangeError: Cannot tell two custom functions apart: each needs its own label, but two are named "halved"\.$/,
    );
  });

  it("refuses modules and names that are not there", () => {
    const refused = (o: object, message: string | RegExp): void =>
      assert.throws(() => sweep(options(o)), { message });
    refused(
      { recipe: "rloo", modules: "./mine.ts" },
      'Cannot sweep: modules must be a list of files, such as ["./mine.ts"], got "./mine.ts".',
    );
    refused(
      { recipe: "rloo", modules: ["./nowhere.ts"] },
      `Cannot sweep: the module must be found from ${folder}, got "./nowhere.ts".`,
    );
    const by = (advantage: object): object => ({
      ...recipe("rloo"),
      advantage: { kind: "custom", by: advantage },
    });
    refused(
      { recipe: by({ custom: "squared", module: "./mine.ts", export: "square" }) },
      'Cannot find "squared": ./mine.ts must export it as square, but it exports squared, rows, linear, failing.',
    );
    refused(
      { recipe: by({ custom: "squared" }) },
      'Cannot sweep: a module of the plan must export the function "squared". Name the one that does ' +
        '(modules: ["./mine.ts"]).',
    );
    write({ "throws.ts": "\nthrow new RangeError('not today');" });
    refused(
      { recipe: "rloo", modules: ["./throws.ts"] },
      `Cannot load ${join(folder, "throws.ts")}: its top level threw an error: RangeError: not today`,
    );
    write({
      "twice.ts": `import { custom } from "turnwise";\nexport const squared = custom("squared", () => []);`,
    });
    refused(
      { recipe: by({ custom: "squared" }), modules: ["./mine.ts", "./twice.ts"] },
      'Cannot find "squared": exactly one function of the modules must have that label, but 2 have it.',
    );
  });

  it("tells the file and line of a module at which a job has failed", async () => {
    const { failing } = notebook("mine.ts");
    await assert.rejects(
      async () => await sweep(options({ recipe: recipe("rloo", { advantage: failing }), workers: 2 })),
      (error) => {
        assert.ok(error instanceof SweepError);
        assert.match(error.message, /Cannot apply .*"failing".*RangeError: no such thing/);
        const { cause } = error.errors[0]!.error as { cause?: Error };
        assert.equal(cause?.name, "RangeError");
        // The line of the TypeScript, not of what it was compiled to.
        assert.ok(cause?.stack?.includes(`${join(folder, "mine.ts")}:15:9`), cause?.stack);
        return true;
      },
    );
  });

  it("asks for a compiler where there is none", async () => {
    const code = `
      const Module = require("node:module");
      const resolve = Module._resolveFilename;
      Module._resolveFilename = function (name, ...rest) {
        if (name === "typescript") throw Object.assign(new Error("none"), { code: "MODULE_NOT_FOUND" });
        return resolve.call(this, name, ...rest);
      };
      const { sweep } = require(${JSON.stringify(require.resolve("turnwise"))});
      try { sweep({ recipe: "rloo", env: "LookUp-v0", updates: 1, seeds: 1, modules: ["./world.ts"] }); }
      catch (error) { console.log(error.message); }`;
    const { stdout } = await runNode(["-e", code], { cwd: folder });
    assert.equal(
      stdout,
      `Cannot load ${join(folder, "world.ts")}: the package typescript must be installed to compile it, but it is found ` +
        "neither beside the file nor beside turnwise. Install it, or name a module of JavaScript.\n",
    );
  });
});
