import assert from "node:assert/strict";
import { createRng, GameEnv, make, type Env, type Game, type Observation, TabularPolicy } from "turnwise";
import { optimalReturn } from "turnwise/exact";
import { beliefSimulator, countSteps, mcts, oracleSimulator, playSearch, ucb1 } from "turnwise/search";

const seen = (text: string, token = 2): Observation => ({ tokens: [token], text });
const spec = {
  skill: "choose",
  vocabulary: ["good", "bad"],
  observationVocabulary: ["seen", "heads", "tails"],
  maxTokens: 1,
  options: {},
};

/** One turn: `good` pays 1, `bad` pays 0. */
const oneTurn: Game<number> = {
  spec: { ...spec, id: "OneTurn-v0", maxTurns: 1 },
  start: () => [{ probability: 1, state: 0, observation: seen("start"), reward: 0, terminated: false }],
  transition: (_, [token]) => [
    { probability: 1, state: 1, observation: seen("end"), reward: token === 0 ? 1 : 0, terminated: true },
  ],
  render: String,
};

/** `bad` pays .6 and ends; after `good`, one of the two tokens pays 1 and the other 0. */
const trap: Game<number> = {
  spec: { ...spec, id: "Trap-v0", maxTurns: 2 },
  start: () => [{ probability: 1, state: 0, observation: seen("start"), reward: 0, terminated: false }],
  transition: (turn, [token]) => {
    const over = turn === 1 || token === 1;
    const reward = turn === 1 ? Number(token === 0) : token === 1 ? 0.6 : 0;
    return [{ probability: 1, state: turn + 1, observation: seen("on"), reward, terminated: over }];
  },
  render: String,
};

/** A hidden coin: saying its side pays 1, and nothing shows it. */
const coin: Game<number> = {
  spec: { ...spec, id: "Coin-v0", maxTurns: 1 },
  start: () =>
    [0.7, 0.3].map((probability, state) => ({
      probability,
      state,
      observation: seen("toss"),
      reward: 0,
      terminated: false,
    })),
  transition: (side, [token]) => [
    {
      probability: 1,
      state: side,
      observation: seen("end"),
      reward: Number(token === side),
      terminated: true,
    },
  ],
  render: String,
};

const startOf = (env: Env, seed = 0) => ({ observations: [env.reset({ seed })[0]], actions: [] });

describe("ucb1()", () => {
  it("pulls as the formula says, worked out by hand", () => {
    // c = 1, means 1 and 0. Each arm once; then the bad one is pulled again when sqrt(ln N) > 1 + sqrt(ln N / (N - 1)):
    // at N = 9 pulls 1.482 < 1.524, at N = 10 pulls 1.517 > 1.506. So ten pulls are 9 and 1, and the eleventh is bad.
    const env = new GameEnv(oneTurn);
    const pulls = (budget: number): number[] =>
      ucb1({ simulator: beliefSimulator(env), budget, exploration: 1 })
        .decide(startOf(env), env, createRng(0))
        .arms.map(({ visits }) => visits);
    assert.deepEqual(pulls(10), [9, 1]);
    assert.deepEqual(pulls(11), [9, 2]);
  });

  it("judges a turn by those who play on, where a tree search finds what is best then", () => {
    // Who plays on at random gets 1/2 after `good`, less than the .6 of `bad`; who searches gets 1.
    const env = new GameEnv(trap);
    const simulator = beliefSimulator(env);
    const choice = (search: typeof mcts): number =>
      search({ simulator, budget: 4000 }).decide(startOf(env), env, createRng(1)).action[0]!;
    assert.equal(choice(ucb1), 1);
    assert.equal(choice(mcts), 0);
  });

  it("finds it too, once a policy that knows the second turn plays on", () => {
    const env = new GameEnv(trap);
    const policy = new TabularPolicy(env.spec, { memory: "observation" });
    const { observations } = startOf(env);
    const second = { observations: [...observations, seen("on")], actions: [[0]] };
    policy.sample([second], [createRng(0)]);
    policy.parameters[0] = 50; // the row of the one observation, which both turns share: `good`
    const { arms } = ucb1({ simulator: beliefSimulator(env), budget: 1000, rollout: policy }).decide(
      startOf(env),
      env,
      createRng(1),
    );
    assert.equal(arms[0]!.value, 1);
    assert.ok(arms[0]!.visits > arms[1]!.visits);
  });
});

