// Uses internals of turnwise-course.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { recipe, recipeNames } from "turnwise";
import { boardBudget, boardRun, boardWorlds } from "turnwise-course/internal/worlds/ruleRuns";
import { readLink, linkOf } from "turnwise-site/internal/views/shared/settings";
import { changedRule, fieldsOf } from "turnwise-site/internal/views/board/fields";
import { gainOf, placeOf, scoreOf } from "turnwise-site/internal/views/board/scores";
import { settingsOf } from "turnwise-site/internal/views/board/settings";
import { gainWords, nearestTo, ruleWords, two } from "turnwise-site/internal/views/board/words";
import { root } from "../../support/paths.js";

describe("the board", () => {
  const worlds = [
    { id: "a", asks: "", random: 0, optimum: 1 },
    { id: "b", asks: "", random: -10, optimum: 10 },
  ];

  it("scores a rule from the random policy to the best one, and averages the worlds", () => {
    // Of b, -5 is a quarter of the way and 10 all of it; seed by seed: (.5 + .25) / 2 and (1 + 1) / 2.
    const { overall, byWorld, bySeed } = scoreOf(worlds, [[0.5, 1], [-5, 10]]); // prettier-ignore
    assert.deepEqual(bySeed, [0.375, 1]);
    assert.deepEqual(byWorld, [0.75, 0.625]);
    assert.equal(overall, 0.6875);
    // A world that is one training behind: the seeds that both have.
    assert.deepEqual(scoreOf(worlds, [[0.5, 1], [-5]]).bySeed, [0.375]); // prettier-ignore
    assert.deepEqual([-0.004, 0.004, -0.5].map(two), ["0.00", "0.00", "−0.50"]);
    assert.deepEqual([placeOf(0.5, [0.9, 0.5, 0.1]), placeOf(1, [0.9])], [2, 1]);
  });

  it("tells a gain from luck by its interval over the same seeds", () => {
    const score = (bySeed: number[]) => ({ overall: 0, byWorld: [], bySeed });
    const base = score(Array.from({ length: 20 }, () => 0.5));
    // Half of the seeds gain .1 and half .3: mean .2, deviation .1026, error .02294, times 2.093 is .048.
    const better = score(Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? 0.6 : 0.8)));
    const { gain, low, high } = gainOf(better, base);
    assert.deepEqual([gain, low, high].map((x) => Number(x.toFixed(3))), [0.2, 0.152, 0.248]); // prettier-ignore
    assert.match(gainWords("GRPO", better, base), /^It scores higher than GRPO by 0.20 \[0.15, 0.25\]/);
    const mixed = score(Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? 0.4 : 0.7)));
    assert.match(gainWords("GRPO", mixed, base), /^No difference from GRPO is shown: 0.05 \[−0.02, 0.12\]/);
    assert.ok(Number.isNaN(gainOf(score([1]), score([0])).low));
  });

  it("takes a rule and a change from a link, and no code", () => {
    const settings = settingsOf(recipeNames);
    const read = (link: string): unknown[] => {
      const { values, refused } = readLink(settings, link);
      return [values.rule, values.change, refused];
    };
    assert.deepEqual(read("#rule=dapo&change=gate.clipHigh~0.3"), ["dapo", "gate.clipHigh~0.3", []]);
    const refused = [
      "rule=__proto__",
      "rule=custom",
      "change=gate~(x)=>x",
      "change=gate~alert(1)",
      "change=gate~%3Cb%3E",
      "change=gate",
      "change=a~b~c",
      `change=${"a".repeat(90)}~1`,
      "code=1",
      "gate=({ratio})",
    ];
    for (const part of refused) assert.deepEqual(read(`#${part}`), ["grpo", "", [part]]);
    const values = { rule: "seeUpo", change: "order.carry~off" };
    assert.deepEqual(readLink(settings, linkOf(settings, values)).values, values);
  });

  it("offers the changes that fit a rule, and makes them", () => {
    const fields = fieldsOf("grpo");
    const values = (path: string): readonly string[] => fields.find((one) => one.path === path)?.values ?? [];
    assert.deepEqual(values("scale"), ["none", "batch", "mean", "tokens"]);
    assert.ok(values("gate.clipHigh").includes("0.3") && !values("gate.clipHigh").includes("0.2"));
    // The ratio would be ignored.
    assert.ok(!values("gate").includes("none"));
    assert.ok(fields.every(({ path }) => !/custom|loss/.test(path)));
    for (const { path, values } of fields)
      assert.doesNotThrow(() => changedRule("grpo", `${path}~${values.at(-1)!}`), path);
    assert.deepEqual(changedRule("grpo", "scale~none"), recipe("grpo", { scale: "none" }));
    assert.deepEqual(
      changedRule("grpo", "regularizer.klReference~on"),
      recipe("grpo", { regularizer: { klReference: {} } }),
    );
    for (const change of ["gate.dualClip~3", "gate.clipHigh~-1", "scale~nonsense", "name~ppo", "__proto__~1"])
      assert.throws(() => changedRule("grpo", change), {
        name: "RangeError",
        message: /^Cannot change grpo: no field/,
      });
  });

  it("begins a change next to the rule's own value", () => {
    const clip = fieldsOf("grpo").find(({ path }) => path === "gate.clipHigh")!;
    assert.deepEqual([clip.own, nearestTo(clip.own, clip.values)], ["0.2", "0.3"]);
    assert.equal(nearestTo("0.05", ["0.01", "0.06", "0.1"]), "0.06");
    assert.equal(nearestTo("off", ["0.5", "1"]), "0.5");
    assert.equal(nearestTo("group", ["none", "batch"]), "none");
  });

  it("names a change of the gate only as long as the reader has not replaced the gate", () => {
    assert.equal(ruleWords("DAPO", "gate.clipHigh~0.3", false), "DAPO, gate.clipHigh 0.3");
    assert.equal(ruleWords("DAPO", "gate.clipHigh~0.3", true), "DAPO, gate of yours");
    assert.equal(ruleWords("DAPO", "gate~minimum", true), "DAPO, gate of yours");
    assert.equal(ruleWords("DAPO", "scale~none", true), "DAPO, scale none, gate of yours");
    assert.equal(ruleWords("DAPO", "", false), "DAPO");
  });

  it("has every rule's returns for all seeds, and reaches one of them again", async () => {
    const lines = fs
      .readFileSync(path.join(root, "datasets/measured/rule-board.csv"), "utf8")
      .trim()
      .split("\n");
    const known = new Map(
      lines.slice(1).map((line) => [line.slice(0, line.lastIndexOf(",")), line.split(",").at(-1)]),
    );
    for (const rule of recipeNames)
      for (const { id } of boardWorlds)
        for (const seed of boardBudget.seeds)
          assert.ok(known.has([rule, id, seed].join(",")), `${rule} ${id} ${seed}`);
    assert.equal(known.size, recipeNames.length * boardWorlds.length * boardBudget.seeds.length);
    const [, tiger] = boardWorlds;
    const reached = await boardRun(recipe("grpo"), tiger!.id, 9000);
    assert.equal(String(Number(reached.toFixed(4))), known.get(`grpo,${tiger!.id},9000`));
  });
});
