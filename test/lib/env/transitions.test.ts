import assert from "node:assert/strict";
import {
  GameEnv,
  make,
  registeredIds,
  type Env,
  type EnvSpec,
  type Observation,
  type Outcome,
  createRng,
} from "turnwise";
import { unwrapped } from "turnwise/internal/env/index";
import { Transitions } from "turnwise/internal/env/transitions";

const spec: EnvSpec = {
  id: "Counter-v0",
  skill: "counting",
  vocabulary: ["a", "b", "end"],
  observationVocabulary: ["seen"],
  maxTurns: 9,
  maxTokens: 2,
  endToken: 2,
  options: {},
};
const seen: Observation = { tokens: [3], text: "seen" };

interface Count {
  readonly steps: number;
}

/** Counts how often its rules are asked. */
class Counter {
  readonly spec = spec;
  asked = 0;

  transition(state: Count, action: readonly number[]): Outcome<Count>[] {
    this.asked++;
    const outcome = { state: { steps: state.steps + action.length }, observation: seen, terminated: false };
    return action[0] === 0
      ? [{ ...outcome, probability: 1, reward: 1 }]
      : [
          { ...outcome, probability: 0.25, reward: 2 },
          { ...outcome, probability: 0.75, reward: 3 },
        ];
  }
}

/** Every token of the episodes, with what came of it. */
function played(env: Env, fresh: boolean): unknown[] {
  const rng = createRng(4);
  const seenSoFar: unknown[] = [];
  for (let member = 0; member < 12; member++) {
    // A fresh environment knows no turns yet.
    const one = fresh ? make(env.spec.id) : env.fork!()!;
    seenSoFar.push(one.reset({ seed: member >> 2, member }));
    for (let t = 0, over = false; !over && t < env.spec.maxTurns; t++) {
      const result = one.step(env.actionSpace.sample(rng));
      seenSoFar.push(result);
      over = result[2];
    }
  }
  return seenSoFar;
}

describe("turns that were computed before", () => {
  it("are not computed again, and have the log-probs of their outcomes", () => {
    const game = new Counter();
    const transitions = new Transitions<Count>(game);
    const state = { steps: 0 };
    const first = transitions.of(state, [1, 0]);
    assert.equal(transitions.of(state, [1, 0]), first);
    assert.equal(game.asked, 1);
    assert.deepEqual([...first.logProb!], [Math.log(0.25), Math.log(0.75)]);
    assert.equal(transitions.of(state, [0, 0]).logProb, undefined);
    assert.equal(game.asked, 2);
  });

  it("are told apart by state and action, shorter actions included", () => {
    const game = new Counter();
    const transitions = new Transitions<Count>(game);
    const actions = [[2], [0, 2], [1, 2], ...[0, 1].flatMap((a) => [0, 1].map((b) => [a, b]))];
    for (const state of [{ steps: 0 }, { steps: 0 }]) for (const a of actions) transitions.of(state, a);
    assert.equal(game.asked, 2 * actions.length);
  });

  it("are forgotten when there are too many: then they are recomputed, with the same outcomes", () => {
    const game = new Counter();
    const transitions = new Transitions<Count>(game);
    const states = Array.from({ length: 5000 }, (_, steps) => ({ steps }));
    for (const state of states) transitions.of(state, [0, 1]);
    const { outcomes } = transitions.of(states[0]!, [0, 1]);
    assert.equal(game.asked, 5001);
    assert.deepEqual(outcomes[0]!.state, { steps: 2 });
  });

  it("change no episode of any environment of the library", () => {
    for (const id of registeredIds()) {
      const env = make(id);
      if (!(unwrapped(env) instanceof GameEnv)) continue;
      played(env, false);
      assert.deepEqual(played(env, false), played(env, true), id);
    }
  });
});
