// Uses internals of turnwise/batch.
import assert from "node:assert/strict";
import { stepsTaken } from "turnwise/internal/batch/stepsTaken";
import { concatBatches } from "turnwise/internal/batch/select";
import {
  createRng,
  GameEnv,
  make,
  type Env,
  type Game,
  type Observation,
  type Policy,
  TabularPolicy,
  collect,
  advantages,
  recipe,
} from "turnwise";
import type { ForkPlan } from "turnwise/internal/rollout/forks";
import { countSteps } from "turnwise/search";

const plans: Readonly<Record<string, ForkPlan>> = {
  "at turn 1": { kind: "atTurn", turn: 1, leaves: 3 },
  "at random turns": { kind: "random", leaves: 3, among: "trunk" },
  "at random turns of all": { kind: "random", leaves: 3, among: "limit" },
  "where entropy has risen": { kind: "entropy", initial: 0.5, probability: 0.5, weight: 0.2 },
  "where the policy was unsure": { kind: "uncertain", initial: 0.3, rounds: 2, penalty: 0.05 },
  "from sparse histories": { kind: "sparse", first: 2 },
};

const seen: Observation = { tokens: [2], text: "seen" };

/** `stop` ends the episode at once and pays 0; `go` leads to a second turn, which ends it and pays 1. */
const stopOrGo: Game<number> = {
  spec: {
    id: "StopOrGo-v0",
    skill: "go",
    vocabulary: ["stop", "go"],
    observationVocabulary: ["seen"],
    maxTurns: 2,
    maxTokens: 1,
    options: {},
  },
  start: () => [{ probability: 1, state: 0, observation: seen, reward: 0, terminated: false }],
  transition: (turn, [token]) => [
    {
      probability: 1,
      state: turn + 1,
      observation: seen,
      reward: turn,
      terminated: turn === 1 || token === 0,
    },
  ],
  render: (turn) => `turn ${turn}`,
};

const fourTurns: Game<number> = {
  ...stopOrGo,
  spec: { ...stopOrGo.spec, id: "FourTurns-v0", maxTurns: 4 },
  transition: (turn) => [
    { probability: 1, state: turn + 1, observation: seen, reward: 0, terminated: turn === 3 },
  ],
};

