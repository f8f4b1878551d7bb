import assert from "node:assert/strict";
import {
  checkEnv,
  GameEnv,
  Wrapper,
  type Action,
  type EnvSpec,
  type Game,
  type Observation,
  type Outcome,
  type StepResult,
} from "turnwise";
import { lookUp, type Info, type ResetOptions } from "turnwise/internal/env/index";
import { orderEnforcing } from "turnwise/internal/env/wrapper";

interface Coin {
  readonly face: number;
}

const spec: EnvSpec = {
  id: "Coin-v0",
  skill: "guessing",
  vocabulary: ["heads", "tails"],
  observationVocabulary: ["toss"],
  maxTurns: 1,
  maxTokens: 1,
  options: {},
};
const toss: Observation = { tokens: [2], text: "toss" };

/** A sound game; each test breaks one thing about it. */
const coin: Game<Coin> = {
  spec,
  start: () =>
    [0, 1].map((face) => ({
      probability: 0.5,
      state: { face },
      observation: toss,
      reward: 0,
      terminated: false,
    })),
  transition: (state, [guess]) => [
    { probability: 1, state, observation: toss, reward: guess === state.face ? 1 : 0, terminated: true },
  ],
  render: (state) => String(state.face),
};

class Broken extends Wrapper {
  constructor(
    private readonly change: {
      reset?: (inner: Wrapper["inner"], options?: ResetOptions) => [Observation, Info];
      step?: (inner: Wrapper["inner"], action: Action) => StepResult;
    },
    inner = new GameEnv(coin),
  ) {
    super(inner);
  }
  override reset(options?: ResetOptions): [Observation, Info] {
    return this.change.reset?.(this.inner, options) ?? this.inner.reset(options);
  }
  override step(action: Action): StepResult {
    return this.change.step?.(this.inner, action) ?? this.inner.step(action);
  }
}

const result = (reward: number, over: boolean): StepResult => [toss, reward, over, false, {}];

