import assert from "node:assert/strict";
import { createPolicy, GameEnv, make, type Env, type Game, type Observation } from "turnwise";
import { readOptions } from "turnwise/internal/train/expertIteration/options";
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

  it("takes as many gradient steps after a growth as it is told, or none", async () => {
    const lossOf = async (imitationSteps: number): Promise<number> => {
      const o = { iterations: 1, stepsPerIteration: 200, imitationSteps, evaluate: false };
      return (await trained(new GameEnv(coin), o)).last.loss;
    };
    // A new policy says both sides equally often. The first step of Adam is as long as its learning rate, whatever the gradient
    // is: the two logits go .3 up and .3 down.
    assert.ok(Math.abs((await lossOf(0)) - Math.log(2)) < 1e-12);
    assert.ok(Math.abs((await lossOf(1)) - Math.log(1 + Math.exp(-0.6))) < 1e-6);
  });

  it("plays a rollout by what earlier episodes earned, where the tree has not been", async () => {
    // Three turns of the word "d" pay 1, one episode in 64 by chance. What is seen says nothing and hardly ever comes again, so that
    // most turns are rollouts. By the mean returns of words over two thirds of the episodes are paid, without them a third at most.
    const look = (i: number): Observation => ({ tokens: [4 + i], text: `sight ${i}` });
    const sights = Array.from({ length: 20 }, (_, i) => look(i));
    const word: Game<{ turn: number; good: boolean }> = {
      spec: {
        id: "Word-v0",
        skill: "spell",
        vocabulary: ["a", "b", "c", "d"],
        observationVocabulary: sights.map(({ text }) => text),
        ...{ maxTurns: 3, maxTokens: 1, options: {} },
      },
      start: () => [
        {
          probability: 1,
          state: { turn: 0, good: true },
          observation: look(0),
          reward: 0,
          terminated: false,
        },
      ],
      transition: ({ turn, good }, [token]) => {
        const state = { turn: turn + 1, good: good && token === 3 };
        return sights.map((observation) => ({
          probability: 1 / sights.length,
          state,
          observation,
          reward: turn === 2 && state.good ? 1 : 0,
          terminated: turn === 2,
        }));
      },
      render: String,
    };
    const o = { iterations: 1, stepsPerIteration: 3000, uniform: 0, imitationSteps: 0, evaluate: false };
    for (const seed of [0, 1]) {
      const { searched } = (await trained(new GameEnv(word), { ...o, seed })).last;
      assert.ok(searched > 0.5, `${searched}`);
    }
  });

  it("has the defaults on which a program that gives no options relies", () => {
    assert.deepEqual(readOptions({}), {
      iterations: 10,
      stepsPerIteration: 100_000,
      exploration: 0.5,
      widening: 0.5,
      uniform: 0.2,
      floor: 1e-3,
      trust: 0,
      minVisits: 20,
      imitationSteps: 60,
      learningRate: 0.3,
      evaluate: true,
      evalEpisodes: 256,
      seed: 0,
    });
  });

  it("names an option that is unknown", async () => {
    await assert.rejects(trained(make("LookUp-v0"), { iteration: 3 } as ExpertIterationOptions), {
      name: "RangeError",
      message: /unknown option "iteration"\.\nDid you mean "iterations"\?$/,
    });
  });
});
