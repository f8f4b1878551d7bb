import assert from "node:assert/strict";
import { recipe } from "turnwise";
import { teamArms, teamRun, teamWorlds, type TeamWorldName } from "turnwise-course/agentic-pomdp";
import { teamRecipe } from "turnwise-course/internal/06-agentic-pomdp/teamRun";
import { firstStep, teamBench } from "turnwise-course/internal/06-agentic-pomdp/teamCredit";
import { teamEnv } from "turnwise-course/internal/06-agentic-pomdp/teamRun";

const worlds = Object.keys(teamWorlds) as TeamWorldName[];

describe("the runs on agents and subgoals", () => {
  it("differ in advantage and scale alone, and in no other cell of the world's row", () => {
    for (const world of worlds) {
      const { rule } = teamWorlds[world];
      for (const arm of Object.keys(teamArms[rule])) {
        const { advantage: _a, scale: _s, update, ...rest } = teamRecipe(world, arm, 0.03);
        const { advantage: _own, scale: _ownScale, update: ownUpdate, ...own } = recipe(rule);
        assert.deepEqual(rest, own, `${world}, ${arm}`);
        assert.deepEqual([update.epochs, update.minibatches], [ownUpdate.epochs, ownUpdate.minibatches]);
        assert.equal(update.optimizer.learningRate, 0.03);
      }
    }
  });

  it("compare agents by their group alone: the scale is the same in all of its arms", () => {
    for (const arm of Object.keys(teamArms.drMas)) {
      const { advantage, scale } = teamRecipe("hand over, 3 tries", arm, 0.03);
      assert.equal(advantage.kind, "mean");
      assert.deepEqual(scale, recipe("drMas").scale);
    }
  });

  it("hide who takes a turn and where a subgoal is chosen, and nothing else, where an arm is not to know", () => {
    const [shown, hidden] = [teamEnv("hand over, 3 tries"), teamEnv("hand over, 3 tries", false)];
    assert.deepEqual(shown.spec.agents, ["scout", "opener"]);
    const { agents: _agents, ...rest } = shown.spec;
    assert.deepEqual(hidden.spec, rest);
    assert.equal("roles" in teamEnv("subgoals, 6 turns", false).spec, false);
  });

  it("take equal samples and equally many steps in every arm of a world", async () => {
    const seen = new Map<string, Set<string>>();
    for (const world of ["hand over, 2 doors", "hand over, 8 tries"] as const) {
      for (const arm of Object.keys(teamArms.drMas)) {
        const { samples, optimizerSteps } = await teamRun({ world, arm, learningRate: 0.03, seed: 1 });
        seen.set(world, (seen.get(world) ?? new Set()).add(`${samples}, ${optimizerSteps}`));
      }
    }
    // 100 updates x 64 trajectories; 100 x 2 epochs x 2 minibatches.
    assert.deepEqual(
      [...seen.values()].flatMap((one) => [...one]),
      ["6400, 400", "6400, 400"],
    );
  }).timeout(20_000);

  it("repeat bit for bit, and refuse an arm of another world's rule", async () => {
    const job = {
      world: "hand over, 2 doors",
      arm: "a baseline for each agent",
      learningRate: 0.1,
      seed: 3,
    } as const;
    assert.deepEqual(await teamRun(job), await teamRun(job));
    await assert.rejects(teamRun({ ...job, arm: "GAE over turns" }), {
      name: "RangeError",
      message:
        "Cannot train a team: its arm must be one of a baseline for each agent, one baseline over all turns, " +
        'one baseline over trajectories, got "GAE over turns".',
    });
  }).timeout(20_000);
});

describe("the first step of rules for agents and subgoals", () => {
  it("of a rule without bias has cosine 1 over every group of four, and more noise than signal in one group", async () => {
    const bench = await teamBench({ rule: "drMas", seed: 3 });
    // The group's mean without a deviation, and a constant denominator: (G - 1) / G of the exact gradient.
    const { cosine, logNoise } = firstStep(bench, recipe("drGrpo"));
    assert.ok(Math.abs(cosine - 1) < 1e-9, `${cosine}`);
    assert.ok(logNoise > 0 && Number.isFinite(logNoise));
    // Leave-one-out is G / (G - 1) times as long: the noise is the same beside the signal.
    const other = firstStep(bench, recipe("rloo"));
    assert.ok(Math.abs(other.cosine - 1) < 1e-9 && Math.abs(other.logNoise - logNoise) < 1e-9);
  }).timeout(60_000);

  it("has cosine 1 up to sampling where batches are sampled", async () => {
    const { cosine } = firstStep(await teamBench({ rule: "hiper", seed: 3 }), recipe("rloo"));
    assert.ok(Math.abs(cosine - 1) < 0.05, `${cosine}`);
  }).timeout(60_000);

  it("of HiPER is bent by one value for all levels, and much less with a value for each", async () => {
    const bench = await teamBench({ rule: "hiper", seed: 3 });
    const row = recipe("hiper", {
      advantage: { gamma: 1, whitenRoles: false },
      aggregate: { kind: "constant", length: "maximum" },
      regularizer: { klReference: null },
    });
    const [one, each] = (["one", "each"] as const).map((critic) => firstStep(bench, row, { critic }).cosine);
    // What is left: a subgoal's token is not trained where the turn keeps, though it can spoil the turn's syntax.
    assert.ok(one! < 0.9 && each! > one! + 0.05, `${one}, ${each}`);
  }).timeout(60_000);

  it("takes agents from the batch: without their names one baseline is over all turns", async () => {
    const bench = await teamBench({ rule: "drMas", seed: 3 });
    const row = recipe("drMas");
    assert.notEqual(firstStep(bench, row).logNoise, firstStep(bench, row, { marked: false }).logNoise);
    const plain = recipe("drGrpo");
    assert.equal(firstStep(bench, plain).logNoise, firstStep(bench, plain, { marked: false }).logNoise);
  }).timeout(60_000);
});
