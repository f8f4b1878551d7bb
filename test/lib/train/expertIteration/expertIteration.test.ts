import assert from "node:assert/strict";
import { createPolicy, GameEnv, make, type Env, type Game, type Observation } from "turnwise";
import { countSteps, expertIteration, type ExpertIterationOptions } from "turnwise/search";

const seen: Observation = { tokens: [2], text: "seen" };

/** A hidden coin that lies on heads in seven cases of ten: saying its side pays 1, and nothing shows it. */
const coin: Game<number> = {
  spec: {
    id: "Coin-v0",
    skill: "guess",
    vocabulary: ["heads", "tails"],
    observationVocabulary: ["toss"],
    maxTurns: 1,
    maxTokens: 1,
    options: {},
  },
  start: () =>
    [0.7, 0.3].map((probability, state) => ({
      probability,
      state,
      observation: seen,
      reward: 0,
      terminated: false,
    })),
  transition: (side, [token]) => [
    { probability: 1, state: side, observation: seen, reward: Number(token === side), terminated: true },
  ],
  render: String,
};

async function trained(env: Env, o: ExpertIterationOptions) {
  const policy = createPolicy(env.spec);
  const records = [];
  for await (const record of expertIteration(env, policy, o)) records.push(record);
  return { policy, records, last: records.at(-1)! };
}

describe("expertIteration()", () => {
  const small = { iterations: 3, stepsPerIteration: 8000, seed: 0 } as const;

  it("teaches a policy to look things up, which then needs no search", async () => {
    const { records, last } = await trained(make("LookUp-v0"), small);
    assert.ok(last.return! > 0.95, `${last.return}`);
    assert.ok(last.return! > records[0]!.searched);
    assert.ok(last.loss < 0.05, `${last.loss}`);
    // One question, and one answer to each of four facts.
    assert.equal(last.histories, 5);
  });

  it("counts every step that it takes in the world, but those of the evaluation", async () => {
    const env = countSteps(make("LookUp-v0"));
    const { records } = await trained(env, { ...small, evaluate: false });
    assert.equal(records.at(-1)!.steps, env.steps);
    for (const { iteration, steps, ...rest } of records) {
      assert.ok(steps >= iteration * 8000 && steps < iteration * 8000 + env.spec.maxTurns);
      assert.equal("return" in rest, false);
    }
  });

  it("teaches what an agent can know: the likelier side of a hidden coin, at .7 and no more", async () => {
    const { last } = await trained(new GameEnv(coin), { ...small, evalEpisodes: 2000 });
    // Four standard errors of 2000 tosses are .041.
    assert.ok(Math.abs(last.return! - 0.7) < 0.041, `${last.return}`);
  });

  it("gives the same run for the same seed, and another one for another", async () => {
    const world = make("Tiger-v0");
    const of = async (seed: number) =>
      (await trained(world, { iterations: 1, stepsPerIteration: 500, seed })).last;
    assert.deepEqual(await of(1), await of(1));
    assert.notDeepEqual(await of(1), await of(2));
  });

  it("lets the policy play rollouts, as much as it is trusted", async () => {
    const { last } = await trained(make("LookUp-v0"), { ...small, iterations: 5, trust: 0.5 });
    assert.ok(last.return! > 0.95, `${last.return}`);
  });

  it("lets the policy play the more rollouts the more it is trusted: none at 0, the most at 1", async () => {
    const asked = async (trust: number): Promise<number> => {
      const env = make("LookUp-v0");
      const policy = createPolicy(env.spec);
      let calls = 0;
      const sample = policy.sample.bind(policy);
      Object.defineProperty(policy, "sample", {
        value: (...args: Parameters<typeof sample>) => (calls++, sample(...args)),
      });
      // The world is small, and few episodes leave its tree: several seeds together.
      for (let seed = 0; seed < 10; seed++) {
        const o = { iterations: 1, stepsPerIteration: 100, seed, trust, evaluate: false };
        for await (const _ of expertIteration(env, policy, o));
      }
      return calls;
    };
    const [none, few, many, all] = [await asked(0), await asked(0.1), await asked(0.9), await asked(1)];
    assert.equal(none, 0);
    assert.ok(0 < few && 2 * few < many && many < all, `${few}, ${many}, ${all}`);
  });

  it("teaches a history from the least number of visits on", async () => {
    // Every episode of the coin is one visit of its only history.
    const taught = async (minVisits: number): Promise<number> =>
      (
        await trained(new GameEnv(coin), {
          iterations: 1,
          stepsPerIteration: 100,
          minVisits,
          evaluate: false,
        })
      ).last.histories;
    assert.deepEqual([await taught(99), await taught(100), await taught(101)], [1, 1, 0]);
  });

  it("teaches nothing that the tree has hardly met", async () => {
    const { last } = await trained(make("LookUp-v0"), {
      iterations: 1,
      stepsPerIteration: 100,
      minVisits: 1000,
    });
    assert.deepEqual([last.histories, last.loss], [0, 0]);
  });

  it("names an option that is unknown", async () => {
    await assert.rejects(trained(make("LookUp-v0"), { iteration: 3 } as ExpertIterationOptions), {
      name: "RangeError",
      message: /got iteration; did you mean "iterations"\?$/,
    });
  });
});
