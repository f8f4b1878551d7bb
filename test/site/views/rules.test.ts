// Uses internals of turnwise/rule.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { recipeNames } from "turnwise";
import { citations } from "turnwise/rule";
import { measuredOnLookUp } from "turnwise/internal/rule/measured";
import { namesOf, rulesIn } from "turnwise-site/builder/rules/claims.cjs";
import { partsOf } from "turnwise-site/builder/rules/math.cjs";
import { linkedSource } from "turnwise-site/builder/rules/sources.cjs";
import { rowsOf } from "turnwise-site/builder/rules/graph.cjs";
import { treeOf } from "turnwise-site/builder/rules/tree.cjs";
import { settingsIn } from "turnwise-site/internal/views/rules/cell";
import { curvePicture, curveWords } from "turnwise-site/internal/views/rules/curve";
import { matches } from "turnwise-site/internal/views/rules/filters";
import { scheduleHtml } from "turnwise-site/internal/views/rules/schedule";
import { PageModel } from "turnwise-site/internal/views/shared/pageModel";
import { fragmentOf } from "turnwise-site/internal/views/shared/settings";
import { root } from "../../support/paths.js";

const stored = (name: string): string[] =>
  fs
    .readFileSync(path.join(root, "datasets", "measured", name), "utf8")
    .trim()
    .split("\n");

