import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { readCSV } from "danfojs-node";
import { checkEnv, parseJsonl, make } from "turnwise";
import { toJsonl } from "turnwise/internal/env/index";
import { root } from "../../../support/paths";

const folder = path.join(root, "datasets");
const read = (name: string): string => readFileSync(path.join(folder, name), "utf8");

const ENV_OF: Readonly<Record<string, string>> = {
  "apiChain.jsonl": "ApiChain-v0",
  "calculator.jsonl": "Calculator-v0",
  "codebreaker.jsonl": "Codebreaker-v0",
  "memoryDesk.jsonl": "MemoryDesk-v0",
  "searchQa.jsonl": "SearchQa-v0",
};

describe("datasets/", () => {
  it("has a file of tasks for each environment that draws them", () => {
    assert.deepEqual(readdirSync(path.join(folder, "tasks")).sort(), Object.keys(ENV_OF).sort());
  });

  it("every file of tasks makes a sound environment at every level", function () {
    this.timeout(60_000);
    for (const [name, id] of Object.entries(ENV_OF)) {
      const all = parseJsonl<{ level: number }>(read(`tasks/${name}`));
      for (const level of [1, 2, 3]) {
        // Codes of different lengths need different vocabularies; the other environments take all levels at once.
        const tasks = id === "Codebreaker-v0" ? all.filter((task) => task.level === level) : all;
        const env = make(id, { tasks, drawLevel: level });
        if (level === 1) checkEnv(env);
        const [, { taskId }] = env.reset({ seed: 0 });
        assert.match(String(taskId), new RegExp(`-${level}-\\d+$`));
      }
      assert.equal(new Set(all.map((task) => JSON.stringify({ ...task, id: "" }))).size, all.length);
    }
  });

  it("given tasks come without what chooses generated ones, and the options that were used make the same environment", () => {
    for (const [name, id] of Object.entries(ENV_OF)) {
      const tasks = parseJsonl<{ level: number }>(read(`tasks/${name}`)).filter(({ level }) => level === 1);
      assert.throws(() => make(id, { tasks, level: 1, taskCount: 4 }), {
        name: "RangeError",
        message: `Cannot make ${id}: tasks must come without level and taskCount, which choose generated ones, got level and taskCount.`,
      });
      const { spec } = make(id, { tasks });
      assert.deepEqual(make(id, spec.options).spec, spec);
      const generated = make(id, { level: 1, taskCount: 4 }).spec;
      assert.deepEqual(make(id, generated.options).spec, generated);
    }
  });

  it("the README gives every file its line and its number of rows", () => {
    const readme = read("README.md");
    for (const part of ["tasks", "papers", "measured"]) {
      for (const name of readdirSync(path.join(folder, part))) {
        // The runs that collapse have a section of their own.
        if (name.startsWith("echo-trap")) continue;
        const rows = read(`${part}/${name}`).trim().split("\n").length - (name.endsWith(".jsonl") ? 0 : 1);
        assert.match(readme, new RegExp(`\\| \`${part}/${name.replace(".", "\\.")}\` +\\| ${rows} +\\| \\S`));
      }
    }
  });

  for (const name of readdirSync(path.join(folder, "papers"))) {
    it(`papers/${name} loads into a data frame with an evidence tag in every row`, async () => {
      const frame = await readCSV(path.join(folder, "papers", name));
      assert.deepEqual(frame.columns, [
        "source",
        "arxiv",
        "table",
        "model",
        "benchmark",
        "setting",
        "metric",
        "value",
        "unit",
        "evidence",
        "note",
      ]);
      const rows = frame.values as unknown[][];
      assert.equal(rows.length, read(`papers/${name}`).trim().split("\n").length - 1);
      for (const row of rows) {
        assert.match(String(row[9]), /^[PRSU]$/);
        assert.ok(row[7] === null || Number.isFinite(row[7]), `${String(row[5])}: ${String(row[7])}`);
        if (row[7] === null) assert.ok(row[10], "a cell without a number says why");
      }
    });
  }

  it("the figures that nobody could verify are marked, and the verified ones are as they were read", async () => {
    const frame = await readCSV(path.join(folder, "papers", "appworld.csv"));
    const rows = frame.values as [string, ...unknown[]][];
    const evidence = (value: number): unknown => rows.find((row) => row[7] === value)![9];
    assert.deepEqual([60.8, 53.07, 43.3, 54.6, 24.1, 41.9, 71.3].map(evidence), [
      "U",
      "U",
      "P",
      "P",
      "P",
      "P",
      "S",
    ]);
  });

  it("JSONL comes back as it was written, and a broken line is named", () => {
    const rows = [{ a: 1 }, [2, "x"], null];
    assert.deepEqual(parseJsonl(toJsonl(rows)), rows);
    assert.throws(() => parseJsonl('{"a":1}\n\n{"a":'), {
      name: "TypeError",
      message: 'Cannot read JSONL: every line must be a JSON value, but line 3 is {"a":.',
    });
  });

  it("refuses to draw from a level that has no task", () => {
    const tasks = parseJsonl<{ level: number }>(read("tasks/calculator.jsonl")).filter(
      ({ level }) => level < 3,
    );
    assert.throws(() => make("Calculator-v0", { tasks, drawLevel: 3 }), {
      name: "RangeError",
      message: "Cannot make Calculator-v0: there must be tasks of drawLevel, but none of 64 has level 3.",
    });
  });
});
