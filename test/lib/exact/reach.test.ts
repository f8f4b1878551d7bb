// Uses internals of turnwise/env, turnwise/policy.
import assert from "node:assert/strict";
import {
  createPolicy,
  enumerateReturn,
  GameEnv,
  make,
  TabularPolicy,
  type Env,
  type Game,
  type Policy,
} from "turnwise";
import type { History } from "turnwise/internal/policy/policy";
import { valueOfPolicy } from "turnwise/internal/exact/enumerateReturn";
import { isSteady, timeLimit } from "turnwise/internal/env/wrapper";

/** As if a step of training had moved every logit. */
function move({ parameters }: Policy, by: number): void {
  for (let i = 0; i < parameters.length; i++) parameters[i]! += by * Math.cos(i);
}

function plain({ J, turns, gradient, histories }: ReturnType<typeof enumerateReturn>): string {
  return JSON.stringify([
    ...[J, turns, [...gradient]],
    histories.map((one) => ({ ...one, turnValue: [...one.turnValue] })),
  ]);
}

/** A coin that shows a side, and then asks for it: the answer pays what `pays` says. */
function coin(pays = 1): Game<number> {
  const seen = [0, 1].map((side) => ({ tokens: [2 + side], text: `side ${side}` }));
  return {
    spec: {
      ...{ id: "Coin-v0", skill: "say what you see", vocabulary: ["0", "1"], maxTurns: 1, maxTokens: 1 },
      ...{ observationVocabulary: ["heads", "tails"], options: {} },
    },
    start: () =>
      [0.25, 0.75].map((probability, side) => ({
        ...{ probability, state: side, observation: seen[side]!, reward: 0, terminated: false },
      })),
    transition: (side, [said]) => [
      {
        ...{ probability: 1, state: side, observation: seen[side]! },
        ...{ reward: said === side ? pays : 0, terminated: true },
      },
    ],
    render: String,
  };
}

describe("what a policy can reach", () => {
  for (const world of ["LookUp-v0", "TMaze-v0", "MatrixChain-v0", "Tiger-v0"]) {
    for (const kind of ["tabular", "logLinear"] as const) {
      it(`${world}, ${kind}: every enumeration has the bits of the first one in a new world`, function () {
        this.timeout(20_000);
        const env = make(world);
        const policy = createPolicy(env.spec, { kind, initialScale: 0.5, seed: 3 });
        enumerateReturn(env, policy, { gradient: false });
        for (let update = 0; update < 3; update++) {
          move(policy, 0.1 + update);
          const again = enumerateReturn(env, policy);
          assert.equal(again.J, valueOfPolicy(env, policy));
          assert.equal(plain(again), plain(enumerateReturn(make(world), policy.clone())));
        }
      });
    }
  }

  it("serves policies of one kind, each with its own probabilities, and makes the rows of a new table", () => {
    const env = new GameEnv(coin());
    const [one, other] = [1, 2].map((seed) => new TabularPolicy(env.spec, { initialScale: 1, seed }));
    enumerateReturn(env, one!);
    const { J } = enumerateReturn(env, other!, { gradient: false });
    assert.equal(J, enumerateReturn(new GameEnv(coin()), other!.clone()).J);
    assert.equal(other!.rowCount, 2);
  });

  it("looks again where a policy can take other turns than before", () => {
    const env = new GameEnv(coin());
    const policy = new TabularPolicy(env.spec);
    // Both sides are said half of the time: .25 / 2 + .75 / 2.
    assert.equal(enumerateReturn(env, policy).J, 0.5);
    // Now the first side is never said: what is left is tails, .75.
    for (const row of [0, 2]) policy.parameters[row] = -2000;
    const { J, histories } = enumerateReturn(env, policy);
    assert.equal(J, 0.75);
    assert.deepEqual(
      histories.map(({ turns }) => turns.map(({ tokens }) => tokens)),
      [[[1]], [[1]]],
    );
    for (const row of [0, 2]) policy.parameters[row] = 0;
    assert.equal(enumerateReturn(env, policy).J, 0.5);
  });

  it("tells memories apart: an agent that sees only the last observation has fewer contexts", () => {
    const env = make("TMaze-v0");
    const contexts = (["history", "observation", "history"] as const).map(
      (memory) => enumerateReturn(env, new TabularPolicy(env.spec, { memory })).histories.length,
    );
    assert.equal(contexts[0], contexts[2]);
    assert.ok(contexts[1]! < contexts[0]!);
  });

  it("does not take a subclass with contexts of its own for a table", () => {
    class Blind extends TabularPolicy {
      override contextOf(_: History): string {
        return "nothing";
      }
    }
    const env = new GameEnv(coin());
    assert.equal(enumerateReturn(env, new TabularPolicy(env.spec)).histories.length, 2);
    assert.equal(enumerateReturn(env, new Blind(env.spec)).histories.length, 1);
  });

  it("forgets a world whose function was replaced", () => {
    const env = new GameEnv(coin());
    const policy = new TabularPolicy(env.spec);
    assert.equal(enumerateReturn(env, policy).J, 0.5);
    env.transition = (...given) => new GameEnv(coin(4)).transition(...given);
    assert.equal(enumerateReturn(env, policy).J, 2);
  });

  it("holds the limit of a call against what it kept", () => {
    const env = new GameEnv(coin());
    const policy = new TabularPolicy(env.spec);
    enumerateReturn(env, policy);
    assert.throws(() => enumerateReturn(env, policy, { maxNodes: 1 }), {
      name: "RangeError",
      message:
        "Cannot enumerate Coin-v0: a turn must have at most 1 pairs of state and context, but turn 0 has 2.",
    });
  });

  it("keeps nothing of worlds that may change: others than games, and games in a custom wrapper", () => {
    const game: Env = new GameEnv(coin());
    const moody: Env = Object.assign(new GameEnv(coin()), { afterUpdate: () => undefined });
    class Own extends GameEnv<number> {}
    assert.ok(isSteady(game));
    assert.ok(isSteady(make("LookUp-v0")));
    assert.ok(isSteady(timeLimit(make("LookUp-v0"), 1)));
    assert.ok(!isSteady(moody));
    assert.ok(!isSteady(new Own(coin())));
  });

  it("lets go of a world with everything that it kept of it", async function () {
    this.timeout(20_000);
    const { setFlagsFromString } = await import("node:v8");
    const { runInNewContext } = await import("node:vm");
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const worlds: WeakRef<Env>[] = [];
    for (let i = 0; i < 20; i++) {
      const env = make("MatrixChain-v0");
      enumerateReturn(env, createPolicy(env.spec));
      worlds.push(new WeakRef(env));
    }
    // A weak reference is kept until the present job has ended.
    await new Promise((resolve) => setTimeout(resolve));
    collect();
    const left = worlds.filter((world) => world.deref() !== undefined).length;
    assert.ok(left <= 1, `${left} of 20 worlds are left`);
  });
});
