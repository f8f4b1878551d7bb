import assert from "node:assert/strict";
import { playground } from "turnwise";
import { curveNames, type Look } from "turnwise/internal/play/curveNames";

const display = Symbol.for("Jupyter.display");
const namesOf = (x: object): string[] => {
  const text = (x as Record<symbol, () => Record<string, string>>)[display]!()["text/plain"]!;
  const curves = /learning curve of \S+\. (.*); the exact/.exec(text)?.[1] ?? "";
  return curves.split(/: -?\d\.\d+ after update \d+(?:, |$)/).filter((name) => name !== "");
};

const others = { groups: "8", groupSize: "8", seed: "0" };
const look = (recipe: string, changed: Look["changed"] = {}, more: Partial<typeof others> = {}): Look => ({
  recipe,
  changed,
  others: { ...others, ...more },
});
const rate = (now: string): Look["changed"] => ({ "update.optimizer.learningRate": { now, inRow: "0.03" } });

describe("names of the playground's curves", () => {
  it("are the recipe for a run alone, and for runs that differ in it", () => {
    assert.deepEqual(curveNames([[look("grpo")]]), ["grpo"]);
    assert.deepEqual(curveNames([[look("grpo")], [look("rloo")]]), ["grpo", "rloo"]);
  });

  it("are the changed cell for runs of one recipe, with the row's own value where it was left", () => {
    assert.deepEqual(curveNames([[look("grpo")], [look("grpo", rate("2"))]]), [
      "learningRate 0.03",
      "learningRate 2",
    ]);
    // Of another recipe nobody knows the value, and its name tells enough.
    assert.deepEqual(curveNames([[look("rloo")], [look("grpo", rate("2"))]]), [
      "rloo",
      "grpo, learningRate 2",
    ]);
  });

  it("tell seeds and group sizes only where these differ", () => {
    assert.deepEqual(curveNames([[look("grpo")], [look("grpo", {}, { seed: "3" })]]), ["seed 0", "seed 3"]);
  });

  it("tell with an arrow what was changed while a run went on, also of a run alone", () => {
    assert.deepEqual(curveNames([[look("grpo"), look("grpo", rate("2")), look("grpo")]]), [
      "learningRate 0.03 → 2 → 0.03",
    ]);
    const often = ["1", "2", "3"].map((now) => look("grpo", rate(now)));
    assert.deepEqual(curveNames([[look("grpo"), ...often]]), ["learningRate 0.03 → … → 3"]);
    assert.deepEqual(curveNames([[look("grpo"), look("rloo")], [look("rloo")]]), ["grpo → rloo", "rloo"]);
  });

  it("call a run that differs in nothing the same, again", () => {
    const same = [[look("grpo")], [look("grpo")], [look("grpo")]];
    assert.deepEqual(curveNames(same), ["grpo", "grpo, again", "grpo, again (2)"]);
  });

  it("follow what is done in a playground; a change without an update after it is no part of a curve", async () => {
    const p = playground({ updates: 10 });
    await p.run();
    assert.deepEqual(namesOf(p), ["grpo"]);
    p.set("learningRate", 2);
    assert.deepEqual(namesOf(p), ["grpo"]);
    p.reset();
    await p.run(5);
    assert.deepEqual(namesOf(p), ["learningRate 0.03", "learningRate 2"]);
    p.set("scale", "none");
    await p.run(2);
    // One drag of a slider sets many values, each for some updates: the last one counts.
    for (const learningRate of [1, 0.5, 0.1]) {
      p.set("learningRate", learningRate);
      await p.run(1);
    }
    assert.deepEqual(namesOf(p), [
      "learningRate 0.03, scale group",
      "learningRate 2 → 0.1, scale group → none",
    ]);
  });
});
