import assert from "node:assert/strict";
import {
  decreaseRate,
  failureRate,
  exactIteration,
  exactRun,
  clipStep,
  exactRule,
  gradientStep,
  monotonicityGrid,
  regimes,
  phasePortrait,
  returnSurface,
  simplexPath,
  simplexPortrait,
  simplexSurface,
  type Simplex,
  randomPolicy,
  tablePolicy,
  uniformPolicy,
  treeOptimum,
  games,
} from "turnwise/exact";
import { createRng } from "turnwise";
import { close } from "./close";

const greedy = { kind: "greedy" } as const;
const rounded = (x: number): number => +x.toFixed(12) + 0; // no -0

describe("a phase portrait, point by point", () => {
  const tree = games.order();
  const axes = { x: { infoState: "turn 1", action: "R" }, y: { infoState: "after R", action: "y" } };

  it("has J, the step of both probabilities and the gain: J = .6 (1 - x) + x y", () => {
    // Greedy: y becomes 1; x becomes 1 where y > .6 and 0 where y < .6.
    const field = phasePortrait(tree, exactRule({ step: greedy }), axes, { points: 2 });
    assert.deepEqual(
      field.map(({ x, y, dx, dy, J, gain }) => [x, y, dx, dy, J, gain].map(rounded)),
      [
        [0.25, 0.25, -0.25, 0.75, 0.5125, 0.0875],
        [0.25, 0.75, 0.75, 0.25, 0.6375, 0.3625],
        [0.75, 0.25, -0.75, 0.75, 0.3375, 0.2625],
        [0.75, 0.75, 0.25, 0.25, 0.7125, 0.2875],
      ],
    );
  });

  it("reads an axis as the probability of the action that it names", () => {
    const left = { infoState: "turn 1", action: "L" };
    const surface = returnSurface(tree, { x: left, y: axes.y }, { points: 2 });
    // x = pi(L): J = .6 x + (1 - x) y.
    assert.deepEqual(
      surface.map(({ x, y, J }) => [x, y, J].map(rounded)),
      [
        [0.25, 0.25, 0.3375],
        [0.25, 0.75, 0.7125],
        [0.75, 0.25, 0.5125],
        [0.75, 0.75, 0.6375],
      ],
    );
  });

  it("keeps other rows as in the base, and the base as it is", () => {
    const base = tablePolicy(tree, { "after R": { y: 1 } });
    const both = { x: axes.x, y: axes.x };
    // J = .6 (1 - y) + y: .7 and .9.
    const J = [0.7, 0.9, 0.7, 0.9];
    assert.deepEqual(
      returnSurface(tree, both, { points: 2, base }).map((point) => rounded(point.J)),
      J,
    );
    assert.deepEqual(
      phasePortrait(tree, exactRule(), both, { points: 2, base }).map((point) => rounded(point.J)),
      J,
    );
    assert.deepEqual([...base[0]!], [0.5, 0.5]);
  });

  it("has 11 x 11 arrows and 21 x 21 colors unless told otherwise", () => {
    assert.equal(phasePortrait(tree, exactRule(), axes).length, 121);
    assert.equal(returnSurface(tree, axes).length, 441);
  });

  it("draws random orders from the generator that it is given", () => {
    const rule = exactRule({ step: greedy, order: "random" });
    assert.equal(phasePortrait(tree, rule, axes, { points: 2, rng: createRng(1) }).length, 4);
    assert.throws(() => phasePortrait(tree, rule, axes), {
      name: "TypeError",
      message: /a generator must be given/,
    });
  });

  for (const points of [1, 2.5]) {
    it(`refuses ${points} points`, () => {
      assert.throws(() => phasePortrait(tree, exactRule(), axes, { points }), {
        name: "RangeError",
        message: `Cannot draw a phase portrait: points must be an integer >= 2, got ${points}.`,
      });
    });
  }

  it("refuses axes that are no action of a row of two", () => {
    const refuse = (infoState: string, action: string, offers: string, game = tree): void => {
      const axis = { infoState, action };
      assert.throws(() => returnSurface(game, { x: axis, y: axis }), {
        name: "TypeError",
        message:
          "Cannot draw a phase portrait: an axis must be an action of a row of two, but " +
          `${infoState} offers ${offers}, got "${action}".`,
      });
    };
    refuse("turn 1", "y", "L, R");
    refuse("turn 3", "L", "nothing");
    refuse("dice", "a", "a, b, c", games.dice());
  });
});

