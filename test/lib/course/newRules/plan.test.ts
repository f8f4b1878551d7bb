import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { recipe } from "turnwise";
import {
  ruleArm,
  ruleArms,
  ruleOfArm,
  ruleWorlds,
  worldOfArm,
  type RuleArmName,
  type RuleWorldName,
} from "turnwise-course/internal/newRules/design";
import { armsIn, ruleQuestions } from "turnwise-course/internal/newRules/questions";
import {
  preregisteredRules,
  ruleStudyPlan,
  ruleTuningPlan,
  tunedRuleRate,
  type TunedArm,
} from "turnwise-course/internal/newRules/plan";
import { ruleRun } from "turnwise-course/internal/newRules/run";
import { root } from "../../../support/paths";

const words = (text: string): string => text.replace(/\s+/g, " ").replace(/-+/g, "-");
const point = (rate: number, learned: number, passAt8 = 0): TunedArm => ({
  world: "lookUp",
  arm: "GRPO",
  rate,
  seeds: 8,
  learned,
  final: 0,
  passAt8,
});

describe("the study of the newer rules", () => {
  it("is preregistered as it is run", () => {
    const file = path.join(root, "lib", "course", "src", "newRules", "PREREGISTRATION.md");
    const text = readFileSync(file, "utf8");
    const plan = text.slice(text.indexOf("<!-- plan:start -->") + 19, text.indexOf("<!-- plan:end -->"));
    assert.equal(words(plan).trim(), words(preregisteredRules()));
  });

  it("runs every arm that a question names, and no other", () => {
    const asked = new Set(ruleQuestions.flatMap(({ own, other }) => [own, other]));
    assert.deepEqual([...asked].sort(), Object.keys(ruleArms).sort());
    for (const world of Object.keys(ruleWorlds) as RuleWorldName[]) {
      assert.ok(armsIn(world).length > 1, world);
      for (const arm of armsIn(world)) assert.doesNotThrow(() => ruleOfArm(arm, 0.1), arm);
    }
  });

  it("leaves each rule as it stands in the table, but for the part that a question names", () => {
    const { update: _, ...own } = ruleOfArm("GPG", 0.1);
    const { update: __, ...table } = recipe("gpg");
    assert.deepEqual(own, table);
    assert.equal(ruleOfArm("AgentOPSD, all turns alike", 0.1).advantage.kind, "belief");
    assert.equal(ruleArm("ReMax").groupSize, 1);
    assert.equal(ruleArm("GPG").groups, 8);
    assert.equal(worldOfArm("handOver", "RAE, one baseline for all agents").spec.agents, undefined);
    assert.ok(worldOfArm("handOver", "RAE").spec.agents);
  });

  it("chooses the rate of the best mean outcome, the smallest of equals", () => {
    const points = [point(0.1, 0.5), point(0.05, 0.5), point(0.2, 0.4)];
    assert.equal(tunedRuleRate(points, "lookUp", "GRPO"), 0.05);
    const other = points.map((one, i) => ({ ...one, arm: "GRPO for pass@8" as RuleArmName, passAt8: i }));
    assert.equal(tunedRuleRate(other, "lookUp", "GRPO for pass@8"), 0.2);
    assert.throws(() => tunedRuleRate(points, "tMaze", "GRPO"), /"GRPO" must have been tuned in tMaze/);
  });

  it("tunes on other seeds than it runs", () => {
    const tuning = ruleTuningPlan("handOver");
    assert.equal(tuning.grid.cell.length, 30);
    const points = tuning.grid.cell.map(({ world, arm, rate }) => ({ ...point(rate, rate), world, arm }));
    const study = ruleStudyPlan("handOver", points);
    assert.deepEqual(
      study.grid.cell.map(({ rate }) => rate),
      [0.4, 0.4, 0.4, 0.4, 0.4],
    );
    assert.equal(study.seeds.filter((seed) => tuning.seeds.includes(seed)).length, 0);
  });

  it("counts what a run takes, greedy episodes included", async () => {
    const run = await ruleRun({ cell: { world: "handOver", arm: "RAE", rate: 0.1 }, seed: 9000 });
    assert.equal(run.samples, 60 * 64);
    assert.equal(run.optimizerSteps, 60 * 4);
    assert.ok(run.learned > 0 && run.learned <= run.final && run.passAt8 > 0.9, JSON.stringify(run));
  });
});
