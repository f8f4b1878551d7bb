import assert from "node:assert/strict";
import { make } from "turnwise";
import {
  drawFixedPlans,
  drawMask,
  drawNoiseAndBias,
  drawOneStepOrMany,
  drawSkills,
  drawTeam,
  fixedPlan,
  sixTries,
  trainSkills,
} from "turnwise-course/agentic-pomdp";
import { type StoredRecord } from "turnwise-course";

describe("a fixed plan", () => {
  it("guesses where an agent looks up, and does as well where nothing is revealed", () => {
    // One of four facts: 1/4 for the plan. "now or later" tells nothing on the way: 1.5 for both.
    const lookUp = fixedPlan(make("MatrixChain-v0", { game: "guessOrLookUp" }));
    assert.deepEqual([lookUp.plan, lookUp.agent], [0.25, 1]);
    const later = fixedPlan(make("MatrixChain-v0", { game: "nowOrLater" }));
    assert.deepEqual([later.plan, later.agent, later.score], [1.5, 1.5, 1]);
  });

  it("is drawn from the world in which it gets most to that in which it gets least", () => {
    const plan = (world: string, score: number) => ({ world, score, random: 0, plan: score, agent: 1 });
    const chart = drawFixedPlans([plan("tool", 0.254), plan("prompt", 1)]);
    assert.equal(
      chart.summary,
      "What a fixed plan gets of what the best agent gets: prompt 100 %, tool 25 %.",
    );
    assert.throws(() => drawFixedPlans([]), {
      message: "Cannot draw fixed plans: there must be a world, got none.",
    });
  });
});

describe("the figures of the lesson on agentic POMDPs", () => {
  it("skills: each arm in the panel of its skill, with a dot for each seed", () => {
    const score = (x: number): { score: number } => ({ score: x });
    const chart = drawSkills(new Map([["tool|with", [score(1), score(0.5)]]]));
    assert.match(chart.summary, /tool, with: 0\.750 /);
    assert.match(JSON.stringify(chart.spec), /2 seeds/);
  });

  it("skills are trained with as many seeds as asked for, in every arm", async () => {
    const runs = await trainSkills(["memory: KeyDoor"], 1);
    assert.deepEqual(
      [...runs].map(([key, own]) => [key, own.length]),
      [
        ["memory: KeyDoor|remembers the episode", 1],
        ["memory: KeyDoor|sees turn and last observation", 1],
      ],
    );
  });

  it("the mask: means of five updates, of pages of eight words alone", () => {
    const row = (words: number, retrieved: string, curve: string): StoredRecord => ({
      words,
      retrieved,
      curve,
    });
    // (0 + .1 + .2 + .3 + .4) / 5 = .2 and (.5 + ... + .9) / 5 = .7.
    const rising = "0 .1 .2 .3 .4 .5 .6 .7 .8 .9";
    const chart = drawMask([
      row(8, "masked", rising),
      row(8, "trained", "0 0 0 0 0 1 1 1 1 1"),
      row(0, "masked", "1"),
    ]);
    assert.match(chart.summary, /with the mask goes from 0\.200 at 5 to 0\.700 at 10/);
    assert.match(chart.summary, /without it goes from 0\.000 at 5 to 1\.000 at 10/);
  });

  it("noise and bias: a panel for the mean of all batches and one for a single batch", () => {
    const rules = [
      "GRPO, DAPO: whole return, group std",
      "Dr.GRPO: whole return",
      "StepPO, lambda 0, perfect critic",
      "StepPO, lambda 0, critic 20 updates behind",
    ];
    const rows = rules.flatMap((rule, i) =>
      [0, 1].map((seed) => ({ rule, seed, direction: 0.9, oneBatch: i / 10 })),
    );
    const { summary } = drawNoiseAndBias(rows);
    assert.match(summary, /nearly bias alone, whole return: 0\.900/);
    assert.match(summary, /bias and noise, a critic 20 updates behind: 0\.300/);
  });

  it("the team: three baselines at the smallest and the largest rate", () => {
    const arms = [
      "a baseline for each agent",
      "one baseline over all turns",
      "one baseline over trajectories",
    ];
    const rows = arms.flatMap((arm) =>
      [0.01, 0.03, 0.1].map((learningRate) => ({
        world: "hand over, 8 tries",
        arm,
        learningRate,
        final: learningRate,
      })),
    );
    const { summary } = drawTeam(rows);
    assert.match(summary, /Adam 0\.01, a baseline for each agent: 0\.010/);
    assert.match(summary, /Adam 0\.1, one baseline over trajectories: 0\.100/);
    assert.doesNotMatch(summary, /Adam 0\.03/);
  });

  it("the slide to take along says its words to those who do not see it", () => {
    const slide = drawOneStepOrMany();
    assert.match(slide.svg, /height="392"/);
    for (const words of [
      "What would a fixed plan get?",
      "a bandit with long answers",
      "memory",
      "credit",
      "mask",
    ])
      assert.ok(slide.svg.includes(words) && String(slide).includes(words), words);
  });

  it("six tries: the group's returns as the lesson's table has them", () => {
    assert.deepEqual([...sixTries().return_n], [1, 0, -0.1, 0, 1, 0]);
    // Verified: half at the call, half at the right answer, and taken back from the wrong one.
    const { reward_nt, return_n, shape } = sixTries("verification");
    const turn = (n: number, t: number): number => reward_nt[n * shape[1] + t]!;
    assert.deepEqual([turn(0, 0), turn(0, 1), turn(1, 0), turn(1, 1)], [0.5, 0.5, 0.5, -0.5]);
    assert.deepEqual([return_n[0], return_n[1]], [1, 0]);
  });
});