describe("the map of the rules", () => {
  it("puts each rule below the closest one, and lists those that are one field away", () => {
    // a and b differ in the gate; c differs from b in the scale, and so from a in two fields.
    const cells: Readonly<Record<string, Readonly<Record<string, string>>>> = {
      a: { "gate.clipHigh": ".2", "scale": "group", "update.epochs": "1" }, // prettier-ignore
      b: { "gate.clipHigh": ".3", "scale": "group", "update.epochs": "2" }, // prettier-ignore
      c: { "gate.clipHigh": ".3", "scale": "none", "update.epochs": "1" }, // prettier-ignore
    };
    const tree = treeOf(
      ["a", "b", "c"],
      (x, y) =>
        Object.keys(cells[x]!)
          .filter((field) => cells[x]![field] !== cells[y]![field])
          .map((field) => ({ field, values: [cells[x]![field]!, cells[y]![field]!] })),
      "a",
    );
    const of = (name: string): unknown[] => [tree[name]!.parent, tree[name]!.depth, tree[name]!.place];
    assert.deepEqual([of("a"), of("b"), of("c")], [[undefined, 0, 0], ["a", 1, 1], ["b", 2, 2]]); // prettier-ignore
    assert.deepEqual(
      tree["b"]!.near.map(({ name, fields }) => [name, ...fields]),
      [["a", "gate"], ["c", "scale"]], // prettier-ignore
    );
  });

  it("draws a rule's first child on its line, and each other below all that hangs on those before", () => {
    // a has b and e; b has c and d.
    const parents = { a: undefined, b: "a", c: "b", d: "b", e: "a" };
    const ordered = Object.entries(parents).map(([name, parent]) => ({ name, parent }));
    assert.deepEqual([...rowsOf(ordered)], [["a", 0], ["b", 0], ["c", 0], ["d", 1], ["e", 2]]); // prettier-ignore
  });

  it("tells in which of its steps a rule differs from the one next to it", () => {
    const own = { "update.epochs": "1", "update.minibatches": "4" };
    assert.equal(
      scheduleHtml(own, { "update.epochs": "2", "update.minibatches": "4" }, "A & B"),
      "Not the rule alone: its steps differ from those of A &amp; B, too. <code>update.epochs</code> 1 (A &amp; B: 2).",
    );
    assert.equal(scheduleHtml(own, { ...own }, "A"), "");
  });

  it("takes the settings of a cell from a fragment, and from the address of a page", () => {
    const address = "https://example.org/turnwise/rules/gspo/";
    assert.deepEqual(
      [`${address}#beside=ppo`, address, "#rule=dapo", "rule=dapo", "", "https://example.org/rules/"].map(
        settingsIn,
      ),
      ["rule=gspo&beside=ppo", "rule=gspo", "rule=dapo", "rule=dapo", "", ""],
    );
    assert.deepEqual(
      ["https://example.org/film/", "https://example.org/film/#clip=on", "clip=on"].map(fragmentOf),
      ["", "clip=on", "clip=on"],
    );
  });

  it("tells nothing more to a listener that another one has taken away", () => {
    const model = new PageModel(
      { on: { kind: "switch", initial: false } },
      { read: () => "", write: () => undefined },
    );
    const heard: string[] = [];
    const second = (): void => void heard.push("second");
    model.on("change", () => {
      heard.push("first");
      model.off("change", second);
    });
    model.on("change", second);
    model.set("on", true);
    assert.deepEqual(heard, ["first"]);
  });

  it("filters by words, group, year and field together", () => {
    const facts = {
      words: "dapo arxiv 2503.14476",
      group: "Critic-free",
      year: "2025",
      choices: ["gate: clip"],
    };
    const none = { words: "", group: "any", year: "any", choice: "any" };
    assert.ok(matches(facts, none));
    assert.ok(
      matches(facts, { words: " DAPO  2503 ", group: "Critic-free", year: "2025", choice: "gate: clip" }),
    );
    assert.ok(!matches(facts, { ...none, words: "dapo ppo" }));
    for (const other of [{ group: "Critic" }, { year: "2024" }, { choice: "gate: sapo" }])
      assert.ok(!matches(facts, { ...none, ...other }));
  });

  it("links a source to its paper and to the lines of the release or commit that it cites", () => {
    const html = linkedSource(
      "arXiv 2501.03262v2; verl 0.9.1, verl/trainer/a.py:728; src/b.py:3-9 in x/y at 0c478b2 [P] <b>",
    );
    assert.equal(
      html,
      '<a href="https://arxiv.org/abs/2501.03262v2">arXiv 2501.03262v2</a>; verl 0.9.1, ' +
        '<a href="https://github.com/verl-project/verl/blob/v0.9.1/verl/trainer/a.py#L728">verl/trainer/a.py:728</a>; ' +
        '<a href="https://github.com/x/y/blob/0c478b2/src/b.py#L3-L9">src/b.py:3-9</a> in x/y at 0c478b2 [P] &lt;b&gt;',
    );
    // Without a release, a line has no address that would stay.
    assert.equal(linkedSource("verl trainer/a.py [P]"), "verl <code>trainer/a.py</code> [P]");
  });

  it("finds the rules that a claim names, and takes Dr. GRPO for no GRPO", () => {
    const names = namesOf(citations);
    assert.deepEqual(rulesIn("Dr. GRPO does not divide", names), ["drGrpo"]);
    assert.deepEqual(rulesIn("GRPO loses | SeeUPO, Table 1", names).sort(), [
      "grpo",
      "seeUpo",
      "seeUpoAuthors",
    ]);
    assert.deepEqual(rulesIn("Paying for information | arXiv 2510.14967", names), ["igpo"]);
    assert.deepEqual(rulesIn("A verifier that fails | this lesson", names), []);
  });

  it("divides an equation at the commas of its top level alone", () => {
    assert.deepEqual(partsOf(String.raw`A=\frac{a,\quad b}{c},\quad L=-A`), [
      String.raw`A=\frac{a,\quad b}{c}`,
      "L=-A",
    ]);
  });

  it("draws the curves of two rules, each seed and the mean, and says where they end", () => {
    const curves = [
      { name: "one", runs: [[0.5, 1], [0.1, 0.5]] }, // prettier-ignore
      { name: "two", runs: [[0, 0]] }, // prettier-ignore
    ];
    const svg = curvePicture([50, 100], curves);
    // The height for curves is 270 - 12 - 40 = 218, so a mean of .75 is at 12 + .25 x 218 = 66.5; 100 updates end at 440 - 10.
    assert.ok(svg.includes('class="mean" d="M42.0 230.0L236.0 164.6L430.0 66.5"'));
    assert.equal(svg.match(/class="seed"/g)?.length, 3);
    assert.equal(curveWords(curves[0]!), "one ends at 0.75 on average, its seeds between 0.50 and 1.00");
  });

  it("has curves of every rule, which end where explain says that they do", () => {
    const [head = "", ...lines] = stored("rule-curves.csv");
    assert.equal(head.split(",").at(-1), "150");
    for (const name of recipeNames) {
      const ends = lines.map((line) => line.split(",")).filter(([rule]) => rule === name);
      // Four digits here, three there.
      ends.forEach((line, i) =>
        assert.ok(
          Math.abs(Number(line.at(-1)) - measuredOnLookUp[name]![i]!) < 0.00056,
          `${name} ${line[1]!}`,
        ),
      );
      assert.equal(ends.length, measuredOnLookUp[name]!.length, name);
    }
  });
});
