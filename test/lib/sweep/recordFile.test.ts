import assert from "node:assert/strict";
import fs from "node:fs";
import fc from "fast-check";
import { learningCurve, readRecords, saveRecords, sweep, train, trainInFolder, trainSeeds } from "turnwise";
import { pathsOfSuite } from "../../support/command.js";

const endings = ["csv", "jsonl", "parquet"] as const;
const setting = { env: "LookUp-v0", recipe: "grpo", updates: 3, groups: 2, groupSize: 4 } as const;
const made = (update: number, metrics: object) => ({
  update,
  samples: 8 * update,
  optimizerSteps: update,
  seconds: 0.1 * update,
  metrics: metrics as Readonly<Record<string, number>>,
});

describe("files of records", function () {
  this.timeout(60_000);
  const at = pathsOfSuite();

  for (const ending of endings) {
    it(`give back every number bit by bit from .${ending}: NaN, infinities, -0 and a metric that is not always there`, async () => {
      const records = [
        made(1, { "reward/mean": 0.1 + 0.2, "return/exact": -0 }),
        made(2, { "reward/mean": NaN, "return/exact": 5e-324 }),
        made(3, { "reward/mean": -Infinity }),
        made(4, { "reward/mean": Infinity, "return/exact": 0 }),
      ];
      const file = at(`special.${ending}`);
      assert.equal(await saveRecords(file, records), file);
      assert.deepStrictEqual(await readRecords(file), records);
    });

    it(`give back arbitrary doubles from .${ending}`, async () => {
      const file = at(`any.${ending}`);
      await fc.assert(
        fc.asyncProperty(fc.array(fc.double(), { minLength: 1, maxLength: 40 }), async (values) => {
          const records = values.map((x, i) => made(i + 1, { "reward/mean": x }));
          await saveRecords(file, records);
          assert.deepStrictEqual(await readRecords(file), records);
        }),
        { numRuns: 20 },
      );
    });

    it(`keep the series and the seeds of real runs in .${ending}, so that the same chart comes from the file`, async () => {
      const grpo = await trainSeeds(setting, [4, 2]);
      const rloo = await trainSeeds({ ...setting, recipe: "rloo" }, 2);
      const file = at(`both.${ending}`);
      await saveRecords(file, { "grpo, tried": grpo, rloo });
      const records = await readRecords(file);
      assert.equal(records.length, 12);
      assert.deepEqual([records[0]!.series, records[0]!.seed], ["grpo, tried", 4]);
      const metric = "reward/mean";
      assert.deepEqual(
        learningCurve(records, { metric }).spec,
        learningCurve({ "grpo, tried": grpo, rloo }, { metric }).spec,
      );
      assert.deepEqual(
        records.filter(({ seed, series }) => seed === 2 && series !== "rloo").map(({ metrics }) => metrics),
        grpo.runs[1]!.map(({ metrics }) => metrics),
      );
    });
  }

  it("are written by seeds themselves, and of sweeps with curves", async () => {
    const runs = await trainSeeds(setting, 2);
    assert.equal(await runs.save(at("runs.csv")), at("runs.csv"));
    const [head] = fs.readFileSync(at("runs.csv"), "utf8").split("\n");
    assert.match(head!, /^series,seed,update,samples,optimizerSteps,seconds,/);
    const swept = await sweep({
      ...setting,
      recipe: ["grpo", "rloo"],
      seeds: 1,
      workers: 0,
      curves: ["reward/mean"],
    });
    await saveRecords(at("sweep.csv"), swept);
    const columns = fs.readFileSync(at("sweep.csv"), "utf8").split("\n")[0];
    assert.equal(columns, "series,seed,update,reward/mean");
  });

  it("go on where an earlier program ended", async () => {
    const whole = await trainSeeds(setting, 2);
    await whole.save(at("first.jsonl"));
    const heard = new Set<number>();
    const resume = await readRecords(at("first.jsonl"));
    const all = await trainSeeds(setting, 3, { resume, onRecord: (_, seed) => heard.add(seed) });
    assert.deepEqual([...heard], [2]);
    assert.deepEqual(
      all.runs.slice(0, 2).map((run) => run.map(({ metrics }) => metrics)),
      whole.runs.map((run) => run.map(({ metrics }) => metrics)),
    );
  });

  it("leave folders of trainInFolder() as they are", async () => {
    const records = [];
    for await (const record of trainInFolder(at("run"), { ...setting, seed: 1 })) records.push(record);
    assert.deepEqual(await readRecords(at("run")), records);
    assert.deepEqual(await readRecords(at("nowhere")), []);
  });

  it("replace what a file held, and leave nothing else behind", async () => {
    fs.writeFileSync(at("old.csv"), "something longer than what follows".repeat(1000));
    await saveRecords(at("old.csv"), [made(1, { "reward/mean": 1 })]);
    assert.equal((await readRecords(at("old.csv"))).length, 1);
    assert.deepEqual(
      fs.readdirSync(at("")).filter((name) => name.endsWith(".part")),
      [],
    );
  });

  const one = [made(1, { "reward/mean": 1 })];
  const refusals: readonly [string, () => Promise<unknown>, RegExp][] = [
    [
      "another ending",
      () => saveRecords(at("x.xlsx"), one),
      /^RangeError: Cannot save records: its path must end in \.csv, \.jsonl or \.parquet, got ".*x\.xlsx"\.$/,
    ],
    [
      "a folder that is not there",
      () => saveRecords(at("figures/x.csv"), one),
      /^RangeError: Cannot save records: the folder of ".*x\.csv" must exist, but there is no .*figures\.$/,
    ],
    [
      "a folder in place of a file",
      () => {
        fs.mkdirSync(at("taken.csv"));
        return saveRecords(at("taken.csv"), one);
      },
      /^RangeError: Cannot write .*taken\.csv: E.*\. What was there is unchanged\.$/,
    ],
    [
      "no path",
      () => saveRecords(undefined as never, one),
      /^TypeError: .*: its path must be a string, got undefined\.$/,
    ],
    [
      "no record",
      () => saveRecords(at("x.csv"), []),
      /^RangeError: Cannot save records: there must be at least one/,
    ],
    [
      "a promise",
      () => saveRecords(at("x.csv"), Promise.resolve() as never),
      /^TypeError: .*did you forget await\?\)\.$/,
    ],
    [
      "a run itself",
      () => saveRecords(at("x.csv"), train(setting) as never),
      /^TypeError: Cannot save records: .* the runs must be records/,
    ],
    [
      "a file that is not there",
      () => readRecords(at("gone.csv")),
      /^RangeError: Cannot read .*gone\.csv: it must be a file of records: ENOENT/,
    ],
  ];
  for (const [what, call, sentence] of refusals) {
    it(`refuse ${what} with a sentence`, () =>
      assert.rejects(
        call(),
        (error: Error) => sentence.test(`${error.name}: ${error.message}`) || assert.fail(String(error)),
      ));
  }

  it("refuse what is no file of records when they are read", async () => {
    fs.writeFileSync(at("other.csv"), "a,b\n1,2\n");
    await assert.rejects(
      readRecords(at("other.csv")),
      /each record must have an update, but record 1 has none\.$/,
    );
    fs.writeFileSync(at("other.jsonl"), "{}");
    await assert.rejects(readRecords(at("other.jsonl")), /every line must be a record, but line 1 is not\.$/);
    fs.writeFileSync(at("other.jsonl"), '{"update":1,"metrics":{}}\n{');
    await assert.rejects(readRecords(at("other.jsonl")), /every line must be a record, but line 2 is not\.$/);
    fs.writeFileSync(at("other.parquet"), "no parquet at all");
    await assert.rejects(
      readRecords(at("other.parquet")),
      /^RangeError: Cannot read .*: it must be a Parquet file/,
    );
  });
});
