import assert from "node:assert/strict";
import {
  createRng,
  enumerateReturn,
  make,
  optimalReturn,
  TabularPolicy,
  type EnumerableEnv,
  type Policy,
} from "turnwise";
import { games, treeOptimum, treeReturn, uniformPolicy, type Tree } from "turnwise/exact";
import { expectGolden, transcript } from "./transcript";

const near = (actual: number, expected: number, tolerance = 1e-12): void =>
  assert.ok(Math.abs(actual - expected) < tolerance, `${actual} is not ${expected}`);
const chain = (options: Record<string, unknown>): EnumerableEnv =>
  make("MatrixChain-v0", options) as EnumerableEnv;

describe("MatrixChain-v0", () => {
  const named: [options: Record<string, unknown>, tree: Tree][] = [
    [{ game: "jackpot" }, games.jackpot()],
    [{ game: "hiddenContexts" }, games.hiddenContexts()],
    [{ game: "nowOrLater" }, games.nowOrLater()],
    [{ game: "differToWin" }, games.differToWin()],
    [{ game: "memoryless" }, games.memoryless()],
    [{ game: "ladder", turns: 4 }, games.ladder(4)],
    [
      { game: "random", turns: 3, actions: 3, gameSeed: 5 },
      games.randomTree(createRng(5), { turns: 3, actions: 3 }),
    ],
  ];
  for (const [options, tree] of named) {
    it(`${String(options["game"])}: enumerated as an environment it has the return and optimum of the tree`, () => {
      const env = chain(options);
      const sameActions = tree.infoStates.every(
        ({ actions }) => actions.length === env.spec.vocabulary.length,
      );
      if (sameActions) {
        const policy = new TabularPolicy(env.spec, { memory: "observation" });
        near(enumerateReturn(env, policy, { gradient: false }).J, treeReturn(tree, uniformPolicy(tree)));
      }
      // A policy with memory can only be better than one that sees information states.
      assert.ok(optimalReturn(env).J >= treeOptimum(tree).J - 1e-12);
    });
  }

  it("has the hand-made optima: .25, .4, 1 and .4 with a noisy tool, 1, 1.5, 1", () => {
    near(optimalReturn(chain({ game: "jackpot" })).J, 0.25);
    near(optimalReturn(chain({ game: "hiddenContexts" })).J, 0.4);
    near(optimalReturn(chain({ game: "guessOrLookUp" })).J, 1);
    near(optimalReturn(chain({ game: "guessOrLookUp", parameters: { pays: 0.4 } })).J, 0.4);
    near(optimalReturn(chain({ game: "order" })).J, 1);
    near(optimalReturn(chain({ game: "nowOrLater" })).J, 1.5);
    near(optimalReturn(chain({ game: "note" })).J, 1);
  });

  it("shown in full, hidden contexts can be told apart: .4 x 1 + .6 x .1 = .46", () => {
    near(optimalReturn(chain({ game: "hiddenContexts", observe: "full" })).J, 0.46);
  });

  it("an action that the place does not offer is an error, uses up the turn and leaves the place", () => {
    const env = chain({ game: "order" });
    const [start] = env.start();
    const token = env.spec.vocabulary.indexOf("x");
    const refused = env.transition(start!.state, [token])[0]!;
    assert.match(refused.observation.text, /^error: no such action; /);
    assert.deepEqual([refused.reward, refused.terminated], [0, false]);
    assert.equal((refused.state as { node: number }).node, (start!.state as { node: number }).node);
  });

  it("the single step of H = 1 is a bandit over whole plans with the same return for the same tokens", () => {
    // Without anything to observe in between, a plan's probability is the product of its turns' probabilities:
    // J = sum_y pi(y | x) r(x, y) is the return of the game played turn by turn.
    for (const game of ["order", "differToWin", "memoryless", "nowOrLater", "jackpot"]) {
      const turns = chain({ game });
      const one = chain({ game, horizon: "one" });
      assert.equal(one.spec.maxTurns, 1);
      assert.equal(one.spec.maxTokens, turns.spec.maxTurns);
      near(
        enumerateReturn(one, openLoop(one, turns.spec.maxTurns), { gradient: false }).J,
        enumerateReturn(turns, openLoop(turns, 1), { gradient: false }).J,
      );
    }
  });

  it("reads a tree given as data, and refuses what it cannot use", () => {
    const tree = {
      name: "coin",
      start: [{ node: "toss" }],
      nodes: { toss: { actions: { heads: 1, tails: 0.5 } } },
    };
    near(optimalReturn(chain({ game: "tree", tree })).J, 1);
    assert.throws(() => chain({ game: "tree" }), {
      name: "TypeError",
      message: 'Cannot make MatrixChain-v0: game "tree" needs a tree, got none.',
    });
    assert.throws(() => chain({ game: "chess" }), {
      name: "RangeError",
      message: /^Cannot make MatrixChain-v0: game must be "guessOrLookUp" or "jackpot" .*, got "chess"\.$/,
    });
    assert.throws(() => chain({ observe: "nothing" }), {
      message: 'Cannot make MatrixChain-v0: observe must be "information" or "full", got "nothing".',
    });
  });

  it("plays as its golden transcript says", () => {
    const env = make("MatrixChain-v0");
    const optimum = optimalReturn(env);
    expectGolden(
      "MatrixChain-v0",
      transcript(env, "the optimal agent", 1, (seen) => optimum.act(seen)),
    );
  });
});

/** A policy whose token at place i of the plan, in turns of `perTurn` tokens, has one distribution whatever was seen. */
function openLoop(env: EnumerableEnv, perTurn: number): Policy {
  const base = new TabularPolicy(env.spec);
  const size = env.spec.vocabulary.length;
  const distribution = (place: number): Float64Array => {
    const weight = Float64Array.from({ length: size }, (_, v) => 1 + ((3 * place + 5 * v) % 4));
    const total = weight.reduce((a, b) => a + b);
    return weight.map((w) => Math.log(w / total));
  };
  return Object.assign(Object.create(base) as Policy, {
    contextOf: (history: Parameters<Policy["contextOf"]>[0]) => String(history.actions.length),
    nextTokenLogProb: (context: unknown, prefix: readonly number[]) =>
      distribution(perTurn * Number(context) + prefix.length),
  });
}
