// Uses internals of turnwise/policy.
import assert from "node:assert/strict";
import { collect, createRng, make, recipe, recipes, train, type Policy, advantages } from "turnwise";
import type { History } from "turnwise/internal/policy/policy";
import { marginal } from "turnwise/internal/train/stepReward/marginal";

const env = make("HandOver-v0", { doors: 2, tries: 2, accuracy: 1, alone: 0.3, jamCost: 0.1 });

/** Sends the key of the door that it sees, and turns the key that arrives so that it fits. */
const team = {
  name: "team",
  contextOf: ({ observations }: History) => observations.at(-1)!.tokens,
  sample: (histories: readonly History[]) =>
    histories.map(({ observations }) => {
      const [seen] = observations.at(-1)!.tokens as [number];
      // Doors are the tokens 3 and 4, keys 5 and 6; key k fits when turned k + 1, or 1 if it is the last.
      const token = seen < 5 ? seen - 3 : (seen - 5 + 1) % 2;
      return { tokens: [token], logProb: [0], context: seen };
    }),
} as unknown as Policy;

const rng = createRng(3);
const batch = collect(env, team, { groups: 2, groupSize: 2, rng });

describe("the marginal of an agent as a step reward", () => {
  it("is what the episode would have lost without the agent that took the turn", () => {
    const input = { batch, policy: team, env, rng: createRng(9), rollout: rng };
    const { step_nt, metrics } = marginal(input, { weight: 1, toolWeight: 0 });
    assert.deepEqual([...batch.return_n], [1, 1, 1, 1]);
    // Without the scout, DONE settles for .3: .7 is lost. Without the opener, DONE gives up: 1 is lost. The third turn is never played.
    for (let n = 0; n < 4; n++) {
      const [scout, opener, never] = step_nt.subarray(3 * n, 3 * n + 3);
      assert.ok(Math.abs(scout! - 0.7) < 1e-12 && opener === 1 && never === 0);
    }
    // Without the scout one turn is played, without the opener two.
    assert.equal(metrics["stepReward/evaluations"], 3);
  });

  it("adds the share of well-formed calls of the agent with its own weight", () => {
    const infos = batch.info_nt!.map((turns) =>
      turns.map((info, t) => (t === 0 ? { ...info, call: "malformed" } : info)),
    );
    const input = { batch: { ...batch, info_nt: infos }, policy: team, env, rng, rollout: rng };
    const { step_nt } = marginal(input, { weight: 0, toolWeight: 0.5 });
    assert.deepEqual([...step_nt.subarray(0, 3)], [0, 0.5, 0]);
  });
});

describe("sharp", () => {
  it("compares return and step credit among the turns of one task and one agent", () => {
    const row = recipe("sharp", { scale: "none" });
    const two = { ...batch, groupId: ["a", "a", "b", "b"], return_n: new Float64Array([1, 0, 1, 1]) };
    // Scout of task a: 1 + .5 and 0 + .1, mean .8. Opener: 1 + .2 and 0 + .4, mean .8. Task b: nothing differs.
    const step_nt = new Float64Array([0.5, 0.2, 0, 0.1, 0.4, 0, 0.3, 0.3, 0, 0.3, 0.3, 0]);
    const { advantage_ntl } = advantages({ ...two, step_nt }, row);
    const expected = [0.7, 0.4, 0, -0.7, -0.4, 0, 0, 0, 0, 0, 0, 0];
    expected.forEach((x, i) => {
      assert.ok(Math.abs(advantage_ntl[i]! - x) < 1e-12, `${i}: ${advantage_ntl[i]}`);
    });
  });

  it("without marginal and tool reward is GRPO with one baseline for each agent, bit by bit", async () => {
    const options = { env: "HandOver-v0", updates: 4, seed: 1, groups: 2, groupSize: 4 } as const;
    const trained = async (row: ReturnType<typeof recipe>): Promise<number[]> => {
      const run = train({ ...options, recipe: row });
      for await (const _ of run);
      return [...run.policy.parameters];
    };
    const advantage = { kind: "mean", groupBy: "taskAgent", allowSingleton: true } as const;
    assert.deepEqual(
      await trained(recipe("sharp", { reward: { step: { kind: "marginal", weight: 0, toolWeight: 0 } } })),
      await trained(recipe("grpo", { advantage })),
    );
  });

  it("learns to hand over, and in a world of one agent", async () => {
    for (const world of ["HandOver-v0", "LookUp-v0"]) {
      const run = train({ env: world, recipe: "sharp", updates: 60, seed: 0, exactEvery: 60 });
      let last = 0;
      for await (const { metrics } of run) last = metrics["return/exact"] ?? last;
      assert.ok(last > 0.2, `${world}: ${last}`);
    }
    assert.equal(recipes.sharp.reward.step.kind, "marginal");
  });

  it("goes on from a checkpoint to the same bits", async () => {
    const options = { env: "HandOver-v0", recipe: "sharp", seed: 1, groups: 2, groupSize: 4 } as const;
    const whole = train({ ...options, updates: 4 });
    for await (const _ of whole);
    const half = train({ ...options, updates: 2 });
    for await (const _ of half);
    const rest = train({ resume: half.checkpoint(), updates: 4 });
    for await (const _ of rest);
    assert.deepEqual([...rest.policy.parameters], [...whole.policy.parameters]);
  });
});