describe("collect() with forks", () => {
  const env = make("TMaze-v0", { length: 4 });
  const policy = (): TabularPolicy => new TabularPolicy(env.spec, { initialScale: 1, seed: 2 });
  const collected = (forks: ForkPlan | undefined, groups = 5, firstGroup = 0, from: Env = env) =>
    collect(from, policy(), {
      groups,
      groupSize: 7,
      rng: createRng(1),
      firstGroup,
      ...(forks && { forks }),
    });

  for (const [name, plan] of Object.entries(plans)) {
    it(`${name}: a fork's turns before it left are its parent's, and its own differ now and then`, () => {
      const batch = collected(plan);
      const [, T, L] = batch.shape;
      assert.equal(batch.shape[0], 35);
      let forks = 0;
      let differing = 0;
      batch.fork_n!.forEach((fork, n) => {
        if (fork === null) return;
        forks++;
        const parent = batch.trajectoryId.indexOf(fork.parent);
        assert.equal(batch.groupId[parent], batch.groupId[n]);
        assert.ok(fork.turn <= batch.turnCount_n[n]! && fork.turn <= batch.turnCount_n[parent]!);
        const turns = (row: number, to: number): unknown[] => [
          batch.token_ntl.slice(row * T * L, (row * T + to) * L),
          batch.oldLogProb_ntl.slice(row * T * L, (row * T + to) * L),
          batch.reward_nt.slice(row * T, row * T + to),
          batch.observation_nt[row]!.slice(0, Math.min(to + 1, batch.turnCount_n[row]!)),
          batch.context_nt[row]!.slice(0, to),
        ];
        if (fork.turn < batch.turnCount_n[n]!)
          assert.deepEqual(turns(n, fork.turn), turns(parent, fork.turn));
        if (JSON.stringify(turns(n, T)) !== JSON.stringify(turns(parent, T))) differing++;
      });
      assert.ok(forks >= 10, `${forks} forks`);
      assert.ok(differing >= 5, `${differing} of them differ`);
    });

    it(`${name}: the stored log-probs are the policy's`, () => {
      const batch = collected(plan);
      const { logProb_ntl } = policy().evaluate(batch);
      batch.oldLogProb_ntl.forEach((x, i) => {
        if (batch.mask_ntl[i] === 1) assert.ok(Math.abs(x - logProb_ntl[i]!) < 1e-14);
      });
    });

    it(`${name}: a batch does not depend on how it was split`, () => {
      assert.deepEqual(concatBatches([collected(plan, 2), collected(plan, 3, 2)]), collected(plan, 5));
    });

    it(`${name}: the counted steps are those that the world saw`, () => {
      const counted = countSteps(env);
      const batch = collected(plan, 5, 0, counted);
      assert.equal(stepsTaken(batch), counted.steps);
      assert.ok(counted.steps < batch.turnCount_n.reduce((a, b) => a + b, 0));
    });
  }

  it("draws for a trunk what it draws without forks", () => {
    const plain = collected(undefined);
    const forked = collected({ kind: "random", leaves: 3, among: "trunk" });
    forked.fork_n!.forEach((fork, n) => {
      if (fork === null) assert.deepEqual(forked.context_nt[n], plain.context_nt[n]);
    });
    assert.equal(plain.fork_n, undefined);
  });

  it("with trees of one leaf, or where no turn is left, is the batch without forks", () => {
    const { fork_n, ...one } = collected({ kind: "random", leaves: 1, among: "trunk" });
    assert.deepEqual(one, collected(undefined));
    assert.ok(fork_n!.every((fork) => fork === null));
    const { fork_n: never, ...fresh } = collected({
      kind: "entropy",
      initial: 0.5,
      probability: 0,
      weight: 0,
    });
    assert.deepEqual(fresh, collected(undefined));
    assert.ok(never!.every((fork) => fork === null));
  });

  it("forks after every turn at probability 1, as long as members are missing", () => {
    const { fork_n } = collected({ kind: "entropy", initial: 0.5, probability: 1, weight: 0 });
    // ceil(7 / 2) = 4 begin at the start; all four go on after their first turn, and three members are missing.
    const expected = [null, null, null, null, "0.0 1", "0.1 1", "0.2 1"];
    assert.deepEqual(
      fork_n!.slice(0, 7).map((fork) => fork && `${fork.parent} ${fork.turn}`),
      expected,
    );
  });

  describe("where the policy was unsure", () => {
    /** Takes four turns, whose tokens the policy wrote with these surprises, in nats. */
    const left = (surprise: readonly number[], penalty: number, rounds = 2): (string | null)[] => {
      const world = new GameEnv(fourTurns);
      const policy = {
        ...new TabularPolicy(world.spec),
        sample: (live: readonly { actions: unknown[] }[]) =>
          live.map(({ actions }) => ({ tokens: [0], logProb: [-surprise[actions.length]!], context: "" })),
      } as unknown as Policy;
      const forks = { kind: "uncertain", initial: 0.25, rounds, penalty } as const;
      const { fork_n } = collect(world, policy, { groups: 1, groupSize: 6, rng: createRng(0), forks });
      return fork_n!.map((fork) => fork && `${fork.parent} ${fork.turn}`);
    };

    it("plays the turn of highest surprise again, but for the last turn", () => {
      // ceil(6 / 4) = 2 begin at the start; then two and two. Without a penalty the turn 2 of the first comes first, of the second
      // next; in the second round the two new turns come behind them, as they are as unsure, and later.
      assert.deepEqual(left([0.1, 0.2, 0.7, 0.9], 0), [null, null, "0.0 2", "0.1 2", "0.0 2", "0.1 2"]);
    });

    it("takes the penalty off for each other way to go on", () => {
      // After the first round, turn 2 of 0.0 has one sibling: 0.7 - 0.6 < 0.2 of turn 1, which has none.
      const forked = [null, null, "0.0 2", "0.1 2", "0.0 1", "0.1 1"];
      assert.deepEqual(left([0.1, 0.2, 0.7, 0.9], 0.6), forked);
    });

    it("begins at the start where the first turn is the least sure one", () => {
      assert.deepEqual(left([2, 0.2, 0.7, 0.9], 0.05), [null, null, null, null, null, null]);
    });

    it("counts what a fork shares with its parent once, and forks forks", () => {
      // Turn 1 of 0.0 and 0.1; 0.2 and 0.3 then have a turn 1 of their own with one sibling each, 1 - 0.05, as their parents; their
      // turn 2 is as unsure as before, 0.98, and without a sibling: 0.0, 0.1, 0.2, 0.3 in this order.
      const forked = [null, null, "0.0 1", "0.1 1", "0.0 2", "0.1 2"];
      assert.deepEqual(left([0.1, 1, 0.98, 0], 0.05), forked);
      // In three rounds of 2, 1 and 1: the third leaves 0.1 at turn 2, before the forks of the first round.
      assert.deepEqual(left([0.1, 1, 0.98, 0], 0.05, 3), [null, null, "0.0 1", "0.1 1", "0.0 2", "0.1 2"]);
    });
  });

  describe("from sparse histories", () => {
    /** As above: four turns with these surprises, and six members of which the first begin at the start. */
    const left = (surprise: readonly number[], first: number): (string | null)[] => {
      const world = new GameEnv(fourTurns);
      const policy = {
        ...new TabularPolicy(world.spec),
        sample: (live: readonly { actions: unknown[] }[]) =>
          live.map(({ actions }) => ({ tokens: [0], logProb: [-surprise[actions.length]!], context: "" })),
      } as unknown as Policy;
      const forks = { kind: "sparse", first } as const;
      const { fork_n } = collect(world, policy, { groups: 1, groupSize: 6, rng: createRng(0), forks });
      return fork_n!.map((fork) => fork && `${fork.parent} ${fork.turn}`);
    };

    it("plays on, one by one, from where turns are most surprising for their number, the last turn too", () => {
      // .9 before turn 3, then .9 / 2 there and .7 before turn 2; the third member has a turn 3 of its own, .9. Then both
      // histories before a turn 3 have two turns, .45: the one that was reached first is left first, and has .3 then.
      const forked = [null, "0.0 3", "0.0 2", "0.2 3", "0.0 3", "0.2 3"];
      assert.deepEqual(left([0.1, 0.2, 0.7, 0.9], 1), forked);
    });

    it("begins at the start as long as that is the sparsest history", () => {
      // 2, 1, 2/3, 1/2 and 2/5 against 1/5.
      assert.deepEqual(left([2, 0.2, 0.1, 0.1], 1), [null, null, null, null, null, null]);
      // 1.3 / 3 after the first three; then .4 before turn 1 of 0.0 and, once more, of 0.1 and 0.2.
      assert.deepEqual(left([1.3, 0.4, 0.1, 0.1], 3), [null, null, null, null, "0.0 1", "0.1 1"]);
    });
  });

  it("refuses a world that cannot be branched", () => {
    assert.throws(() => collected({ kind: "atTurn", turn: 1, leaves: 2 }, 1, 0, unforked(env)), {
      name: "TypeError",
      message:
        "Cannot collect with forks: the world must have fork and branch, but TMaze-v0 cannot be copied in the middle of an episode.",
    });
  });

  it("names a plan that cannot be", () => {
    assert.throws(() => collected({ kind: "random", leaves: 0, among: "trunk" }), {
      message: "Cannot collect: forks.leaves must be an integer >= 1, got 0.",
    });
    assert.throws(() => collected({ kind: "uncertain", initial: 0.5, rounds: 0, penalty: 0 }), {
      message: "Cannot collect: forks.rounds must be an integer >= 1, got 0.",
    });
    assert.throws(() => collected({ kind: "sparse", first: 0 }), {
      message: "Cannot collect: forks.first must be an integer >= 1, got 0.",
    });
    assert.throws(() => collected({ kind: "atTurn", turn: -1, leaves: 2 }), {
      message: "Cannot collect: forks.turn must be an integer >= 0, got -1.",
    });
  });

  describe("how often forks reach the second turn, where the policy goes on half of the time", () => {
    const world = new GameEnv(stopOrGo);
    const long = (forks: ForkPlan): number => {
      const batch = collect(world, new TabularPolicy(world.spec), {
        groups: 4000,
        groupSize: 2,
        rng: createRng(0),
        forks,
      });
      let count = 0;
      for (let n = 1; n < 8000; n += 2) if (batch.turnCount_n[n] === 2) count++;
      return count / 4000;
    };
    // Four standard errors of a share of 4000 are .032.
    const near = (found: number, wanted: number): void => {
      assert.ok(Math.abs(found - wanted) < 0.032, `${found} is not ${wanted}`);
    };

    it("among the trunk's own turns: 5/8, so that long episodes come too often", () => {
      // A short trunk (1/2) is left at its start: 1/2. A long one is left at its start (1/2 of 1/2), or later, and then is long.
      // 1/2 * 1/2 + 1/2 * (1/2 * 1/2 + 1/2 * 1) = 5/8
      near(long({ kind: "random", leaves: 2, among: "trunk" }), 5 / 8);
    });

    it("among all turns of the world: 1/2, as a trunk that has ended is repeated", () => {
      // 1/2 * (1/2 * 1/2 + 1/2 * 0) + 1/2 * (1/2 * 1/2 + 1/2 * 1) = 1/2
      near(long({ kind: "random", leaves: 2, among: "limit" }), 1 / 2);
    });

    it("at turn 1: 1/2 as well", () => {
      near(long({ kind: "atTurn", turn: 1, leaves: 2 }), 1 / 2);
    });

    it("so that Tree-GRPO's expected push is 3/4 of the push without forks", () => {
      // A = R - mean, of two trajectories: 1/2 for the long and -1/2 for the short one where they differ; the first token's score
      // is 1/2 for go and -1/2 for stop. Each pair that differs pushes by 2 * 1/4, or 1/4 a trajectory.
      // Independent pairs differ 1/2 of the time: 1/8, which is (G - 1) / G of dJ / dlogit = 1/4.
      // Trunk and leaf differ 1/2 * 1/2 + 1/2 * (1/2 * 1/2) = 3/8 of the time: 3/32.
      const push = (forks: ForkPlan): number => {
        const batch = collect(world, new TabularPolicy(world.spec), {
          groups: 4000,
          groupSize: 2,
          rng: createRng(0),
          forks,
        });
        const row = recipe("treeGrpo", { advantage: { weight: 0 }, scale: "none" });
        const { advantage_ntl } = advantages(batch, row);
        let sum = 0;
        for (let n = 0; n < 8000; n++)
          sum += advantage_ntl[2 * n]! * (batch.token_ntl[2 * n] === 1 ? 0.5 : -0.5);
        return sum / 8000;
      };
      // Four standard errors: a pair's push is 0 or 1/4.
      const within = (found: number, wanted: number): void => {
        assert.ok(Math.abs(found - wanted) < 0.008, `${found} is not ${wanted}`);
      };
      within(push({ kind: "none" }), 1 / 8);
      within(push({ kind: "random", leaves: 2, among: "trunk" }), 3 / 32);
    });
  });
});

/** The same world without a way to branch it. */
function unforked(env: Env): Env {
  return {
    spec: env.spec,
    observationSpace: env.observationSpace,
    actionSpace: env.actionSpace,
    reset: (options) => env.reset(options),
    step: (action) => env.step(action),
    render: () => env.render(),
    close: () => undefined,
  };
}
