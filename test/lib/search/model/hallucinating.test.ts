import assert from "node:assert/strict";
import {
  checkEnv,
  createPolicy,
  enumerateReturn,
  GameEnv,
  make,
  optimalReturn,
  type Game,
  type Observation,
} from "turnwise";
import { hallucinating, historyModel } from "turnwise/search";

const close = (a: number, b: number): void => {
  assert.ok(Math.abs(a - b) < 1e-12, `${a} and ${b}`);
};
const [ANSWER, LOOKUP] = [0, 1];

describe("a hallucinating model", () => {
  it("that makes up what a look-up shows is a look-up of lower reliability", () => {
    const simulator = hallucinating(make("LookUp-v0"), { rate: 0.3, of: "observation" });
    checkEnv(simulator);
    const unreliable = make("LookUp-v0", { toolReliability: 0.7 });
    for (const seed of [0, 1, 2]) {
      const policy = createPolicy(simulator.spec, { initialScale: 2, seed });
      close(enumerateReturn(simulator, policy).J, enumerateReturn(unreliable, policy).J);
    }
    // Look up, then answer: right in .7 of all cases, 1, else -1/3.
    close(optimalReturn(simulator).J, 0.7 - 0.3 / 3);
  });

  it("that makes up rewards pays the wrong answer with the rate", () => {
    const simulator = hallucinating(make("LookUp-v0"), { rate: 0.9, of: "reward" });
    checkEnv(simulator);
    const [start] = simulator.start(); // fact 0
    const right = simulator.transition(start!.state, [ANSWER, 2]);
    assert.deepEqual(
      right.map(({ reward }) => reward),
      [1, -1 / 3],
    );
    close(right[0]!.probability, 0.1);
    close(right[1]!.probability, 0.9);
    // Its optimum looks the fact up and answers something else: 1 in .9 of all cases, -1/3 in the others.
    close(optimalReturn(simulator).J, 0.9 - 0.1 / 3);
  });

  it("leaves alone what has no alternative, and the end of the episode", () => {
    const simulator = hallucinating(make("LookUp-v0"), { rate: 1, of: "observation" });
    const [start] = simulator.start();
    // An answer ends the episode; nobody reads what comes then.
    assert.equal(simulator.transition(start!.state, [ANSWER, 2]).length, 1);
    // ANSWER without a value brings the same error in every state.
    assert.equal(simulator.transition(start!.state, [ANSWER, LOOKUP]).length, 1);
    const shown = simulator.transition(start!.state, [LOOKUP, 2]);
    assert.deepEqual(
      shown.map(({ observation }) => observation.text.at(-1)),
      ["1", "2", "3"],
    );
    for (const { probability } of shown) close(probability, 1 / 3);
  });

  it("moves on in truth: what follows a made-up observation is the world's own", () => {
    const simulator = hallucinating(make("LookUp-v0"), { rate: 1, of: "observation" });
    const [start] = simulator.start(); // fact 0
    const [lie] = simulator.transition(start!.state, [LOOKUP, 2]);
    const [answer] = simulator.transition(lie!.state, [ANSWER, 2]);
    assert.equal(answer!.reward, 1);
  });

  it("makes up only what may be seen at that turn, and never the end of an episode", () => {
    // Two turns tell the hidden side, each in words of its own; word 1 ends the episode at once on side 1.
    const observation = (turn: number, side: number): Observation => ({
      tokens: [2 + 2 * turn + side],
      text: `turn ${turn}: side ${side}`,
    });
    const told: Game<{ side: number; turn: number }> = {
      spec: {
        id: "Told-v0",
        skill: "hear",
        vocabulary: ["hear", "risk"],
        observationVocabulary: ["a", "b", "c", "d", "e", "f"],
        ...{ maxTurns: 3, maxTokens: 1, options: {} },
      },
      start: () =>
        [0, 1].map((side) => ({
          probability: 0.5,
          state: { side, turn: 0 },
          observation: observation(0, 0),
          reward: 0,
          terminated: false,
        })),
      transition: ({ side, turn }, [word]) => [
        {
          probability: 1,
          state: { side, turn: turn + 1 },
          observation: observation(turn, side),
          reward: 0,
          terminated: turn === 2 || (word === 1 && side === 1),
        },
      ],
      render: () => "",
    };
    const simulator = hallucinating(new GameEnv(told), { rate: 1, of: "observation" });
    const { state } = simulator.start()[0]!; // side 0
    const texts = (word: number, from = state): string[] =>
      simulator.transition(from, [word]).map((outcome) => outcome.observation.text);
    assert.deepEqual(texts(0), ["turn 0: side 1"]);
    assert.deepEqual(texts(0, simulator.transition(state, [0])[0]!.state), ["turn 1: side 1"]);
    // Side 1 is seen after `risk` where the episode ends, so nothing else can be made up of side 0.
    assert.deepEqual(texts(1), ["turn 0: side 0"]);
  });

  it("with rate 0 is the world", () => {
    const env = make("Tiger-v0", { maxTurns: 3 });
    const simulator = hallucinating(env, { rate: 0, of: "observation" });
    const policy = createPolicy(env.spec, { initialScale: 2, seed: 0 });
    close(enumerateReturn(simulator, policy).J, enumerateReturn(env, policy).J);
  });

  it("with fixed beliefs errs in the same way every time, and about as often as its rate says", () => {
    const rate = 0.3;
    let [wrong, all] = [0, 0];
    for (let beliefs = 0; beliefs < 40; beliefs++) {
      const simulator = hallucinating(make("LookUp-v0"), { rate, of: "reward", beliefs });
      const again = hallucinating(make("LookUp-v0"), { rate, of: "reward", beliefs });
      for (const [fact, { state }] of simulator.start().entries()) {
        for (const value of [0, 1, 2, 3]) {
          const outcomes = simulator.transition(state, [ANSWER, 2 + value]);
          assert.equal(outcomes.length, 1);
          assert.deepEqual(outcomes, again.transition(again.start()[fact]!.state, [ANSWER, 2 + value]));
          all++;
          if ((outcomes[0]!.reward === 1) !== (value === fact)) wrong++;
        }
      }
      checkEnv(simulator);
    }
    // 640 draws at .3: a standard deviation of .018, so four of them are .073.
    assert.ok(Math.abs(wrong / all - rate) < 0.073, `${wrong} of ${all}`);
  });

  it("can simulate a model of histories as well", () => {
    const simulator = hallucinating(historyModel(make("LookUp-v0")), { rate: 0.3, of: "observation" });
    close(optimalReturn(simulator).J, 0.7 - 0.3 / 3);
  });

  it("refuses a rate that is no probability, and an unknown kind", () => {
    const env = make("LookUp-v0");
    assert.throws(() => hallucinating(env, { rate: 1.5, of: "reward" }), {
      name: "RangeError",
      message: "Cannot compute a simulator's replies: rate must be from 0 to 1, got 1.5.",
    });
    assert.throws(() => hallucinating(env, { rate: 0.5, of: "dream" as never }), {
      name: "RangeError",
      message: 'Cannot hallucinate: of must be "observation" or "reward", got "dream".',
    });
  });
});
