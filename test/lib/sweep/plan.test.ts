import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { recipe, sweep, type RecipeOverrides, type SweepOptions } from "turnwise";
import { parseLine, toLine } from "turnwise/internal/sweep/json";
import { planOf } from "turnwise/internal/sweep/options";
import { Board } from "turnwise/internal/sweep/board";
import {
  cellsOf,
  currentTask,
  jobsOf,
  parseShard,
  shardOf,
  type SweepPlan,
} from "turnwise/internal/sweep/plan";
import { parseHeader } from "turnwise/internal/sweep/resultLines";
import { loadTask, resolveTask } from "turnwise/internal/sweep/task";
import { removeTemporaryFolders, temporaryFolder } from "../../support/command.js";

describe("plan of a sweep", () => {
  it("is the product of its axes, and names what varies", () => {
    const cells = cellsOf({ env: "LookUp-v0", recipe: ["grpo", "ppo"], groupSize: [4, 8] });
    assert.deepEqual(
      cells.map(({ label }) => label),
      [
        "recipe=grpo groupSize=4",
        "recipe=grpo groupSize=8",
        "recipe=ppo groupSize=4",
        "recipe=ppo groupSize=8",
      ],
    );
    assert.deepEqual(cells[1]!.options, { env: "LookUp-v0", recipe: "grpo", groupSize: 8 });
    assert.deepEqual(cells[1]!.axes, { recipe: "grpo", groupSize: 8 });
  });

  it("tells rows of one name apart by the cells in which they differ", () => {
    const rows = [recipe("grpo"), recipe("seeUpo"), recipe("grpo", { scale: "none" })];
    const labels = cellsOf({ recipe: rows as never }).map(({ label }) => label);
    assert.equal(labels[1], "recipe=seeUpo");
    assert.equal(labels[0], 'recipe=grpo{scale.kind="group"}');
    assert.equal(labels[2], 'recipe=grpo{scale.kind="none"}');
  });

  it("tells a named rule from its own variants, by what they change", () => {
    const { plan } = planOf({
      recipe: [
        "grpo",
        recipe("grpo", { scale: "none" }),
        recipe("grpo", { regularizer: { klReference: { coef: 0.1 } } }),
      ],
      env: "LookUp-v0",
      updates: 1,
      seeds: 1,
    });
    assert.deepEqual(
      cellsOf(plan.grid).map(({ label }) => label),
      ["recipe=grpo", 'recipe=grpo{scale.kind="none"}', "recipe=grpo{regularizer.klReference.coef=0.1}"],
    );
    const policies = cellsOf({ policy: [{}, { initialScale: 0.5 }] }).map(({ label }) => label);
    assert.deepEqual(policies, ["policy=default", "policy={initialScale=0.5}"]);
  });

  /** The labels of a sweep over these rules. */
  const labelsFor = (rules: readonly unknown[]): string[] => {
    const options = { recipe: rules, env: "LookUp-v0", updates: 1, seeds: 1 } as SweepOptions;
    return cellsOf(planOf(options).plan.grid).map(({ label }) => label);
  };

  it("tells two variants of a named rule apart that differ in a field of the same choice", () => {
    // Beside grpo, whose gate is clip, the kind of the gate is all that either of them changes.
    assert.deepEqual(
      labelsFor([
        "grpo",
        recipe("grpo", { gate: { kind: "logClip", logLow: 0.1 } }),
        recipe("grpo", { gate: { kind: "logClip", logLow: 0.3 } }),
        "rloo",
      ]),
      [0, 0.1, 0.3, 0].map((low, i) =>
        i === 0
          ? "recipe=grpo"
          : i === 3
            ? "recipe=rloo"
            : `recipe=grpo{gate.kind="logClip",gate.logLow=${low},gate.logHigh=0.4}`,
      ),
    );
  });

  it("gives distinct rules distinct labels", () => {
    const changes = fc.record(
      {
        gate: fc.oneof(
          fc.constant("unclipped"),
          fc.record({
            kind: fc.constant("logClip"),
            logLow: fc.constantFrom(0.1, 0.2),
            logHigh: fc.constantFrom(0.1, 0.2),
          }),
          fc.record({ kind: fc.constant("clip"), clipHigh: fc.constantFrom(0.2, 0.3) }),
        ),
        scale: fc.oneof(
          fc.constant("none"),
          fc.record({ kind: fc.constantFrom("group", "batch"), epsilon: fc.constantFrom(1e-6, 1e-4) }),
        ),
        aggregate: fc.record({
          kind: fc.constant("constant"),
          length: fc.constantFrom<unknown>(1, 2, "maximum"),
        }),
        regularizer: fc.record(
          {
            klReference: fc.record({ coef: fc.constantFrom(0.1, 0.2) }),
            entropyCoef: fc.constantFrom(0.1, 0.2),
          },
          { requiredKeys: [] },
        ),
        update: fc.record({ epochs: fc.constantFrom(1, 2) }),
      },
      { requiredKeys: [] },
    );
    const rule = fc
      .tuple(fc.constantFrom("grpo" as const, "drGrpo" as const), changes)
      .map(([name, overrides]) => recipe(name, overrides as RecipeOverrides));
    const named = fc.constantFrom<unknown>("grpo", "drGrpo", "ppo");
    const axis = fc.uniqueArray(fc.oneof({ weight: 4, arbitrary: rule as fc.Arbitrary<unknown> }, named), {
      minLength: 2,
      maxLength: 8,
      selector: (one) => JSON.stringify(typeof one === "string" ? recipe(one as "grpo") : one),
    });
    fc.assert(
      fc.property(axis, (rules) => {
        const labels = labelsFor(rules);
        assert.equal(new Set(labels).size, rules.length, labels.join("\n"));
      }),
    );
  });

  it("gives values of two types distinct labels, and refuses the same value twice", () => {
    assert.deepEqual(
      cellsOf({ x: [1, "1"] }).map(({ label }) => label),
      ["x=1", 'x="1"'],
    );
    const again = recipe("grpo", { scale: "none" });
    assert.throws(() => labelsFor([again, "grpo", again]), /"grpo\{scale.kind="none"\}" appears twice/);
    assert.throws(() => labelsFor(["grpo", recipe("grpo")]), /"grpo" appears twice/);
  });

  it("goes on with results that an older version has named", () => {
    const grid = parseLine('{"policy":[{},{"initialScale":0.5}]}') as unknown as SweepPlan["grid"];
    const plan: SweepPlan = { task: { export: "x" }, grid, seeds: [0] };
    const rows = [{ key: "policy={} seed=0", cell: { policy: "{}" }, seed: 0, value: 1, seconds: 1 }];
    const board = new Board(plan, jobsOf(plan), rows);
    assert.deepEqual(
      board.missing.map(({ key }) => key),
      ["policy={initialScale=0.5} seed=0"],
    );
    assert.deepEqual(
      [board.rows[0]!.key, board.rows[0]!.cell],
      ["policy=default seed=0", { policy: "default" }],
    );
  });

  const asked = { env: "LookUp-v0", updates: 1, seeds: 1 } as const;
  const rulesIn = (given: unknown): unknown =>
    planOf({ ...asked, recipe: given } as unknown as SweepOptions).plan.grid["recipe"];

  it("takes a rule's name with the fields to change, as recipe() does, before the first job", () => {
    const changed = { name: "grpo", update: { epochs: 3 } };
    const whole = parseLine(toLine(recipe("grpo", { update: { epochs: 3 } }), "rule"));
    assert.deepEqual(rulesIn(changed), whole);
    assert.deepEqual(rulesIn(["grpo", changed]), ["grpo", whole]);
    const refusals: [unknown, RegExp][] = [
      ["gprpo", /^Cannot sweep: recipe must be the name of a rule, got "gprpo"\.\nDid you mean "grpo"\?$/],
      [
        ["grpo", { name: "gprpo" }],
        /^Cannot sweep: recipe\[1\]: .*unknown rule "gprpo"\.\nDid you mean "grpo"\?/,
      ],
      [
        { name: "grpo", update: { epoch: 3 } },
        /^Cannot sweep: recipe: cannot make recipe grpo: unknown option "update\.epoch"\.\nDid you mean "epochs"\?$/,
      ],
      [
        { update: {} },
        /^Cannot sweep: recipe must be the name of a rule, or an object with that name .*, got the name undefined\.$/,
      ],
    ];
    for (const [given, message] of refusals)
      assert.throws(() => rulesIn(given), { name: "RangeError", message });
  });

  it("takes a rule that a module of the plan exports, by the export's name or its place", () => {
    const folder = temporaryFolder();
    writeFileSync(
      join(folder, "mine.ts"),
      'import { recipe } from "turnwise"; export const lucky = recipe("grpo", { scale: "none" });',
    );
    const plan = (given: unknown): unknown =>
      planOf({ ...asked, recipe: given, modules: ["./mine.ts"] } as unknown as SweepOptions, folder).plan
        .grid["recipe"];
    const lucky = parseLine(toLine(recipe("grpo", { scale: "none" }), "rule"));
    assert.deepEqual(plan("lucky"), lucky);
    assert.deepEqual(plan(["grpo", { module: "./mine.ts", export: "lucky" }]), ["grpo", lucky]);
    assert.throws(
      () => plan("luky"),
      /^RangeError: Cannot sweep: recipe must be .* got "luky"\.\nDid you mean "lucky"\?\nThe modules export lucky\.$/,
    );
  });

  it("splits into shards that cover every job once, and keep a cell together when its seeds decide on it", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 7 }),
        fc.integer({ min: 1, max: 6 }),
        fc.boolean(),
        (cells, seeds, of, gated) => {
          const plan = {
            task: { export: "x" },
            grid: { a: Array.from({ length: cells }, (_, i) => i) },
            seeds: Array.from({ length: seeds }, (_, i) => i),
            ...(gated ? { prune: { seeds: 1, below: 0 } } : {}),
          };
          const jobs = jobsOf(plan);
          const parts = Array.from({ length: of }, (_, i) => shardOf(jobs, plan, { index: i + 1, of }));
          assert.deepEqual(
            parts.flat().sort((a, b) => a.index - b.index),
            jobs,
          );
          if (!gated) return;
          for (const part of parts) {
            const own = new Set(part.map(({ cell }) => cell.index));
            assert.equal(part.length, own.size * seeds);
          }
        },
      ),
    );
  });

  it("keeps every number of a result bit by bit", () => {
    fc.assert(
      fc.property(fc.array(fc.double({ noDefaultInfinity: false, noNaN: false })), (numbers) => {
        const back = parseLine(toLine({ numbers }, "x")) as { numbers: number[] };
        assert.ok(back.numbers.every((x, i) => Object.is(x, numbers[i])));
      }),
    );
  });

  it("is refused before any work is done when it cannot run", () => {
    const plan = { recipe: "grpo", env: "LookUp-v0", updates: 1, seeds: 1 } as const;
    const refuses = (change: object, message: RegExp): void => {
      assert.throws(() => sweep({ ...plan, ...change } as SweepOptions), message);
    };
    refuses({ seeds: 0 }, /seeds must be different integers and at least one, got \[\]/);
    refuses({ seeds: [1, 1] }, /got \[1, 1\]/);
    refuses({ seeds: 2.5 }, /got 2\.5/);
    refuses({ seeds: "20" }, /got "20"/);
    refuses({ updates: [1, 2, 1] }, /values of axis "updates" must print differently, but "1" appears twice/);
    refuses({ updates: [1, 1] }, /"1" appears twice/);
    refuses({ shard: { index: 3, of: 2 } }, /got "3\/2"/);
    refuses({ recipe: [] }, /axis "recipe" must have a value, got none/);
    refuses({ workers: -1 }, /workers must be an integer >= 0 .*, got -1/);
    refuses({ shard: "3/2" }, /must be "i\/n" with 1 <= i <= n, such as "1\/4", got "3\/2"/);
    refuses({ prune: { seeds: 0, below: 1 } }, /prune\.seeds must be an integer >= 1, got 0/);
    refuses(
      { policy: new Map() },
      /the plan\.grid\.policy: it must be plain data .*, but it is an instance of Map/,
    );
    assert.deepEqual(parseShard("2/3"), { index: 2, of: 3 });
  });
});