describe("mcts()", () => {
  it("decides as the exact optimum does, in worlds that hide something", () => {
    for (const { id, exploration } of [
      { id: "LookUp-v0", exploration: Math.SQRT2 },
      { id: "Tiger-v0", exploration: 100 },
    ]) {
      const env = make(id);
      const optimum = optimalReturn(env);
      const search = mcts({ simulator: beliefSimulator(env), budget: 30_000, exploration });
      const history = startOf(env, 2);
      const { action } = search.decide(history, env, createRng(0));
      // What one looks up is the same whatever word follows: the call alone is compared.
      assert.equal(action[0], optimum.act(history)[0], id);
      const [observation] = env.step(action);
      const then = { observations: [...history.observations, observation], actions: [action] };
      assert.deepEqual(search.decide(then, env, createRng(1)).action, optimum.act(then), id);
    }
  });

  it("comes nearer to the value of the optimum with its budget", () => {
    const env = new GameEnv(trap);
    const gap = (budget: number): number => {
      const { arms } = mcts({ simulator: beliefSimulator(env), budget }).decide(
        startOf(env),
        env,
        createRng(0),
      );
      return 1 - Math.max(...arms.map(({ value }) => value));
    };
    const gaps = [100, 1000, 10_000].map(gap);
    assert.ok(gaps[0]! > gaps[1]! && gaps[1]! > gaps[2]! && gaps[2]! < 0.02, gaps.join());
  });

  it("spends its budget and no more than one episode beyond it", () => {
    const env = countSteps(make("TMaze-v0"));
    const { steps } = mcts({ simulator: oracleSimulator(), budget: 100 }).decide(
      startOf(env),
      env,
      createRng(0),
    );
    assert.equal(env.steps, steps);
    assert.ok(steps >= 100 && steps < 100 + env.spec.maxTurns, `${steps}`);
  });

  it("gives the same decision for the same generator", () => {
    const env = make("Tiger-v0");
    const search = mcts({ simulator: beliefSimulator(env), budget: 500 });
    const decide = () => search.decide(startOf(env), env, createRng(4));
    assert.deepEqual(decide(), decide());
  });

  it("names a budget that cannot be", () => {
    assert.throws(() => mcts({ simulator: oracleSimulator(), budget: 0 }), {
      message: "Cannot search: budget must be an integer >= 1, got 0.",
    });
  });
});

/** A hidden side; the first turn hears it rightly in 4 cases of 5, and the second turn pays 1 for `good` on side 0. */
const heard: Game<{ side: number; turn: number }> = {
  spec: { ...spec, id: "Heard-v0", maxTurns: 2 },
  start: () =>
    [0, 1].map((side) => ({
      probability: 0.5,
      state: { side, turn: 0 },
      observation: seen("start"),
      reward: 0,
      terminated: false,
    })),
  transition: ({ side, turn }) =>
    turn === 1
      ? [
          {
            probability: 1,
            state: { side, turn: 2 },
            observation: seen("end"),
            reward: 1 - side,
            terminated: true,
          },
        ]
      : [0, 1].map((says) => ({
          probability: says === side ? 0.8 : 0.2,
          state: { side, turn: 1 },
          observation: seen(says === 0 ? "heads" : "tails", 3 + says),
          reward: 0,
          terminated: false,
        })),
  render: () => "",
};

/** A hidden side; on side 1 the first turn ends the episode, and what is seen then is what side 0 shows, which goes on. */
const ends: Game<{ side: number; turn: number }> = {
  ...heard,
  spec: { ...spec, id: "Ends-v0", maxTurns: 2 },
  transition: ({ side, turn }) => [
    {
      probability: 1,
      state: { side, turn: turn + 1 },
      observation: seen("on"),
      reward: turn === 1 ? 1 - side : 0,
      terminated: turn === 1 || side === 1,
    },
  ],
};

