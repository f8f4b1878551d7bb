import assert from "node:assert/strict";
import { recipe, recipeNames, train } from "turnwise";
import { passesOf } from "turnwise-site/internal/views/film/passes";
import { makeCatalog } from "turnwise-site/internal/views/play/makeCatalog";
import { readRuns, runsText, withValue } from "turnwise-site/internal/views/play/runs";
import { settingsFor } from "turnwise-site/internal/views/play/settings";
import { closestTo, shoot, Training } from "turnwise-site/internal/views/play/training";
import { finding, namesOf, terms } from "turnwise-site/internal/views/play/words";
import { linkOf, readLink } from "turnwise-site/internal/views/shared/settings";

describe("the playground's page", () => {
  const catalog = makeCatalog();
  const run = { rule: "grpo", changes: {} } as const;

  it("knows every rule, and of every offered choice the equation and a sentence", () => {
    assert.deepEqual(
      catalog.groups.flatMap(({ rules }) => rules.map(({ name }) => name)).sort(),
      [...recipeNames].sort(),
    );
    for (const name of [
      "advantage",
      "scale",
      "correction",
      "ratio",
      "gate",
      "aggregate",
      "order",
      "filter",
    ] as const) {
      const knob = catalog.knobs[name];
      assert.ok("words" in knob);
      for (const word of knob.words) {
        const { help, equation } = catalog.choices[name]![word]!;
        assert.ok(help.endsWith(".") && equation.includes("<math"), `${name} ${word}`);
      }
    }
  });

  it("writes runs into a link and reads them back, and takes nothing else", () => {
    const text = "grpo~gate:unclipped~epochs:8~learningRate:0.2,seeUpo~seed:3";
    assert.equal(runsText(readRuns(text, catalog)!), text);
    const refused = [
      ...["", "grpo,", "nonsense", "grpo~gate:evil", "grpo~epochs:9", "grpo~epochs:2.5", "grpo~epochs:08"],
      ...["grpo~seed:1e0", "grpo~learningRate:NaN", "grpo~learningRate:Infinity", "grpo~constructor:1"],
      ...[
        "grpo~env:Tiger-v0",
        "grpo~recipe:ppo",
        "grpo~gate:as in the rule",
        "grpo~seed:1~seed:2",
        "__proto__",
      ],
      ...["grpo~seed:1:2", "grpo,grpo,grpo,grpo,grpo,grpo", "<img src=x>"],
    ];
    for (const one of refused) assert.equal(readRuns(one, catalog), undefined, one);
    const settings = settingsFor(catalog);
    const linked = readLink(settings, "#world=Tiger-v0&runs=grpo~seed:4&updates=7&x=1");
    assert.deepEqual(linked.refused, ["updates=7", "x=1"]);
    assert.equal(linkOf(settings, linked.values), "#world=Tiger-v0&runs=grpo~seed:4");
    assert.equal(linkOf(settings, readLink(settings, "").values), "");
  });

  it("takes back a change that is the rule's own value", () => {
    const changed = withValue(run, "gate", "unclipped", catalog);
    assert.deepEqual(changed.changes, { gate: "unclipped" });
    assert.deepEqual(withValue(changed, "gate", "clip", catalog), run);
  });

  it("names the closest known rule and what differs from it", () => {
    assert.deepEqual(closestTo(recipe("grpo")), { name: "grpo", title: "GRPO", differences: [] });
    const { name, differences } = closestTo(recipe("grpo", { gate: "unclipped" }));
    assert.deepEqual([name, differences], ["grpo", [{ field: "gate", theirs: "clip" }]]);
    // A number of a field, and not the field itself.
    const wider = closestTo(recipe("grpo", { gate: { clipHigh: 0.3 } }));
    assert.deepEqual(wider.differences, [{ field: "gate", theirs: "clipHigh 0.2" }]);
    // Without its division by the spread and with one more change, GRPO is another known rule.
    assert.equal(
      closestTo(recipe("grpo", { scale: "none", aggregate: recipe("drGrpo").aggregate })).name,
      "drGrpo",
    );
  });

  it("trains as train() does, and films an update of the same run", async () => {
    const task = { key: "", world: "LookUp-v0", updates: 5, run };
    const here = new Training(task);
    const exact: (number | undefined)[] = [];
    for (let point = await here.next(); point; point = await here.next()) exact.push(point.exact);
    const there: (number | undefined)[] = [];
    const setting = {
      env: "LookUp-v0",
      recipe: "grpo",
      policy: { syntaxPrior: 3 },
      updates: 5,
      exactEvery: 5,
    } as const;
    for await (const { metrics } of train(setting)) there.push(metrics["return/exact"]);
    assert.deepEqual(exact, there);
    // The agent of the film before its first pass.
    assert.equal(here.start, passesOf({ batch: 1, passes: 1, rate: 1, clip: Infinity })[0]!.J);
    const shot = await shoot(task, 5, () => true);
    assert.equal(shot!.exact!.after, exact[4]);
    assert.equal(await shoot(task, 5, () => false), undefined);
  });

  it("says what the curves show", () => {
    const [clipped, plain] = namesOf([{ rule: "grpo", changes: { gate: "unclipped" } }, run], catalog);
    assert.deepEqual([clipped, plain], ["gate unclipped", "gate clip"]);
    assert.deepEqual(namesOf([run], catalog), ["GRPO"]);
    const end = (name: string, peak: number, last: number) => ({ name, peak, end: last });
    assert.equal(finding([end("GRPO", 0.99, 0.99)], "GRPO", 1), "GRPO reaches .99 of 1.00");
    assert.equal(finding([end("GRPO", 0.8, 0.1)], "GRPO", 1), "GRPO learns to .80 and falls to .10");
    assert.equal(
      finding([end("a", 0.9, 0.9), end("b", 0.9, 0.9)], "GRPO", 1),
      "GRPO ends at .90 in every run",
    );
    assert.equal(
      finding([end("a", 0.9, 0.9), end("b", 0.5, 0.5)], "GRPO", 1),
      "GRPO reaches .90 with a, .50 with b",
    );
    assert.equal(
      finding([end("a", 0.9, 0.9), end("b", 0.9, 0.2)], undefined, 1),
      "b learns to .90 and falls to .20",
    );
  });

  it("explains the words of its own chart, and no others", () => {
    assert.equal(
      terms(["gate unclipped", "gate clip"], "GRPO"),
      "GRPO judges each try by the mean of its group, all tries at the same task. The gate says when a batch stops " +
        "pushing a word: clip, once its probability has moved far enough; unclipped, never.",
    );
    assert.equal(terms(["gate sapo"], undefined), "The gate says when a batch stops pushing a word.");
    assert.equal(terms(["PPO"], "PPO"), "");
  });
});