describe("a simplex, point by point", () => {
  // Means 1.2, .5 and .5.
  const dice = games.dice();
  const all = (points: readonly Simplex[]): number[][] => points.map((p) => p.map(rounded));

  it("has arrows at ((i, j, k) + 1/3)/n; greedy points to the corner of a", () => {
    const field = simplexPortrait(dice, exactRule({ step: greedy }), "dice", { points: 2 });
    const [s, t] = [1 / 6, 2 / 3].map(rounded) as [number, number];
    assert.deepEqual(all(field.map(({ p }) => p)), [
      [s, s, t],
      [s, t, s],
      [t, s, s],
    ]);
    assert.deepEqual(all(field.map(({ dp }) => dp)), [
      [rounded(5 / 6), -s, -t],
      [rounded(5 / 6), -t, -s],
      [rounded(1 / 3), -s, -s],
    ]);
    // .5 + .7 p_a, and 1.2 after.
    field.forEach(({ p, J, gain }) => {
      close(J, 0.5 + 0.7 * p[0], 12);
      close(gain, 0.7 - 0.7 * p[0], 12);
    });
    assert.equal(simplexPortrait(dice, exactRule(), "dice").length, 55); // 10 x 11/2
  });

  it("has triangles that point up, and between them triangles that point down", () => {
    const one = simplexSurface(dice, "dice", { points: 1 });
    assert.equal(one.length, 1);
    assert.deepEqual(all(one[0]!.corners), [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ]);
    close(one[0]!.J, 2.2 / 3, 12);
    const two = simplexSurface(dice, "dice", { points: 2 });
    assert.equal(two.length, 4);
    // The middle one joins the middles of the sides.
    assert.deepEqual(all(two[3]!.corners), [
      [0, 0.5, 0.5],
      [0.5, 0, 0.5],
      [0.5, 0.5, 0],
    ]);
    // The first lies at the corner of c.
    assert.deepEqual(all(two[0]!.corners), [
      [0.5, 0, 0.5],
      [0, 0.5, 0.5],
      [0, 0, 1],
    ]);
    assert.equal(simplexSurface(dice, "dice").length, 400);
  });

  it("has paths with the return of each policy", () => {
    const path = simplexPath(dice, [uniformPolicy(dice), tablePolicy(dice, { dice: { a: 1 } })], "dice");
    assert.deepEqual(all(path.map(({ p }) => p)), [[1 / 3, 1 / 3, 1 / 3].map(rounded), [1, 0, 0]]);
    close(path[0]!.J, 2.2 / 3, 12);
    close(path[1]!.J, 1.2, 12);
  });

  it("keeps other rows as in the base, and the base as it is", () => {
    // The ladder's first rung: stop .55, right, wrong 0; with a sure success on the second, right is worth 1.
    const ladder = games.ladder(2);
    const base = tablePolicy(ladder, { "rung 2": { right: 1 } });
    const field = simplexPortrait(ladder, exactRule(), "rung 1", { points: 1, base });
    close(field[0]!.J, (0.55 + 1) / 3, 12);
    close(simplexSurface(ladder, "rung 1", { points: 1, base })[0]!.J, (0.55 + 1) / 3, 12);
    simplexPortrait(ladder, exactRule(), "rung 1", { points: 2, base });
    assert.deepEqual([...base[0]!], [1 / 3, 1 / 3, 1 / 3]);
  });

  it("refuses a grid that is no grid, on portrait and surface, and rows that are not there", () => {
    for (const points of [0, 1.5]) {
      const expected = {
        name: "RangeError",
        message: `Cannot draw a simplex: points must be an integer >= 1, got ${points}.`,
      };
      assert.throws(() => simplexPortrait(dice, exactRule(), "dice", { points }), expected);
      assert.throws(() => simplexSurface(dice, "dice", { points }), expected);
    }
    assert.throws(() => simplexSurface(dice, "coin"), {
      name: "TypeError",
      message: "Cannot draw a simplex: the row must have three actions, but coin offers nothing.",
    });
    assert.throws(() => simplexSurface(games.order(), "turn 1"), {
      name: "TypeError",
      message: "Cannot draw a simplex: the row must have three actions, but turn 1 offers L, R.",
    });
  });
});

