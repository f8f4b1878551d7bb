import assert from "node:assert/strict";
import { glossary } from "turnwise/dist/base/glossary";
import {
  advantages,
  citations,
  evidence,
  explain,
  filterGroups,
  recipe,
  recipeNames,
  recipeTable,
  surrogateGradient,
  withRecipeTable,
} from "turnwise/dist/rule";
import { batchOf, raggedInput } from "./support";

describe("recipeTable", () => {
  it("has one line for every recipe, each with all choices", () => {
    const lines = recipeTable().split("\n");
    assert.equal(lines.length, recipeNames.length + 2);
    for (const line of lines) assert.equal(line.split("|").length, 11, line);
  });

  it("needs both markers", () => {
    assert.throws(() => withRecipeTable("# Title"), {
      name: "RangeError",
      message:
        "Cannot write the table of recipes as the text must hold <!-- recipes:start --> and then <!-- recipes:end -->: " +
        "a marker is missing",
    });
  });
});

describe("explain", () => {
  it("gives every recipe an equation and a source with an evidence tag that exists", () => {
    for (const name of recipeNames) {
      const { equation, source, deviations, shown } = citations[name];
      assert.ok(equation.length > 10, name);
      const tags = [source, ...deviations, ...shown].flatMap((x) => x.match(/\[[A-Za-z-]+\]/g) ?? []);
      assert.ok(/\[[A-Za-z-]+\]/.test(source), `${name}: the source needs a tag`);
      for (const tag of tags) assert.ok(tag.slice(1, -1) in evidence, `${name}: unknown tag ${tag}`);
    }
  });

  it("balances the braces of every equation", () => {
    for (const name of recipeNames) {
      const text = citations[name].equation.replace(/\\[{}]/g, "");
      let depth = 0;
      for (const c of text) {
        if (c === "{") depth += 1;
        if (c === "}") depth -= 1;
        assert.ok(depth >= 0, name);
      }
      assert.equal(depth, 0, name);
    }
  });

  it("shows itself in a notebook as Markdown with the formula, and as plain text", () => {
    const explanation = explain("seeUpo") as unknown as Record<symbol, () => Record<string, string>>;
    const bundle = explanation[Symbol.for("Jupyter.display")]!.call(explanation);
    assert.match(bundle["text/markdown"]!, /\*\*SeeUPO, as in the paper\*\*/);
    assert.ok(bundle["text/markdown"]!.includes(`$$${citations.seeUpo.equation}$$`));
    assert.match(bundle["text/plain"]!, /order: reverse; carry exact, product/);
    assert.match(bundle["text/plain"]!, /\[P-copy\] paper text in a near-verbatim copy/);
  });

  it("shows the row that it is given, changed cells included", () => {
    assert.match(String(explain(recipe("grpo", { scale: "none" }))), /scale: none/);
    assert.throws(() => explain("nope" as never), { name: "RangeError" });
  });
});

describe("glossary", () => {
  it("explains every metric with a unit, a meaning and when to worry", () => {
    for (const [name, entry] of Object.entries(glossary)) {
      assert.match(name, /^[a-z]+\/[a-zA-Z]+$/);
      for (const text of [entry.unit, entry.meaning, entry.worryWhen]) assert.ok(text.length > 3, name);
    }
  });

  it("knows every metric that a rule reports", () => {
    const batch = batchOf({ groupId: ["a", "a"], return_n: [0, 1], turnCount: [2, 1], tokens: 2 });
    for (const name of recipeNames) {
      const row = recipe(name);
      const reported = {
        ...filterGroups(batch, row).metrics,
        ...advantages(batch, row, new Float64Array(4)).metrics,
        ...surrogateGradient(raggedInput(2), row).metrics,
      };
      for (const metric of Object.keys(reported)) assert.ok(metric in glossary, metric);
    }
  });
});