describe("checkEnv()", () => {
  it("accepts a sound environment", () => {
    checkEnv(new GameEnv(coin));
    checkEnv(lookUp());
    checkEnv(lookUp({ toolReliability: 0.7, passReward: 0.2, turnCost: 0.01 }));
  });

  const cases: [promise: string, env: () => Wrapper | GameEnv<Coin>, message: RegExp][] = [
    [
      "a reward that is not finite",
      () => new Broken({ step: (inner, a) => (inner.step(a), result(NaN, true)) }),
      /step returned the reward NaN/,
    ],
    [
      "an observation outside its space",
      () =>
        new Broken({ step: (inner, a) => (inner.step(a), [{ tokens: [7], text: "" }, 0, true, false, {}]) }),
      /it must be in Observation\(vocabulary=3\)/,
    ],
    [
      "draws that do not come from the seed",
      () => {
        let calls = 0;
        return new Broken({ step: (inner, a) => (inner.step(a), result(calls++, true)) });
      },
      /is it drawing from anything but the generator/,
    ],
    [
      "a start state that is not shared within a group",
      () =>
        new Broken({
          reset: (inner, options) => {
            inner.reset(options);
            return [{ tokens: [], text: String(options?.member ?? 0) }, {}];
          },
        }),
      /members of a group must share the start state/,
    ],
    [
      "a step before reset",
      () => new Broken({ step: () => result(0, true) }),
      /step before reset is accepted/,
    ],
    [
      "actions outside the space",
      () =>
        new Broken({
          step: (inner, a) => (a.length === 1 && spec.vocabulary[a[0]!] ? inner.step(a) : result(0, true)),
        }),
      /step\(\[\]\) is accepted/,
    ],
    [
      "an episode that does not end",
      () =>
        new GameEnv({
          ...coin,
          transition: (s, a) => coin.transition(s, a).map((x) => ({ ...x, terminated: false })),
        }),
      /does not end/,
    ],
    [
      "probabilities that do not sum to 1",
      () => new GameEnv({ ...coin, start: () => coin.start().map((x) => ({ ...x, probability: 0.4 })) }),
      /start lists probabilities that sum to 0.8/,
    ],
    [
      "a transition that changes its state",
      () =>
        new GameEnv({
          ...coin,
          transition: (state, action): Outcome<Coin>[] => {
            const after = coin.transition(state, action).map((x) => ({ ...x, state: { ...state } }));
            (state as { face: number }).face = 1 - state.face;
            return after;
          },
        }),
      /pure function|changed its state|is it drawing|transition/,
    ],
    [
      "a step that enumeration does not list",
      () => new Broken({ step: (inner, a) => (inner.step(a), result(0.5, true)) }),
      /transition does not list this outcome/,
    ],
    [
      "start probabilities that reset does not follow",
      () => {
        const biased = (probability: number): Game<Coin> => ({
          ...coin,
          start: () =>
            coin.start().map((x, face) => ({
              ...x,
              probability: face ? probability : 1 - probability,
              observation: { tokens: [2], text: String(face) },
            })),
        });
        const listed = new GameEnv(biased(0.5));
        const env = new Broken({}, new GameEnv(biased(0.9)));
        env.start = () => listed.start();
        return env;
      },
      /of the time \(start lists the probability 0.5\)/,
    ],
    [
      "bounds that a return leaves",
      () => new GameEnv({ ...coin, returnBounds: () => ({ least: 0, most: 0.5 }) }),
      /an episode still returned 1 where returnBounds says 0 to 0.5/,
    ],
    [
      "a repeated token",
      () => new GameEnv({ ...coin, spec: { ...spec, vocabulary: ["a", "a"] } }),
      /repeat a token/,
    ],
    [
      "an agent that nobody listed",
      () =>
        new GameEnv({
          ...coin,
          start: () => coin.start().map((x) => ({ ...x, observation: { ...toss, agent: "a" } })),
        }),
      /an observation before a turn says the agent is "a" \(list it in spec\.agents, or leave it out\)/,
    ],
    [
      "a turn of nobody, where there are several agents",
      () => new GameEnv({ ...coin, spec: { ...spec, agents: ["a", "b"] } }),
      /says the agent is undefined \(name one of spec\.agents, \["a","b"\]\)/,
    ],
    [
      "a turn of nobody in the middle of an episode",
      () =>
        new GameEnv({
          ...coin,
          spec: { ...spec, agents: ["a"], maxTurns: 2 },
          start: () => coin.start().map((x) => ({ ...x, observation: { ...toss, agent: "a" } })),
          // Faces 2 and 3 are those of the second turn.
          transition: ({ face }) => [
            { probability: 1, state: { face: face + 2 }, observation: toss, reward: 0, terminated: face > 1 },
          ],
        }),
      /says the agent is undefined \(name one of spec\.agents, \["a"\]\)/,
    ],
    [
      "an agent listed twice",
      () => new GameEnv({ ...coin, spec: { ...spec, agents: ["a", "a"] } }),
      /spec\.agents is \["a","a"\] \(name each agent once/,
    ],
    [
      "roles for more places than a turn has",
      () => new GameEnv({ ...coin, spec: { ...spec, roles: ["switch", "action"] } }),
      /spec\.roles has 2 entries \(give each of the 1 places of a turn its role\)/,
    ],
    [
      "a switch decision that step does not report",
      () => new GameEnv({ ...coin, spec: { ...spec, roles: ["switch"] } }),
      /step reports no info\.switched/,
    ],
    ["an unversioned id", () => new GameEnv({ ...coin, spec: { ...spec, id: "Coin" } }), /spec.id is "Coin"/],
  ];
  for (const [promise, env, message] of cases) {
    it(`refuses ${promise}`, () => {
      assert.throws(
        () => checkEnv(env()),
        (error: Error) => {
          assert.equal(error.name, "EnvContractError");
          assert.match(error.message, message);
          return true;
        },
      );
    });
  }
});

describe("orderEnforcing()", () => {
  it("takes no turn and makes no branch after close(), even in the middle of an episode", () => {
    // This one plays on, whatever is called before.
    const env = orderEnforcing(new Broken({ reset: () => [toss, {}], step: () => result(0, false) }));
    env.reset({ seed: 0 });
    env.step([0]);
    env.close();
    assert.throws(() => env.step([0]), { name: "ResetNeededError", message: /reset was not called yet\.$/ });
    assert.throws(() => env.branch!(0), { name: "ResetNeededError" });
  });
});