describe("ensembles, tree by tree", () => {
  const rule = exactRule({ scale: "group", groupSize: 2, step: clipStep() });
  const drawn = { turns: 2, reward: "heavyTailed" } as const;
  /** The trees and policies of an ensemble, as its documentation says: each from its own generator. */
  const members = (
    seed: number,
    trees: number,
    start = "random",
  ): { tree: ReturnType<typeof games.randomTree>; policy: readonly Float64Array[] }[] =>
    Array.from({ length: trees }, (_, i) => {
      const rng = createRng(seed).split("tree", i);
      const tree = games.randomTree(rng.split("tree"), drawn);
      return {
        tree,
        policy: start === "uniform" ? uniformPolicy(tree) : randomPolicy(tree, rng.split("policy")),
      };
    });

  it("count the falls, and keep the largest with its tree", () => {
    const changes = members(0, 12).map(({ tree, policy }) => {
      const { before, after } = exactIteration(tree, policy, rule);
      return after - before;
    });
    const falls = changes.filter((x) => x < -1e-10);
    assert.ok(falls.length > 0 && falls.length < 12);
    const { decreases, trees, rate, worst, counterexample } = decreaseRate(rule, { ...drawn, trees: 12 });
    assert.deepEqual(
      [decreases, trees, rate, worst],
      [falls.length, 12, falls.length / 12, Math.min(...falls)],
    );
    const { tree, policy } = members(0, 12)[changes.indexOf(worst)]!;
    assert.deepEqual(counterexample!.tree.spec, tree.spec);
    assert.deepEqual(counterexample!.policy, policy);
    // A tolerance between the two largest falls leaves one of them.
    const [first, second] = [...falls].sort((a, b) => a - b);
    const tolerant = decreaseRate(rule, { ...drawn, trees: 12, tolerance: -(first! + second!) / 2 });
    assert.deepEqual([tolerant.decreases, tolerant.worst], [1, worst]);
    const blind = decreaseRate(rule, { ...drawn, trees: 12, tolerance: 100 });
    assert.deepEqual([blind.decreases, blind.rate, blind.worst, blind.counterexample], [0, 0, 0, null]);
  });

  it("start where they are told to, from the seed that they are given, and say how far they are", () => {
    const progress: number[][] = [];
    const onProgress = (done: number, total: number): void => void progress.push([done, total]);
    const o = { ...drawn, trees: 3, seed: 9, start: "uniform", onProgress } as const;
    const changes = members(9, 3, "uniform").map(({ tree, policy }) => {
      const { before, after } = exactIteration(tree, policy, rule);
      return after - before;
    });
    assert.equal(decreaseRate(rule, o).worst, Math.min(0, ...changes));
    assert.deepEqual(progress, [
      [1, 3],
      [2, 3],
      [3, 3],
    ]);
  });

  it("have the median of the iterations to the target, over an odd and an even number of trees", () => {
    const mirror = exactRule({ step: { kind: "mirror", eta: 4 } });
    const needed = (trees: number): number[] =>
      members(2, trees, "uniform")
        .map(({ tree, policy }) => {
          const goal = 0.98 * treeOptimum(tree).J;
          return exactRun(tree, policy, mirror, { iterations: 40, target: goal }).J;
        })
        .map((J, i) => ({ J, goal: 0.98 * treeOptimum(members(2, trees)[i]!.tree).J }))
        .filter(({ J, goal }) => J.at(-1)! >= goal)
        .map(({ J }) => J.length - 1)
        .sort((a, b) => a - b);
    for (const trees of [6, 7]) {
      const sorted = needed(trees);
      const n = sorted.length;
      const median = n % 2 === 1 ? sorted[(n - 1) / 2]! : (sorted[n / 2 - 1]! + sorted[n / 2]!) / 2;
      const found = failureRate(mirror, { ...drawn, trees, seed: 2, iterations: 40 });
      assert.deepEqual(found, {
        failures: trees - n,
        trees,
        rate: (trees - n) / trees,
        medianIterations: median,
      });
    }
    // One greedy turn reaches the optimum itself, and that is enough.
    const once = failureRate(exactRule({ step: greedy }), { turns: 1, trees: 3, iterations: 1, target: 1 });
    assert.equal(once.failures, 0);
    // Nobody gets twice the optimum; to get nothing at all takes no iteration.
    const none = failureRate(mirror, { ...drawn, trees: 3, iterations: 2, target: 2 });
    assert.deepEqual(none, { failures: 3, trees: 3, rate: 1, medianIterations: NaN });
    const all = failureRate(mirror, { ...drawn, trees: 3, iterations: 2, target: 0 });
    assert.deepEqual(all, { failures: 0, trees: 3, rate: 0, medianIterations: 0 });
  });

  for (const trees of [0, 1.5]) {
    it(`refuse ${trees} trees`, () => {
      assert.throws(() => decreaseRate(rule, { ...drawn, trees }), {
        name: "RangeError",
        message: `Cannot sample an ensemble: trees must be an integer >= 1, got ${trees}.`,
      });
    });
  }
});

