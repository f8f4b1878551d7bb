// Uses internals of turnwise-kernel/runner.
import assert from "node:assert/strict";
import path from "node:path";
import ts from "typescript";
import { checkRule, custom, recipe, recipeNames, type Recipe } from "turnwise";
import { readNotebook } from "turnwise-kernel/dist/runner/notebook.js";
import { formatted } from "../support/formatted.js";
import { root } from "../support/paths.js";

const notebook = readNotebook(path.join(root, "notebooks", "appendix", "custom-rules.ipynb"));
const code = notebook.cells.filter(({ cell_type }) => cell_type === "code");

/** What a stored cell shows, as text. */
const shown = (id: string): string =>
  (notebook.cells.find((cell) => cell.id === id)?.outputs ?? [])
    .map((output) =>
      "data" in output ? String(output.data["text/plain"]) : "text" in output ? output.text : "",
    )
    .join("\n");

const numbers = (text: string, pattern: RegExp): number[] =>
  (pattern.exec(text) ?? assert.fail(text)).slice(1).map(Number);

describe("the page on a rule, a world and a custom policy", () => {
  it("has at most seven sections, and cells of at most 15 lines and 100 columns, as Prettier leaves them", async () => {
    const sections = notebook.cells.filter(({ source }) => /^## \d/.test(source));
    assert.equal(sections.length, 7);
    for (const cell of code) {
      assert.equal(cell.source, await formatted(cell.source), cell.id);
      const lines = cell.source.split("\n");
      assert.ok(lines.length <= 15, `${cell.id} has ${String(lines.length)} lines`);
      assert.ok(Math.max(...lines.map((line) => line.length)) <= 100, cell.id);
    }
  });

  it("shows what its text says: a rule that stays at 0 without a fault, and a slip that is found", () => {
    const [winners, drGrpo] = numbers(shown("rule-curve"), /winners ends at (\S+) .*drGrpo ends at (\S+) /);
    assert.ok(winners! < 0.05 && drGrpo! > 0.9);
    assert.match(shown("check"), /no fault found[^]*a pays 1 with probability 0\.25, b pays 0\.4/);
    assert.match(shown("slip"), /^row order: [^]*\nbatch size: /);
  });

  it("shows a gate that gets further, a loss that does not drift, and a policy that learns sooner", () => {
    const [cispo, clip] = numbers(shown("gate"), /cispo ends at (\S+) .*clip ends at (\S+) /);
    assert.ok(cispo! > clip!);
    const gaps = [...shown("loss-records").matchAll(/at most (\S+) apart/g)].map(([, gap]) => Number(gap));
    assert.equal(gaps.length, 4);
    assert.ok(Math.max(...gaps) < 1e-6);
    assert.match(shown("policy"), /17 checks passed/);
    const [linear, table] = numbers(shown("policy-curve"), /linear ends at (\S+) .*table ends at (\S+) /);
    assert.ok(linear! > table!);
  });

  it("teaches a loss that passes checkRule, and says where the library's own CISPO is", () => {
    const cell = (id: string): string => notebook.cells.find((one) => one.id === id)!.source;
    const { outputText } = ts.transpileModule(`${cell("loss")}\nreturn typed;`, {
      compilerOptions: { target: ts.ScriptTarget.ES2022 },
    });
    const typed = new Function("recipe", "custom", outputText)(recipe, custom) as Recipe;
    const card = checkRule(typed);
    assert.ok(card.passed, String(card));
    assert.ok(recipeNames.includes("cispo"));
    assert.match(cell("gate-text"), /The library has it as the rule `cispo`/);
  });

  it("shows twenty seeds that end below the untrained agent, and a report card that says where the rule goes downhill", () => {
    const [random] = numbers(shown("world-card"), /the random agent gets +(\S+), exactly/);
    const [low, high] = numbers(shown("sweep"), /winners: 20 seeds.*return\/exact \S+ \[(\S+), (\S+)\]/);
    assert.ok(low! < high! && high! < random!);
    const report = shown("report");
    for (const world of ["delayed", "recovery", "stopOrGo"]) {
      const [cosine] = numbers(report, new RegExp(`winners at ${world} (\\S+?)[,.] `));
      assert.ok(cosine! > 0.95, world);
    }
    assert.ok(numbers(report, /winners at tiger (\S+?), /)[0]! < 0);
  });
});