describe("the belief of a search", () => {
  /** The share of simulations after one turn in which the next one pays. */
  const paid = (game: Game<{ side: number; turn: number }>, last: Observation): number => {
    const env = new GameEnv(game);
    const history = { observations: [seen("start"), last], actions: [[0]] };
    const begin = beliefSimulator(env).at(history, env);
    const rng = createRng(0);
    let pays = 0;
    for (let i = 0; i < 2000; i++) pays += begin(rng.split("simulation", i)).step([0]).reward;
    return pays / 2000;
  };

  it("weighs each hidden state by how likely it shows what was seen, worked out by hand", () => {
    // P(side 0 | heads) = .5 x .8 / (.5 x .8 + .5 x .2) = .8; four standard errors of 2000 draws are .036.
    assert.ok(Math.abs(paid(heard, seen("heads", 3)) - 0.8) < 0.036);
    assert.ok(Math.abs(paid(heard, seen("tails", 4)) - 0.2) < 0.036);
  });

  it("leaves out a hidden state in which the episode would have ended", () => {
    assert.equal(paid(ends, seen("on")), 1);
  });
});

describe("what a search may know", () => {
  const play = (env: Env, simulator: ReturnType<typeof oracleSimulator>) =>
    playSearch(env, mcts({ simulator, budget: 400 }), { episodes: 200, seed: 0 });

  it("a search on the belief earns what the best guess earns", () => {
    const played = play(new GameEnv(coin), beliefSimulator(new GameEnv(coin)));
    assert.equal(played.seesHiddenState, false);
    // .7, and four standard errors of 200 tosses are .13.
    assert.ok(Math.abs(played.mean - 0.7) < 0.13, `${played.mean}`);
  });

  it("a search on branches of the true state earns what nobody can, and says that it sees it", () => {
    const played = play(new GameEnv(coin), oracleSimulator());
    assert.equal(played.seesHiddenState, true);
    assert.equal(played.mean, 1);
    const tiger = make("Tiger-v0");
    const search = mcts({ simulator: oracleSimulator(), budget: 400, exploration: 100 });
    assert.ok(playSearch(tiger, search, { episodes: 20, seed: 0 }).mean > optimalReturn(tiger).J);
  });

  it("counts real and simulated steps apart", () => {
    const env = new GameEnv(oneTurn);
    const played = playSearch(env, ucb1({ simulator: beliefSimulator(env), budget: 7 }), {
      episodes: 3,
      seed: 0,
    });
    assert.deepEqual([played.realSteps, played.simulatedSteps], [3, 21]);
    assert.deepEqual([...played.return_n], [1, 1, 1]);
  });

  it("refuses a history that the rules do not know, and a world that cannot do what is asked", () => {
    const env = new GameEnv(trap);
    const strange = { observations: [seen("heads", 3)], actions: [] };
    assert.throws(() => beliefSimulator(env).at(strange, env), {
      name: "RangeError",
      message:
        'Cannot simulate Trap-v0: the history must be possible by its rules, but it ends with "heads".',
    });
    const bare: Env = {
      spec: env.spec,
      observationSpace: env.observationSpace,
      actionSpace: env.actionSpace,
      reset: () => env.reset(),
      step: (action) => env.step(action),
      render: () => "",
      close: () => undefined,
    };
    assert.throws(() => beliefSimulator(bare), {
      name: "TypeError",
      message:
        "Cannot simulate Trap-v0 by its rules: it must list its outcomes, but start and transition are missing.",
    });
    assert.throws(() => oracleSimulator().at(startOf(env), bare)(createRng(0)), {
      name: "TypeError",
      message:
        "Cannot simulate Trap-v0 by branches: the world must have branch, but it cannot be copied in the middle of an episode.",
    });
    const search = mcts({ simulator: beliefSimulator(env), budget: 10, actions: [[0]] });
    const begun = { observations: [...startOf(env).observations, seen("on")], actions: [[0]] };
    assert.equal(search.decide(begun, env, createRng(0)).arms.length, 1);
  });
});
