import assert from "node:assert/strict";
import { glossary, advantages, custom, explain, recipe, recipeNames, surrogateGradient } from "turnwise";
import {
  citations,
  evidence,
  filterGroups,
  recipeTable,
  withRecipeTable,
} from "turnwise/internal/rule/index";
import { measuredOnLookUp } from "turnwise/internal/rule/measured";
import { batchOf, raggedInput } from "./support";

describe("equations of the rules", () => {
  it("write r for a ratio alone: a reward is R", () => {
    const reward = /\\delta(_\w)?=r|\\ge ?\w\}r_|\}r_[kj]|r_T=|r_t(=p|\\leftarrow)/;
    // It finds the former ones.
    for (const former of [
      String.raw`\delta_t=r_t+\gamma V`,
      String.raw`\sum_{k\ge t}r_k`,
      String.raw`r_t=p(\text{gold})`,
    ])
      assert.match(former, reward);
    for (const name of recipeNames) assert.doesNotMatch(citations[name].equation, reward, name);
    for (const [name, { equation }] of Object.entries(advantages))
      assert.doesNotMatch(equation, reward, name);
  });

  it("have a loss wherever the rule's page shows one part by part: GMPO for both signs, GiGPO with its episode part", () => {
    assert.match(citations.gmpo.equation, /A_i>0.*A_i<0/);
    assert.match(citations.gigpo.equation, /A\^E_i=.*A\^S_t=.*L=.*KL/);
  });
});

