// Uses internals of turnwise/tree.
import assert from "node:assert/strict";
import {
  evaluateTree,
  treeGradient,
  treeReturn,
  returnDistribution,
  randomPolicy,
  tablePolicy,
  uniformPolicy,
  buildTree,
  games,
  type Tree,
} from "turnwise/exact";
import { createRng, type Rng } from "turnwise";
import { countPaths, pathsOf } from "turnwise/internal/exact/paths";
import { pathProbability } from "turnwise/internal/exact/returnDistribution";
import { normalize } from "turnwise/internal/exact/tablePolicy";
import { type NodeSpec } from "turnwise/internal/tree/index";
import { close } from "./close";

describe("values on a tree", () => {
  it("of the uniform ladder are (.3019, .3556, .5167)", () => {
    // V_3 = (.55 + 1)/3, V_2 = (.55 + V_3)/3, V_1 = (.55 + V_2)/3.
    const tree = games.ladder(3);
    const { value, J } = evaluateTree(tree, uniformPolicy(tree));
    close(J, 0.3019, 4);
    [0.3019, 0.3556, 0.5167].forEach((v, t) => close(value[t]!, v, 4));
  });

  it("of the named games from the uniform policy are the hand values", () => {
    const uniform = (tree: Tree): number => treeReturn(tree, uniformPolicy(tree));
    close(uniform(games.order()), 0.55, 12); // (.6 + (0 + 1)/2)/2
    close(uniform(games.jackpot()), 0.175, 12); // (.1 + .25)/2
    close(uniform(games.guessOrLookUp()), 0.175, 12); // (.1 + 1/4)/2
    close(uniform(games.hiddenContexts()), 0.23, 12); // (.4 + .06)/2
    close(uniform(games.differToWin()), 0.5, 12); // 2 p (1-p) at 1/2
    close(uniform(games.firstThenSecond()), 0.25, 12); // p (1-p) at 1/2
  });

  it("with a discount of 1/2 waiting is worth .75, without one 1.5", () => {
    const tree = games.nowOrLater();
    const at = (gamma: number): ArrayLike<number> =>
      evaluateTree(tree, uniformPolicy(tree), { gamma }).actionValue[0]!;
    assert.deepEqual([...Array.from(at(1))], [1, 1.5]);
    assert.deepEqual([...Array.from(at(0.5))], [1, 0.75]);
  });

  it("the return is the mean over the enumerated trajectories, and the occupancies of a turn sum to its reach", () => {
    for (let seed = 0; seed < 20; seed++) {
      const rng = createRng(seed);
      const tree = games.randomTree(rng, { turns: 3, contexts: 2, reward: "heavyTailed" });
      const policy = randomPolicy(tree, rng);
      const { J, occupancy } = evaluateTree(tree, policy);
      const paths = pathsOf(tree);
      const p = pathProbability(tree, paths, policy);
      const mean = p.reduce((sum, x, i) => sum + x * paths.returns[paths.returnIndex[i]!]!, 0);
      close(mean, J, 12);
      close(
        p.reduce((a, b) => a + b, 0),
        1,
        12,
      );
      const reached = tree.nodes.reduce((sum, node, n) => sum + (node.turn === 2 ? occupancy[n]! : 0), 0);
      close(reached, 1, 12);
    }
  });

  it("agree with simulated episodes within 4 standard errors", () => {
    const rng = createRng(3);
    const tree = games.guessOrLookUp({ pays: 0.4 });
    const policy = tablePolicy(tree, {
      question: { guess: 0.3, lookup: 0.7 },
      "told 2": { "answer 2": 0.9, "answer 0": 0.1 },
    });
    const n = 40_000;
    let sum = 0;
    let squares = 0;
    for (let i = 0; i < n; i++) {
      const r = simulate(tree, policy, rng);
      sum += r;
      squares += r * r;
    }
    const error = Math.sqrt((squares / n - (sum / n) ** 2) / n);
    const { J } = evaluateTree(tree, policy);
    assert.ok(Math.abs(sum / n - J) < 4 * error, `${sum / n} against ${J} +- ${error}`);
    // By hand: .3 x .1 + .7 x .4 x (3 x 1/4 + .9)/4 = .0300 + .1155.
    close(J, 0.1455, 12);
  });

  it("the gradient equals central differences in every logit, also where turns share a row", () => {
    const rng = createRng(8);
    const trees = [
      games.randomTree(rng, { turns: 3, contexts: 2 }),
      games.randomTree(rng, { turns: 3, shared: true }),
      games.note(),
      games.differToWin(),
    ];
    for (const tree of trees) {
      const policy = randomPolicy(tree, rng);
      const gradient = treeGradient(tree, policy);
      const h = 1e-5;
      policy.forEach((row, s) => {
        row.forEach((_, a) => {
          const shifted = (delta: number): number =>
            treeReturn(
              tree,
              policy.map((r, i) =>
                i === s ? normalize(r.map((p, b) => p * Math.exp(b === a ? delta : 0))) : r,
              ),
            );
          const central = (shifted(h) - shifted(-h)) / (2 * h);
          assert.ok(Math.abs(gradient[s]![a]! - central) < 1e-9, `${tree.name}, row ${s}, action ${a}`);
        });
      });
    }
  });

  it("sums of rewards that differ by round-off are one return", () => {
    const { value, probability } = returnDistribution(games.ladder(3), uniformPolicy(games.ladder(3)));
    assert.deepEqual(value, [0, 0.55, 1]);
    // stop: 1/3 + 1/9 + 1/27 = 13/27, success 1/27, slip 13/27.
    [13 / 27, 13 / 27, 1 / 27].forEach((p, k) => close(probability[k]!, p, 12));
  });

  it("refuses trees of more than a million trajectories with their number", () => {
    const tree = games.ladder(10);
    assert.equal(countPaths(tree), 21); // two endings on each rung, and success
    // Twenty turns of two actions that meet in the same node again: 2^20 trajectories over 20 nodes.
    const nodes = Object.fromEntries(
      Array.from({ length: 20 }, (_, t): [string, NodeSpec] => {
        const next = { next: `turn ${t + 1}` };
        return [`turn ${t}`, { actions: t === 19 ? { a: 0, b: 1 } : { a: next, b: next } }];
      }),
    );
    const wide = buildTree({ name: "wide", start: [{ node: "turn 0" }], nodes });
    assert.throws(() => pathsOf(wide), {
      name: "RangeError",
      message: /its trajectories must be at most 1000000, but it has 1048576/,
    });
  });

  it("refuses policies that do not fit", () => {
    const tree = games.order();
    assert.throws(() => evaluateTree(tree, uniformPolicy(games.ladder(2))), {
      name: "TypeError",
      message: `Cannot use the policy for tree "order": its rows must have lengths 2, 2, got 3, 3.`,
    });
    assert.throws(() => tablePolicy(tree, { "turn 1": { L: 0.5, up: 0.5 } }), {
      name: "TypeError",
      message: /turn 1 offers L, R only: there is no action "up"/,
    });
    assert.throws(() => tablePolicy(tree, { "turn 1": { L: 0.5 } }), {
      name: "RangeError",
      message: /probabilities must be >= 0 and sum to 1, but turn 1 has 0.5, 0/,
    });
  });
});

/** Plays one episode; independent of the enumerator on purpose. */
function simulate(tree: Tree, policy: readonly Float64Array[], rng: Rng): number {
  const draw = (p: readonly number[]): number => rng.categorical(p.map((x) => Math.log(x)));
  let node = tree.start[draw(tree.start.map((s) => s.probability))]!.node;
  let total = 0;
  while (node >= 0) {
    const { infoState, outcomes } = tree.nodes[node]!;
    const list = outcomes[draw([...policy[infoState]!])]!;
    const { reward, next } = list[draw(list.map((o) => o.probability))]!;
    total += reward;
    node = next;
  }
  return total;
}
