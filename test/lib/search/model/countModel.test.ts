import assert from "node:assert/strict";
import { checkEnv, collect, createPolicy, createRng, enumerateReturn, make } from "turnwise";
import { CountModel } from "turnwise/search";

const [ANSWER, LOOKUP] = [0, 1];

/** Plays these turns in the world with fact 0 of LookUp with two facts. */
function play(model: CountModel, fact: number, turns: readonly (readonly number[])[]): void {
  const env = model.watch(make("LookUp-v0", { facts: 2 }));
  let seed = 0;
  while (env.reset({ seed })[1]["taskId"] !== `fact=${fact}`) seed++;
  for (const turn of turns) env.step(turn);
}

/** A model that has never met a start but those that are played. */
function counted(options = {}): CountModel {
  const model = new CountModel(make("LookUp-v0", { facts: 2 }).spec, options);
  for (const fact of [0, 0, 0, 1])
    play(model, fact, [
      [LOOKUP, 2],
      [ANSWER, 2],
    ]);
  return model;
}

describe("a count model", () => {
  it("foretells each reply as often as it was counted", () => {
    const model = counted();
    assert.equal(model.steps, 8);
    const env = model.env();
    const [start] = env.start();
    const shown = env.transition(start!.state, [LOOKUP, 2]);
    // Three of the four look-ups showed fact 0.
    assert.deepEqual(
      shown.map(({ probability, observation }) => [observation.text, probability]),
      [
        ["result: the fact is 0", 0.75],
        ["result: the fact is 1", 0.25],
      ],
    );
    // ANSWER 0 was right after fact 0, and wrong after fact 1.
    const [right] = env.transition(shown[0]!.state, [ANSWER, 2]);
    const [wrong] = env.transition(shown[1]!.state, [ANSWER, 2]);
    assert.deepEqual([right!.reward, wrong!.reward], [1, -1 / 3]);
    assert.equal(right!.info!.success, true);
  });

  it("knows how many pairs of history and action it has met", () => {
    // LOOKUP at the start, and ANSWER after each of the two facts.
    assert.equal(counted().pairs, 3);
  });

  it("ends an episode where the world was cut off", () => {
    const world = make("Tiger-v0", { maxTurns: 2 });
    const model = new CountModel(world.spec);
    const env = model.watch(world);
    env.reset({ seed: 0 });
    const cut = [env.step([0]), env.step([0])].map(([, , terminated, truncated]) => [terminated, truncated]);
    assert.deepEqual(cut, [
      [false, false],
      [false, true],
    ]);
    const foretold = model.env();
    const [first] = foretold.transition(foretold.start()[0]!.state, [0]);
    const [second] = foretold.transition(first!.state, [0]);
    assert.deepEqual([first!.terminated, second!.terminated], [false, true]);
  });

  it("ends an episode with the reward for what is unknown where it has counted nothing", () => {
    const env = counted({ unseen: -0.5 }).env();
    const [lost] = env.transition(env.start()[0]!.state, [ANSWER, 3]);
    assert.deepEqual([lost!.probability, lost!.reward, lost!.terminated], [1, -0.5, true]);
  });

  it("that remembers the turn and what was seen last puts histories together that whole histories keep apart", () => {
    // LOOKUP with the argument 0 was followed by an answer, LOOKUP with the argument 1 never.
    for (const [memory, reward] of [
      ["history", 0],
      ["turnObservation", 1],
    ] as const) {
      const model = counted({ memory });
      play(model, 0, [[LOOKUP, 3]]);
      const env = model.env();
      const [shown] = env.transition(env.start()[0]!.state, [LOOKUP, 3]);
      assert.equal(env.transition(shown!.state, [ANSWER, 2])[0]!.reward, reward, memory);
    }
  });

  it("keeps a model that was handed out as it is while counting goes on", () => {
    const model = counted();
    const before = model.env();
    play(model, 1, [[LOOKUP, 2]]);
    const shares = (env: ReturnType<CountModel["env"]>): number[] =>
      env.transition(env.start()[0]!.state, [LOOKUP, 2]).map(({ probability }) => probability);
    assert.deepEqual(shares(before), [0.75, 0.25]);
    assert.deepEqual(shares(model.env()), [0.6, 0.4]);
  });

  it("is an environment, and the same one after a round trip through JSON", () => {
    const model = counted();
    checkEnv(model.env());
    const other = new CountModel(make("LookUp-v0", { facts: 2 }).spec);
    other.restore(JSON.parse(JSON.stringify(model.state())) as ReturnType<CountModel["state"]>);
    assert.deepEqual(other.state(), model.state());
    const policy = createPolicy(model.env().spec, { seed: 1, initialScale: 1 });
    assert.equal(enumerateReturn(other.env(), policy).J, enumerateReturn(model.env(), policy).J);
  });

  it("does not depend on which episode came first", () => {
    const spec = make("LookUp-v0", { facts: 2 }).spec;
    const order = (facts: readonly number[]): unknown => {
      const model = new CountModel(spec);
      for (const fact of facts) play(model, fact, [[LOOKUP, 2]]);
      const env = model.env();
      return env.transition(env.start()[0]!.state, [LOOKUP, 2]);
    };
    assert.deepEqual(order([0, 1, 1]), order([1, 0, 1]));
  });

  it("tends to the world: with more episodes, the return that it foretells comes nearer", () => {
    const env = make("LookUp-v0", { facts: 2 });
    const policy = createPolicy(env.spec);
    const truth = enumerateReturn(env, policy).J;
    const model = new CountModel(env.spec);
    const errors = [4, 4000].map((groups, i) => {
      collect(model.watch(env), policy, { groups, groupSize: 4, rng: createRng(i) });
      return Math.abs(enumerateReturn(model.env(), policy).J - truth);
    });
    assert.ok(errors[1]! < 0.02 && errors[1]! < errors[0]!, errors.join(", "));
  });

  it("counts a branch from where it leaves, and its beginning once", () => {
    const model = new CountModel(make("LookUp-v0", { facts: 2 }).spec);
    const env = model.watch(make("LookUp-v0", { facts: 2 }));
    env.reset({ seed: 0 });
    env.step([LOOKUP, 2]);
    const branches = [0, 1].map((stream) => env.branch!(stream)!);
    for (const branch of branches) branch.step([ANSWER, 2]);
    // One look-up and two answers after it.
    assert.equal(model.steps, 3);
    const world = model.env();
    const [shown] = world.transition(world.start()[0]!.state, [LOOKUP, 2]);
    assert.equal(world.transition(shown!.state, [ANSWER, 2])[0]!.info!.call, "answer");
  });

  it("refuses to model what it has not met, an unknown memory, and a foreign state", () => {
    const { spec } = make("LookUp-v0");
    assert.throws(() => new CountModel(spec).env(), {
      name: "RangeError",
      message: "Cannot model LookUp-v0: no episode has been counted.",
    });
    assert.throws(() => new CountModel(spec, { memory: "observation" as never }), {
      name: "RangeError",
      message: /^Cannot count: memory must be "history" or "turnObservation", got /,
    });
    assert.throws(() => new CountModel(spec, { unseen: NaN }), {
      name: "RangeError",
      message: "Cannot count: unseen must be finite, got NaN.",
    });
    assert.throws(() => new CountModel(spec).restore({} as never), {
      name: "TypeError",
      message: /^Cannot restore counts: the state must be that of a count model/,
    });
  });
});