describe("the grid of advantages and updates", () => {
  it("has every regime, advantage and update in order, each as its own ensemble", () => {
    const progress: number[][] = [];
    const grid = monotonicityGrid({ trees: 2, seed: 3, onProgress: (...step) => void progress.push(step) });
    const advantages = [
      ["GAE, exact critic", { baseline: "critic" }],
      ["GRAE, no std", { baseline: "mean" }],
      ["GRAE, batch std", { baseline: "mean", scale: "batch" }],
      ["GRAE, group std", { baseline: "mean", scale: "group" }],
    ] as const;
    const updates = [
      ["REINFORCE", gradientStep(0.1)],
      ["PPU", clipStep(0.2)],
    ] as const;
    const expected = regimes.flatMap(({ name: regime, groupSize, tree }) =>
      advantages.flatMap(([advantage, cells]) =>
        updates.map(([update, step]) => ({
          ...decreaseRate(exactRule({ ...cells, groupSize, step }), { ...tree, trees: 2, seed: 3 }),
          advantage,
          update,
          regime,
        })),
      ),
    );
    assert.deepEqual(
      grid.map(({ counterexample: _, ...cell }) => cell),
      expected.map(({ counterexample: _, ...cell }) => cell),
    );
    assert.deepEqual(
      progress,
      expected.map((_, i) => [i + 1, 24]),
    );
  });

  it("is measured where the proof holds, on a shared row, and under heavy tails in small groups", () => {
    assert.deepEqual(
      regimes.map(({ name, groupSize }) => [name, groupSize]),
      [
        ["separate rows, 0/1 returns, G = 4", 4],
        ["one shared row, G = infinity", Infinity],
        ["heavy tails, G = 4", 4],
      ],
    );
    assert.deepEqual(regimes[0]!.tree, { turns: 2, actions: 3, contexts: 3, reward: "bernoulli" });
    assert.deepEqual(regimes[1]!.tree, { turns: 3, actions: 2, contexts: 3, reward: "binary", shared: true });
    assert.deepEqual(regimes[2]!.tree, { turns: 2, actions: 3, contexts: 1, reward: "heavyTailed" });
    assert.ok(Object.isFrozen(regimes));
  });

  it("takes other regimes, and seed 0 without another", () => {
    const [place] = regimes.slice(2);
    const own = monotonicityGrid({ trees: 3, regimes: [place!] });
    assert.equal(own.length, 8);
    const o = { ...place!.tree, trees: 3, seed: 0 };
    const first = decreaseRate(exactRule({ baseline: "critic", groupSize: 4, step: gradientStep(0.1) }), o);
    assert.equal(own[0]!.worst, first.worst);
    const last = decreaseRate(exactRule({ scale: "group", groupSize: 4, step: clipStep(0.2) }), o);
    assert.deepEqual([own[7]!.worst, own[7]!.decreases], [last.worst, last.decreases]);
  });
});