describe("the task of a plan", () => {
  const old = { export: "orderJob" };
  const now = { module: "turnwise-course/jobs", export: "orderJob" };

  it("is read from the tier of the studies where an older plan names it without a module", () => {
    assert.deepEqual(currentTask(old), now);
    assert.deepEqual(
      planOf({ task: old, grid: {}, seeds: 1 }).plan,
      planOf({ task: now, grid: {}, seeds: 1 }).plan,
    );
    assert.deepEqual(currentTask(now), now);
    assert.deepEqual(currentTask({ export: "trainJob" }), { export: "trainJob" });
  });

  it("goes on with an older results file, whose first line names it without a module", () => {
    const header = (task: object): string =>
      JSON.stringify({
        format: "turnwise-sweep",
        version: 1,
        plan: { task, grid: {}, seeds: [0] },
        shard: null,
      });
    assert.deepEqual(parseHeader("old.jsonl", header(old)), parseHeader("new.jsonl", header(now)));
  });

  it("tells once what has moved, with the module to write", () => {
    const emitted: string[] = [];
    const emit = process.emitWarning;
    process.emitWarning = (text: string | Error) => void emitted.push(String(text));
    try {
      for (let i = 0; i < 2; i++) currentTask({ export: "creditJob" });
    } finally {
      process.emitWarning = emit;
    }
    assert.deepEqual(emitted, [
      'The task { "export": "creditJob" } is read as {"module":"turnwise-course/jobs","export":"creditJob"}, where the ' +
        "studies' jobs are now: write it with its module",
    ]);
  });

  it("is found in the library's own tiers from any folder, and refused with the nearest name", () => {
    const [before, folder] = [process.cwd(), temporaryFolder()];
    process.chdir(folder);
    try {
      const run = loadTask(resolveTask(now));
      assert.equal(run.name, "orderJob");
      assert.throws(() => loadTask(resolveTask({ ...now, export: "orderjob" })), {
        name: "RangeError",
        message: /must export the function "orderjob"\.\nDid you mean "orderJob"\?$/,
      });
    } finally {
      process.chdir(before);
      removeTemporaryFolders();
    }
  });
});