describe("recipeTable", () => {
  it("has one line for every recipe, each with all choices, in parts that say what they hold", () => {
    const parts = recipeTable().split(/^\*\*(.+)\*\*$/m);
    const titles = parts.filter((_, i) => i % 2 === 1);
    const lines = parts.filter((_, i) => i > 0 && i % 2 === 0).map((part) => part.trim().split("\n"));
    assert.deepEqual(titles.slice(0, 3), ["Critic-free", "Critic", "Multi-turn"]);
    assert.equal(lines.flat().length, recipeNames.length + 2 * titles.length);
    for (const line of lines.flat()) assert.equal(line.split("|").length, 12, line);
    assert.ok(lines[1]!.some((line) => line.startsWith("| `ppo` |")));
  });

  it("shows what every cell of a row chooses, in a few characters", () => {
    const row = (name: string): string | undefined =>
      recipeTable()
        .split("\n")
        .find((line) => line.startsWith(`| ${name} |`));
    assert.equal(
      row("recipe"),
      "| recipe | advantage | scale | correction | ratio | gate | aggregate | order | filter, reward | regularizer |",
    );
    assert.equal(row("---"), `| ${new Array(10).fill("---").join(" | ")} |`);
    assert.equal(
      row("`dapo`"),
      "| `dapo` | mean | group | none | token | clip 0.2/0.28 | tokenMean | simultaneous | zeroVariance; overlong penalty | none |",
    );
    assert.equal(
      row("`seeUpo`"),
      "| `seeUpo` | mean | none | none | turn, product | clip 0.2/0.2 | constant, 1 | reverse; carry exact, product | none | none |",
    );
  });

  it("is written between the markers of a text", () => {
    const [start, end] = ["<!-- recipes:start -->", "<!-- recipes:end -->"];
    const text = withRecipeTable(`before ${start} stale ${end} after`);
    assert.ok(text.startsWith(`before ${start}`) && text.endsWith(`${end} after`), text);
    assert.ok(text.includes(recipeTable()) && !text.includes("stale"), text);
  });

  it("needs both markers", () => {
    assert.throws(() => withRecipeTable("# Title"), {
      name: "RangeError",
      message:
        "Cannot write the table of recipes: the text must hold <!-- recipes:start --> and then <!-- recipes:end -->, but " +
        "a marker is missing.",
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

  it("is the row, its source, its departures, what was shown and the tags that all this uses", () => {
    const { deviations, shown } = citations.happo;
    const bundle = explain("happo") as unknown as Record<symbol, () => Record<string, string>>;
    const markdown = bundle[Symbol.for("Jupyter.display")]!.call(bundle)["text/markdown"]!.split("\n\n");
    const [judged, reached] = explain("happo").shown.slice(-2);
    assert.match(
      judged!,
      /^Report card \(REPORT-CARD\.md\), means over small worlds, groups of 8: bias \S+, cosine with the exact gradient \S+, gain \S+ of the exact gradient's, J falls in \S+ of the updates$/,
    );
    assert.match(
      reached!,
      /^LookUp-v0 \(optimum 1\), default settings, 150 updates of 64 trajectories, seeds 1-5: exact return 0\.\d{3}(, 0\.\d{3}){4}$/,
    );
    assert.deepEqual(String(explain("happo")).split("\n"), [
      "HAPPO, a turn as an agent (happo)",
      "  advantage: gae, turn",
      "  scale: batch",
      "  correction: none",
      "  ratio: turn, product",
      "  gate: clip 0.2/0.2",
      "  aggregate: constant, 1, per turn",
      "  order: random; carry exact, product",
      "  filter, reward: none",
      "  regularizer: none",
      "Source: Zhong et al., JMLR 2024, Eq. 11, arXiv 2304.09870; PKU-MARL/HARL [P]",
      "Departures:",
      ...deviations.map((one) => `- ${one}`),
      "Shown here:",
      ...shown.map((one) => `- ${one}`),
      `- ${judged!}`,
      `- ${reached!}`,
      `[P] ${evidence.P}`,
      'To check it: checkRule("happo"); beside all others: lib/turnwise/REPORT-CARD.md',
    ]);
    assert.deepEqual(markdown, [
      "**HAPPO, a turn as an agent** (`happo`)",
      `$$${citations.happo.equation}$$`,
      "| choice | value |\n| --- | --- |\n| advantage | gae, turn |\n| scale | batch |\n| correction | none |\n| ratio | turn, product |\n" +
        "| gate | clip 0.2/0.2 |\n| aggregate | constant, 1, per turn |\n| order | random; carry exact, product |\n" +
        "| filter, reward | none |\n| regularizer | none |",
      "**Source** Zhong et al., JMLR 2024, Eq. 11, arXiv 2304.09870; PKU-MARL/HARL [P]",
      "**Departures**",
      deviations.map((one) => `- ${one}`).join("\n"),
      "**Shown here**",
      [...shown, judged!, reached!].map((one) => `- ${one}`).join("\n"),
      `[P] ${evidence.P}`,
      'To check it: `checkRule("happo")`; beside all others: `lib/turnwise/REPORT-CARD.md`',
    ]);
  });

  it("ends with how to check the rule, and where it is beside others: a page, or a card to be made", () => {
    const last = (of: Parameters<typeof explain>[0]): string => String(explain(of)).split("\n").at(-1)!;
    assert.equal(
      last(recipe("grpo")),
      'To check it: checkRule("grpo"); beside all others: lib/turnwise/REPORT-CARD.md',
    );
    const changed = 'To check it: checkRule(rule); beside others: reportCard({ mine: rule, grpo: "grpo" })';
    assert.equal(last(recipe("grpo", { scale: "none" })), changed);
    const own = custom.advantage("mine", ({ return_n }) => Array.from(return_n));
    assert.equal(last(recipe("grpo", { advantage: own })), changed);
  });

  it("separates several tags", () => {
    const explanation = explain("seeUpo") as unknown as Record<symbol, () => Record<string, string>>;
    const markdown = explanation[Symbol.for("Jupyter.display")]!.call(explanation)["text/markdown"]!;
    assert.ok(
      markdown.includes(`\n\n[P-copy] ${evidence["P-copy"]}; [R] ${evidence.R}; [D] ${evidence.D}\n\n`),
      markdown,
    );
  });

  it("leaves out a list that is empty", () => {
    const bare = Object.assign(explain("grpo"), { deviations: [], shown: [] });
    // A title and nine cells, and then only the source, its tags and how to go on.
    for (const line of String(bare).split("\n").slice(10, -1)) assert.match(line, /^(Source: |\[)/);
    const inNotebook = bare as unknown as Record<symbol, () => Record<string, string>>;
    const markdown = inNotebook[Symbol.for("Jupyter.display")]!()["text/markdown"]!;
    // Title, equation, cells, source, tags and how to go on.
    assert.equal(markdown.split("\n\n").length, 6, markdown);
  });

  it("gives five measured returns for every recipe, and says so where there are none yet", () => {
    const measured = measuredOnLookUp as Record<string, readonly number[]>;
    for (const name of recipeNames) {
      assert.equal(measured[name]?.length, 5, name);
      for (const J of measured[name]!) assert.ok(J >= 0 && J <= 1, name);
    }
    const { grpo } = measured;
    delete measured["grpo"];
    try {
      assert.match(explain("grpo").shown.at(-1)!, /exact return not measured yet, run npm run generated$/);
    } finally {
      measured["grpo"] = grpo!;
    }
  });

  it("shows the row that it is given, changed cells included", () => {
    assert.match(String(explain(recipe("grpo", { scale: "none" }))), /scale: none/);
    const shaped = recipe("grpo", { reward: { overlong: { maxLength: 4, buffer: 2 } } });
    assert.match(String(explain(shaped)), /^ {2}filter, reward: overlong penalty$/m);
    assert.throws(() => explain("nope" as never), { name: "RangeError" });
  });
});

describe("glossary", () => {
  it("explains every metric with a unit, a meaning and when to worry", () => {
    for (const [name, entry] of Object.entries(glossary)) {
      assert.match(name, /^[a-z][a-zA-Z]*\/[a-zA-Z]+$/);
      for (const text of [entry.unit, entry.meaning, entry.worryWhen]) assert.ok(text.length > 3, name);
    }
  });

  it("knows every metric that a rule reports", () => {
    const batch = batchOf({ groupId: ["a", "a"], return_n: [0, 1], turnCount: [2, 1], tokens: 2 });
    for (const name of recipeNames) {
      const row = recipe(name);
      const reported = {
        ...filterGroups(batch, row).metrics,
        ...advantages(batch, row, new Float64Array(4), new Float64Array(8), {
          oldLogProb_ntlv: batch.oldLogProb_ntl,
          gradientSquare_n: [1, 1],
        }).metrics,
        ...surrogateGradient(raggedInput(2), row).metrics,
      };
      for (const metric of Object.keys(reported)) assert.ok(metric in glossary, metric);
    }
  });
});
