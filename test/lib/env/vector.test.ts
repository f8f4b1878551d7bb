import assert from "node:assert/strict";
import {
  createRng,
  make,
  makeVector,
  RecordStatistics,
  RecordTranscript,
  registeredIds,
  type Action,
} from "turnwise";
import { ResetNeededError, vectorSeed } from "turnwise/internal/env/index";

const id = "LookUp-v0";
const action = (step: number, i: number, of = id): Action =>
  make(of).actionSpace.sample(createRng(1).split("act", step, i));

describe("makeVector()", () => {
  const nextStep = (id: string): void => {
    const vector = makeVector(id, 3);
    const singles = [0, 1, 2].map((i) => {
      const env = make(id);
      return { env, observation: env.reset({ seed: vectorSeed(4, i) })[0], ended: false };
    });
    const { observations } = vector.reset({ seed: 4 });
    assert.deepEqual(
      observations,
      singles.map((single) => single.observation),
    );
    for (let step = 0; step < 30; step++) {
      const result = vector.step([0, 1, 2].map((i) => action(step, i, id)));
      singles.forEach((single, i) => {
        if (single.ended) {
          single.observation = single.env.reset()[0];
          single.ended = false;
          assert.deepEqual([result.rewards[i], result.terminated[i]], [0, false]);
        } else {
          const [observation, reward, terminated, truncated] = single.env.step(action(step, i, id));
          single.ended = terminated || truncated;
          single.observation = observation;
          assert.deepEqual(
            [result.rewards[i], result.terminated[i], result.truncated[i]],
            [reward, terminated, truncated],
          );
        }
        assert.deepEqual(result.observations[i], single.observation);
      });
    }
  };
  for (const each of registeredIds()) {
    it(`nextStep: every copy of ${each} plays what a single one with its seed plays, episode after episode`, () => {
      nextStep(each);
    }).timeout(20_000);
  }

  it("sameStep: the observation after an end is the next episode's first, and the last one is in info", () => {
    const vector = makeVector(id, 1, { autoreset: "sameStep" });
    vector.reset({ seed: 1 });
    const { observations, terminated, infos } = vector.step([[0, 2]]); // an answer ends the episode
    assert.equal(terminated[0], true);
    assert.match(observations[0]!.text, /^question/);
    assert.equal((infos[0]!["finalObservation"] as { text: string }).text, "done");
    assert.equal(vector.step([[1, 2]]).terminated[0], false);
  });

  it("disabled: stepping past an end throws until the mask resets it", () => {
    const vector = makeVector(id, 2, { autoreset: "disabled" });
    vector.reset({ seed: 1 });
    vector.step([
      [0, 2],
      [1, 2],
    ]);
    const go = (): void => {
      vector.step([
        [1, 2],
        [0, 2],
      ]);
    };
    assert.throws(go, (error: Error) => {
      assert.ok(error instanceof ResetNeededError);
      assert.equal(
        error.message,
        "Cannot step a vector: every episode must be running, but environment 0 has ended. Reset it with the mask.",
      );
      return true;
    });
    vector.reset({ mask: [true, false] });
    go();
  });

  it("names what it cannot make or step", () => {
    assert.throws(() => makeVector(id, 0), {
      message: "Cannot make a vector of LookUp-v0: count must be an integer >= 1, got 0.",
    });
    assert.throws(() => makeVector(id, 1, { autoreset: "never" as "disabled" }), {
      message:
        'Cannot make a vector of LookUp-v0: autoreset must be nextStep, sameStep or disabled, got "never".',
    });
    const vector = makeVector(id, 2);
    vector.reset({ seed: 0 });
    assert.throws(() => vector.step([[0, 2]]), {
      name: "TypeError",
      message: "Cannot step a vector: there must be one action for each of 2 environments, got 1.",
    });
  });
});

describe("recorders", () => {
  it("RecordStatistics adds return and turns to the last step of an episode", () => {
    const env = new RecordStatistics(make(id, { turnCost: 0.25 }));
    const fact = Number((env.reset({ seed: 3 })[1]["taskId"] as string).slice(5));
    assert.equal(env.step([1, 2])[4]["episode"], undefined);
    // Two turns at .25 each and a right answer: 1 - .5.
    assert.deepEqual(env.step([0, 2 + fact])[4]["episode"], { return: 0.5, turns: 2 });
    assert.deepEqual(env.episodes, [{ return: 0.5, turns: 2 }]);
  });

  it("RecordTranscript writes down what was seen, written and paid", () => {
    const env = new RecordTranscript(make(id));
    const fact = Number((env.reset({ seed: 3 })[1]["taskId"] as string).slice(5));
    env.step([1, 2]);
    env.step([0, 2 + fact]);
    assert.equal(
      env.text,
      [
        "# LookUp-v0",
        "sees    question: which of 0, 1, 2, 3 is the fact?",
        "writes  LOOKUP 0",
        `sees    result: the fact is ${fact}`,
        "reward  0",
        `writes  ANSWER ${fact}`,
        "sees    done",
        "reward  1, terminated",
        "",
      ].join("\n"),
    );
  });
});
