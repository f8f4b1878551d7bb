import assert from "node:assert/strict";
import {
  exactIteration,
  clipStep,
  exactRule,
  gradientStep,
  type ExactRule,
  sampledIteration,
  sampledRun,
  uniformPolicy,
  type TablePolicy,
  games,
} from "turnwise/exact";
import { createRng } from "turnwise";

/** Logit steps of all rows relative to the row's first action. */
function logitSteps(before: TablePolicy, after: TablePolicy): number[] {
  return before.flatMap((row, s) =>
    [...row].map((p, a) => Math.log(after[s]![a]! / p) - Math.log(after[s]![0]! / row[0]!)),
  );
}

describe("sampled iterations", () => {
  const trees = [
    games.guessOrLookUp({ pays: 0.4 }),
    games.hiddenContexts(),
    games.randomTree(createRng(50), { turns: 2, contexts: 2, reward: "bernoulli" }),
  ];
  const rules: Partial<ExactRule>[] = [
    { scale: "none", groupSize: 3 },
    { scale: "group", groupSize: 4 },
    { scale: "none", groupSize: 4, baseline: "leaveOneOut", order: "reverse" },
    { scale: "group", groupSize: 2, order: "forward" },
    { scale: "none", groupSize: 4, order: "reverse", carry: "clipped" },
    { scale: "group", groupSize: 3, unbiased: true },
    { scale: "batch", groupSize: 4 },
    { baseline: "none", groupSize: 2 },
    { baseline: "none", scale: "batch", groupSize: 2, order: "forward", carry: "off" },
  ];

  it("repeat with the same generator and report the exact return", () => {
    const tree = games.ladder(3);
    const rule = exactRule({ groupSize: 8, order: "random", step: clipStep() });
    const run = (seed: number): readonly number[] =>
      sampledRun(tree, uniformPolicy(tree), rule, { groups: 4, iterations: 5, rng: createRng(seed) }).J;
    assert.deepEqual(run(1), run(1));
    assert.notDeepEqual(run(1), run(2));
    assert.equal(run(1).length, 6);
  });

  it("refuse what cannot be sampled", () => {
    const tree = games.order();
    const at = (cells: Partial<ExactRule>, groups = 1): (() => unknown) => {
      return () =>
        sampledIteration(tree, uniformPolicy(tree), exactRule(cells), { groups, rng: createRng(0) });
    };
    assert.throws(at({}), {
      name: "RangeError",
      message:
        "Cannot sample an iteration: the rule must have a finite group and a baseline on returns, got groupSize Infinity.",
    });
    assert.throws(at({ baseline: "critic", groupSize: 4 }), /got an exact critic/);
    for (const groups of [0, 1.5]) {
      assert.throws(at({ groupSize: 4 }, groups), {
        name: "RangeError",
        message: `Cannot sample an iteration: groups must be an integer >= 1, got ${groups}.`,
      });
    }
    assert.throws(
      () => sampledIteration(tree, [], exactRule({ groupSize: 4 }), { groups: 1, rng: createRng(0) }),
      { name: "TypeError", message: /its rows must have lengths 2, 2/ },
    );
    for (const iterations of [0, 1.5]) {
      assert.throws(
        () =>
          sampledRun(tree, uniformPolicy(tree), exactRule({ groupSize: 4 }), {
            groups: 1,
            iterations,
            rng: createRng(0),
          }),
        {
          name: "RangeError",
          message: `Cannot run a rule: iterations must be an integer >= 1, got ${iterations}.`,
        },
      );
    }
  });

  it("say who moved what, and J after each set of turns", () => {
    const tree = games.order();
    const start = uniformPolicy(tree);
    const rule = exactRule({ groupSize: 4, order: "reverse", step: { kind: "greedy" } });
    const { before, after, policy, moves, returns } = sampledIteration(tree, start, rule, {
      groups: 50,
      rng: createRng(1),
    });
    // 200 episodes leave no doubt about y, nor, with y for sure, about R.
    assert.deepEqual(
      [before, after, ...returns].map((x) => +x.toFixed(12)),
      [0.55, 1, 0.8, 1],
    );
    assert.deepEqual(
      moves.map(({ turns, infoState, from, to }) => [turns, infoState, [...from], [...to]]),
      [
        [[1], "after R", [0.5, 0.5], [0, 1]],
        [[0], "turn 1", [0.5, 0.5], [0, 1]],
      ],
    );
    assert.deepEqual(
      policy.map((row) => [...row]),
      [
        [0, 1],
        [0, 1],
      ],
    );
    // From there nothing moves any more.
    const again = sampledIteration(tree, policy, rule, { groups: 5, rng: createRng(2) });
    assert.deepEqual([again.moves, again.after], [[], 1]);
    // A batch of equal returns has no spread to divide by.
    const flat = exactRule({
      baseline: "none",
      scale: "batch",
      groupSize: 2,
      step: { kind: "mirror", eta: 1 },
    });
    assert.deepEqual(
      sampledIteration(tree, policy, flat, { groups: 2, rng: createRng(3) }).policy.map((row) => [...row]),
      [
        [0, 1],
        [0, 1],
      ],
    );
  });

  it("of small steps are the exact iteration on average, within 4 standard errors, for every scale, order and carry", () => {
    for (const tree of trees) {
      const policy = uniformPolicy(tree);
      for (const cells of rules) {
        // So small a step that one iteration is linear in the batch.
        const rule = exactRule({ step: gradientStep(1e-4), ...cells });
        const exact = logitSteps(policy, exactIteration(tree, policy, rule).policy);
        const runs = Array.from({ length: 30 }, (_, i) => {
          const rng = createRng(52).split("batch", i);
          return logitSteps(policy, sampledIteration(tree, policy, rule, { groups: 300, rng }).policy);
        });
        exact.forEach((expected, k) => {
          const values = runs.map((run) => run[k]!);
          const mean = values.reduce((a, b) => a + b) / values.length;
          const variance = values.reduce((a, b) => a + (b - mean) ** 2, 0) / (values.length - 1);
          const error = Math.sqrt(variance / values.length);
          assert.ok(
            Math.abs(mean - expected) <= 4 * error + 1e-12,
            `${tree.name}, ${JSON.stringify(cells)}, ${k}: ${mean} against ${expected} +- ${error}`,
          );
        });
      }
    }
  }).timeout(20_000);
});
