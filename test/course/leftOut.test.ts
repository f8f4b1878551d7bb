import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { root } from "../support/paths.js";

const { leftOut } = createRequire(path.join(root, "package.json"))("./.ci/left-out.cjs") as {
  leftOut: (root: string, changed?: Readonly<Record<string, string | null>>) => string[];
};

/** The files that are named for what these changes leave out. */
const filesFor = (changed: Readonly<Record<string, string | null>>): string[] =>
  leftOut(root, changed).map((line) => / \([^)]+\): ([^:]+): ./.exec(line)![1]!);

const magicTest = "test/kernel/magics.test.ts";

const read = (file: string): string => readFileSync(path.join(root, file), "utf8");

describe("npm run left-out", () => {
  it("finds nothing left out in the repository", () => {
    assert.deepEqual(leftOut(root), []);
  });

  it("names every place of a new gate", () => {
    const gate = 'export const softClip = gate({\n  help: "A soft clip.",\n});\n';
    const configs = ["trl", "verl", "openRlhf"].map((name) => `lib/practice/src/configs/${name}/write.ts`);
    assert.deepEqual(filesFor({ "lib/turnwise/src/rule/gate/softClip.ts": gate }), [
      "lib/turnwise/src/rule/gate/index.ts",
      "test/lib/rule/gate.test.ts",
      "lib/turnwise/src/rule/rules",
      "test/lib/rule/parts.test.ts",
      "test/lib/rule/parts.test.ts",
      ...configs,
    ]);
  });

  it("names every place of a new rule", () => {
    const rows = 'export const mine = {\n  softGrpo: {\n    title: "Soft GRPO",\n  },\n};\n';
    assert.deepEqual(filesFor({ "lib/turnwise/src/rule/rules/mine.ts": rows }), [
      "lib/turnwise/src/plot/ruleStyle.ts",
      "test/oracle/oracle.py",
      "test/oracle/fixture.json",
      "test/conformance/comparisons.ts",
      "datasets/measured/report-card.jsonl",
      "datasets/measured/rule-curves.csv",
      "datasets/measured/rule-board.csv",
      "lib/turnwise/src/rule/measured.ts",
      "lib/turnwise/src/rule/measuredUpdates.ts",
      "lib/turnwise/README.md",
    ]);
  });

  it("names every place of a new advantage", () => {
    const advantage = "export const firstOfGroup = advantage({\n  help: 'Only the first.',\n});\n";
    assert.deepEqual(filesFor({ "lib/turnwise/src/rule/advantage/firstOfGroup.ts": advantage }), [
      "lib/turnwise/src/rule/advantage/index.ts",
      "test/lib/rule/advantage.test.ts",
      "test/lib/rule/advantageKinds.test.ts",
      "lib/practice/src/configs/verl/write.ts",
      "lib/practice/src/configs/openRlhf/write.ts",
    ]);
  });

  it("names every place of a new world", () => {
    const world = 'export const echoWorld = world({\n  id: "Echo-v0",\n});\n';
    assert.deepEqual(filesFor({ "lib/turnwise/src/env/echo.ts": world }), [
      "lib/turnwise/src/env/worlds.ts",
      "test/lib/env",
      "test/lib/env/transcripts/Echo-v0.txt",
      "datasets/measured/environments.csv",
      "datasets/measured/policies.csv",
      "lib/turnwise/src/env/README.md",
      "lib/turnwise/src/policy/README.md",
    ]);
  });

  it("names every place of a new magic, and a test that is missing", () => {
    const magic = 'export const lines: Magic = {\n  name: "lines",\n};\n';
    const file = "kernel/src/magics/lines.ts";
    const places = ["kernel/src/magics/index.ts", magicTest, "kernel/MAGICS.md"];
    assert.deepEqual(filesFor({ [file]: magic }), places);
    const listed = {
      [file]: magic,
      "kernel/src/magics/index.ts": read("kernel/src/magics/index.ts") + "lines",
      "kernel/MAGICS.md": read("kernel/MAGICS.md") + "`%lines`",
    };
    assert.deepEqual(filesFor(listed), [magicTest]);
    const tested = { ...listed, "test/kernel/lines.test.ts": 'await run("%lines");' };
    assert.deepEqual(filesFor(tested), []);
  });

  it("does not take a refusal of a magic, or another kernel's, for a test that runs it", () => {
    const file = "kernel/src/magics/pwd.ts";
    assert.ok(filesFor({ [file]: 'export const pwd: Magic = {\n  name: "pwd",\n};\n' }).includes(magicTest));
  });

  it("names every place of a new command, whichever package has it", () => {
    const run = "export const run = command({});\n";
    assert.deepEqual(filesFor({ "kernel/src/cli/commands/env.ts": "export const env = command({});\n" }), [
      "kernel/package.json",
      "kernel/src/cli/commands.ts",
      "lib/turnwise/src/command/main.ts",
      "kernel/README.md",
      "test/cli/env.test.ts",
    ]);
    for (const home of ["lib/practice", "lib/course"]) {
      assert.deepEqual(filesFor({ [`${home}/src/commands/env.ts`]: run }), [
        `${home}/package.json`,
        "lib/turnwise/src/command/main.ts",
        "kernel/README.md",
        "test/cli/env.test.ts",
      ]);
    }
    assert.deepEqual(filesFor({ "lib/turnwise/src/command/env.ts": run }), [
      "lib/turnwise/package.json",
      "test/cli/commands.test.ts",
      "kernel/README.md",
      "test/cli/env.test.ts",
    ]);
  });

  it("names every place of a new lesson and of its exercise", () => {
    const folder = "lib/course/src/12-memory";
    const check = "export function checkRecall(): void {}\n";
    const changed = {
      [`${folder}/exercise/recall.ts`]: check,
      [`${folder}/solutions/12-recall.ipynb`]: "{}",
    };
    assert.deepEqual(filesFor(changed), [
      `${folder}/index.ts`,
      `${folder}/lesson.ts`,
      `${folder}/teacher.md`,
      "notebooks/12-memory.ipynb",
      "notebooks/README.md",
      "lib/course/package.json",
      "lib/course/src/claims.ts",
      "ARCHITECTURE.md",
      "test/notebooks",
      "lib/course/src/exercise/checkExercise.ts",
      "notebooks/exercises/12-recall.ipynb",
      "notebooks/exercises/README.md",
      "lib/course/src/shared/exercise/next.ts",
      "test/notebooks/nbgrader/wrongAnswers.ts",
    ]);
  });

  it("names what remains of a lesson whose folder was deleted", () => {
    const folder = "lib/course/src/08-step-credit";
    const files = readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" });
    const gone = Object.fromEntries(files.map((file) => [`${folder}/${file.replaceAll("\\", "/")}`, null]));
    assert.deepEqual(filesFor(gone), [
      "lib/course/package.json",
      "notebooks/08-step-credit.ipynb",
      "lib/course/src/shared/exercise/next.ts",
    ]);
  });

  it("does not take a moved file for a place that is fine", () => {
    assert.throws(() => leftOut(path.join(root, "notebooks")), /Cannot look for what is left out: no magic/);
  });
});
