import assert from "node:assert/strict";
import {
  enumerateReturn,
  make,
  worldTemplate,
  optimalReturn,
  register,
  TabularPolicy,
  train,
  type TrainRecord,
} from "turnwise";
import { randomReturn } from "turnwise/exact";
import { displaySymbol } from "turnwise/plot";
import { tMaze } from "turnwise/internal/env/index";
import { failuresOf, programOf, typeErrors, type DocExample } from "../../support/docExamples.js";
import { root } from "../../support/paths.js";

describe("register() once more", () => {
  const long = (): ReturnType<typeof tMaze> => tMaze({ length: 4 });
  const short = (): ReturnType<typeof tMaze> => tMaze({ length: 2 });

  // Other tests go through all ids: what is left to them is a world like those of the library.
  after(() => {
    for (const id of ["OwnA-v0", "OwnB-v0", "OwnC-v0", "OwnD-v0"]) register(id, tMaze, { replace: true });
  });

  it("refuses a taken id in a program, and names the option that replaces it", () => {
    register("OwnA-v0", short);
    assert.throws(() => register("OwnA-v0", long), {
      name: "RangeError",
      message:
        'Cannot register "OwnA-v0": it is already registered, and ids must be unique. { replace: true } replaces it.',
    });
    assert.equal(make("OwnA-v0").spec.options["length"], 2);
  });

  it("replaces a custom world on demand, with a note, and leaves alone what was made before", () => {
    const first = register("OwnB-v0", short);
    const before = make("OwnB-v0");
    const second = register("OwnB-v0", long, { replace: true });
    assert.deepEqual([first.replaced, second.replaced], [false, true]);
    assert.equal(String(first), 'Registered "OwnB-v0".');
    assert.equal(
      second[displaySymbol]()["text/plain"],
      'Replaced "OwnB-v0": make and train now use the new version; runs that have begun keep the old one.',
    );
    assert.deepEqual([before.spec.options["length"], make("OwnB-v0").spec.options["length"]], [2, 4]);
  });

  it("lets a run that has begun go on in the world that it began with", async () => {
    register("OwnC-v0", short);
    const options = { env: "OwnC-v0", recipe: "grpo", groups: 2, groupSize: 2, updates: 4, seed: 1 } as const;
    const undisturbed: TrainRecord[] = [];
    for await (const record of train(options)) undisturbed.push(record);
    const disturbed: TrainRecord[] = [];
    for await (const record of train(options)) {
      disturbed.push(record);
      register("OwnC-v0", long, { replace: true });
    }
    const rewards = (records: readonly TrainRecord[]): unknown =>
      records.map(({ metrics }) => [metrics["reward/mean"], metrics["turns/mean"]]);
    assert.deepEqual(rewards(disturbed), rewards(undisturbed));
  });

  it("replaces without being asked where a kernel runs the cells", () => {
    const kernel = Symbol.for("turnwise.session");
    Object.defineProperty(globalThis, kernel, { value: {}, configurable: true });
    try {
      assert.equal(register("OwnD-v0", short).replaced, false);
      assert.equal(register("OwnD-v0", long).replaced, true);
      assert.throws(() => register("Tiger-v0", short), { name: "RangeError" });
    } finally {
      Reflect.deleteProperty(globalThis, kernel);
    }
  });

  it("never replaces a world of the library", () => {
    assert.throws(() => register("Tiger-v0", short, { replace: true }), {
      name: "RangeError",
      message:
        'Cannot register "Tiger-v0": the library\'s own worlds cannot be replaced. Choose another name, such as "MyTiger-v0".',
    });
    assert.equal(make("Tiger-v0").spec.id, "Tiger-v0");
  });

  it("asks for a function, where an environment was given", () => {
    assert.throws(() => register("OwnE-v0", { make: 1 } as never), {
      name: "TypeError",
      message:
        'Cannot register "OwnE-v0": the id must be followed by a function that makes the environment, got {"make":1}.',
    });
  });
});

describe("worldTemplate()", function () {
  this.timeout(60_000);
  const cell = worldTemplate("Glance-v0");
  const example: DocExample = { where: "cell:1", file: `${root}/cell.ts`, line: 1, code: cell.text };

  it("gives a cell of at most 100 columns and 70 lines, which carries the id", () => {
    const lines = cell.text.split("\n");
    assert.deepEqual(
      lines.filter((line) => line.length > 100),
      [],
    );
    assert.ok(lines.length <= 70, String(lines.length));
    assert.equal(cell.text.match(/"Glance-v0"/g)?.length, 3);
    assert.doesNotMatch(cell.text, /Peek-v0/);
  });

  it("shows it as code", () => {
    const shown = cell[displaySymbol]();
    assert.equal(shown["text/markdown"], `\`\`\`ts\n${cell.text}\n\`\`\``);
    assert.equal(shown["text/plain"], cell.text);
  });

  it("compiles, runs, and makes a world on which an agent learns", async () => {
    assert.deepEqual(typeErrors(programOf([example]), [example]), []);
    assert.deepEqual(await failuresOf(example), []);
    const env = make("Glance-v0");
    // To peek once and to guess what one saw: -0.1 + 0.9. A second look never changes the better guess of the first.
    assert.ok(Math.abs(optimalReturn(env).J - 0.8) < 1e-12);
    // Uniform tokens: V3 = 2/3 x 1/2 - 1/3 x 0.1 = 0.3, V2 = 1/3 + 1/3 x (V3 - 0.1) = 0.4, V1 = 1/3 + 1/3 x (V2 - 0.1).
    assert.ok(Math.abs(randomReturn(env) - (1 / 3 + 0.1)) < 1e-12);
    const policy = new TabularPolicy(env.spec);
    for await (const _ of train({ env: "Glance-v0", policy, recipe: "drGrpo", updates: 200, seed: 1 }))
      void _;
    const { J } = enumerateReturn(env, policy);
    assert.ok(J > 0.7, String(J));
  });

  it("refuses ids that register would refuse", () => {
    assert.throws(() => worldTemplate("peek"), {
      name: "RangeError",
      message: 'Cannot register "peek": an id must look like "Name-v0", got "peek".',
    });
    assert.throws(() => worldTemplate("TMaze-v0"), {
      message:
        'Cannot register "TMaze-v0": the library\'s own worlds cannot be replaced. Choose another name, such as "MyTMaze-v0".',
    });
  });
});
