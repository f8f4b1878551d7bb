import assert from "node:assert/strict";
import {
  exactIteration,
  exactRun,
  clipStep,
  exactRule,
  gradientStep,
  reuseStep,
  type ExactRule,
  treeGradient,
  treeReturn,
  probabilityOf,
  randomPolicy,
  tablePolicy,
  uniformPolicy,
  games,
  type Tree,
} from "turnwise/exact";
import { createRng } from "turnwise";
import { close } from "./close";

const greedy = { kind: "greedy" } as const;

function lookUpAt(p: number, pays = 1): { tree: Tree; start: readonly Float64Array[] } {
  const tree = games.guessOrLookUp({ pays });
  return { tree, start: tablePolicy(tree, { question: { guess: 1 - p, lookup: p } }) };
}

describe("exact iterations: the group's standard deviation", () => {
  it("lowers the jackpot's return at every step to .1 for G = 8, and not for G = 16 or without std", () => {
    const tree = games.jackpot();
    const run = (scale: "none" | "group", groupSize: number): { J: readonly number[]; decreases: number } =>
      exactRun(tree, uniformPolicy(tree), exactRule({ scale, groupSize, step: gradientStep(2) }), {
        iterations: 2000,
      });
    const group = run("group", 8);
    close(group.J[1]!, 0.1677, 4);
    close(group.J.at(-1)!, 0.1, 4);
    assert.equal(group.decreases, 2000);
    const none = run("none", 8);
    close(none.J[1]!, 0.1799, 4);
    close(none.J.at(-1)!, 0.2498, 3);
    assert.equal(none.decreases, 0);
    close(run("group", 16).J.at(-1)!, 0.2499, 4);
  });

  it("unlearns the lookup in small groups: .175 falls to .1109 at G = 2 in 95 steps, to .1237 at G = 4 in 28", () => {
    const { tree, start } = lookUpAt(0.5);
    const run = (groupSize: number): ReturnType<typeof exactRun> =>
      exactRun(tree, start, exactRule({ scale: "group", groupSize, step: gradientStep(1) }), {
        iterations: 2500,
      });
    const two = run(2);
    close(two.J[0]!, 0.175, 12);
    close(two.minimum, 0.1109, 4);
    assert.equal(two.decreases, 95);
    close(two.J.at(-1)!, 0.998, 3);
    const four = run(4);
    close(four.minimum, 0.1237, 4);
    assert.equal(four.decreases, 28);
    for (const G of [8, 16]) assert.equal(run(G).decreases, 0);
  });

  it("from p(lookup) = .1 the fall lasts 1159, 332 and 130 steps at G = 2, 8, 16, counting falls above 1e-9", () => {
    // Counting falls down to 1e-12 gives 1161, 333 and 130: the last steps before the turn are flat.
    const { tree, start } = lookUpAt(0.1);
    const expected: [number, number, number, number][] = [
      [2, 0.1008, 1159, 1161],
      [8, 0.1011, 332, 333],
      [16, 0.102, 130, 130],
    ];
    for (const [groupSize, minimum, falls, all] of expected) {
      const rule = exactRule({ scale: "group", groupSize, step: gradientStep(1) });
      const run = exactRun(tree, start, rule, { iterations: 1400, tolerance: 1e-9 });
      close(run.minimum, minimum, 4);
      assert.equal(run.decreases, falls);
      assert.equal(run.J.filter((x, i) => i > 0 && x < run.J[i - 1]! - 1e-12).length, all);
    }
    for (const groupSize of [2, 8, 16]) {
      const none = exactRun(tree, start, exactRule({ groupSize, step: gradientStep(1) }), {
        iterations: 1400,
      });
      assert.equal(none.decreases, 0);
    }
  }).timeout(20_000);

  it("with a noisy tool ends at .1 although .4 is possible, at G = 2 to 32 from p = .5 and G = 2 to 8 from .9", () => {
    const end = (p: number, cells: Partial<ExactRule>): number => {
      const { tree, start } = lookUpAt(p, 0.4);
      return exactRun(tree, start, exactRule({ step: gradientStep(1), ...cells }), { iterations: 2500 }).J.at(
        -1,
      )!;
    };
    for (const groupSize of [2, 4, 8, 16, 32]) close(end(0.5, { scale: "group", groupSize }), 0.1, 3);
    for (const groupSize of [2, 4, 8]) close(end(0.9, { scale: "group", groupSize }), 0.1, 3);
    // .4 is the limit; after 2000 steps of 1 the answers are still .1 to .2% short.
    for (const groupSize of [16, 32]) assert.ok(end(0.9, { scale: "group", groupSize }) > 0.399);
    assert.ok(end(0.5, { scale: "group", groupSize: Infinity }) > 0.399);
    assert.ok(end(0.5, { groupSize: 8 }) > 0.398);
  }).timeout(20_000);

  it("over contexts that look alike turns the gradient's sign, at any G", () => {
    // sigma_1 = sqrt(p(1-p)), sigma_2 = .1 sqrt(p(1-p)): the logit gradient at 1/2 is (1/2)(1/2)(.4 x 2 - .6 x 2) = -.1;
    // without std (1/4)(.4 - .06) = .085; batch divides by sqrt(.4/4 + .6 x .01/4) = .31859: .2668.
    const tree = games.hiddenContexts();
    const slope = (cells: Partial<ExactRule>): number => {
      const { policy } = exactIteration(
        tree,
        uniformPolicy(tree),
        exactRule({ step: gradientStep(1), ...cells }),
      );
      return Math.log(policy[0]![0]! / policy[0]![1]!) / 2;
    };
    close(slope({}), 0.085, 12);
    close(slope({ scale: "batch" }), 0.2668, 4);
    close(slope({ scale: "group" }), -0.1, 12);
    close(slope({ scale: "group", groupSize: 8 }), -0.0928, 4);
    const J = (scale: "none" | "group" | "batch"): readonly number[] =>
      exactRun(tree, uniformPolicy(tree), exactRule({ scale, step: gradientStep(1) }), { iterations: 1000 })
        .J;
    const group = J("group");
    close(group[0]!, 0.23, 12);
    close(group[1]!, 0.2131, 4);
    close(group[10]!, 0.1088, 4);
    close(group.at(-1)!, 0.06, 3);
    const none = J("none");
    close(none[1]!, 0.2444, 4);
    close(none[10]!, 0.3357, 4);
    close(none.at(-1)!, 0.3995, 3);
    close(J("batch").at(-1)!, 0.4, 4);
  });
});

describe("exact iterations: mean baseline", () => {
  it("one gradient step is (G-1)/G of the true gradient with the own sample, and the gradient itself without", () => {
    const rng = createRng(6);
    const tree = games.randomTree(rng, { turns: 2, contexts: 2, reward: "heavyTailed" });
    const policy = randomPolicy(tree, rng);
    const gradient = treeGradient(tree, policy);
    for (const [baseline, factor] of [
      ["mean", 3 / 4],
      ["leaveOneOut", 1],
      ["critic", 1],
      ["none", 1],
    ] as const) {
      const next = exactIteration(
        tree,
        policy,
        exactRule({ baseline, groupSize: 4, step: gradientStep(1e-3) }),
      ).policy;
      gradient.forEach((row, s) => {
        for (let a = 1; a < row.length; a++) {
          const step = Math.log(next[s]![a]! / policy[s]![a]!) - Math.log(next[s]![0]! / policy[s]![0]!);
          close(step, 1e-3 * factor * (row[a]! - row[0]!), 12, baseline);
        }
      });
    }
  });

  it("never lowers the return in 300 random trees, for every turn at once (proof: improvement in every history)", () => {
    for (let i = 0; i < 300; i++) {
      const rng = createRng(20).split("tree", i);
      const tree = games.randomTree(rng, {
        turns: 1 + (i % 3),
        contexts: 1 + (i % 2),
        reward: (["uniform", "heavyTailed", "bernoulli"] as const)[i % 3]!,
      });
      const policy = randomPolicy(tree, rng);
      for (const step of [clipStep(), reuseStep(1, 5), { kind: "mirror", eta: 4 } as const]) {
        const { before, after } = exactIteration(tree, policy, exactRule({ step }));
        assert.ok(after >= before - 1e-12, `tree ${i}, ${step.kind}: ${before} to ${after}`);
      }
    }
  }).timeout(20_000);

  it("the clipped argmax does not lower the return at small G without std, nor with it for G = infinity or 0/1 returns", () => {
    for (let i = 0; i < 100; i++) {
      const rng = createRng(21).split("tree", i);
      const heavy = games.randomTree(rng, { turns: 2, contexts: 1 + (i % 3), reward: "heavyTailed" });
      const binary = games.randomTree(rng, { turns: 2, contexts: 1 + (i % 3), reward: "bernoulli" });
      const fall = (tree: Tree, cells: Partial<ExactRule>): number => {
        const policy = randomPolicy(tree, createRng(i));
        const { before, after } = exactIteration(tree, policy, exactRule({ step: clipStep(), ...cells }));
        return before - after;
      };
      assert.ok(fall(heavy, { groupSize: 2 }) < 1e-10);
      assert.ok(fall(heavy, { groupSize: 4, scale: "batch" }) < 1e-10);
      assert.ok(fall(heavy, { scale: "group" }) < 1e-10);
      assert.ok(fall(binary, { groupSize: 2, scale: "group" }) < 1e-10);
      assert.ok(fall(binary, { groupSize: 4, scale: "group" }) < 1e-10);
    }
  }).timeout(20_000);
});

describe("exact iterations: the batch as baseline", () => {
  it("divides by the std of all returns", () => {
    // One task: (R - J) / sigma. The jackpot at 1/2: sigma^2 = (.01 + .25)/2 - .175^2 = .099375.
    const tree = games.jackpot();
    const step = gradientStep(1e-3);
    const { policy } = exactIteration(
      tree,
      uniformPolicy(tree),
      exactRule({ baseline: "none", scale: "batch", step }),
    );
    const slope = Math.log(policy[0]![1]! / policy[0]![0]!) / 2e-3;
    // p (1-p) (Q(risky) - Q(safe)) / sigma = .25 x .15 / .31524.
    close(slope, (0.25 * 0.15) / Math.sqrt(0.099375), 6);
  });
});

describe("exact iterations: order of the turns", () => {
  const orders = ["reverse", "forward", "simultaneous"] as const;

  it("greedy steps stop at .6 forward and at once, and reach 1 in reverse after one sweep", () => {
    const tree = games.order();
    const J = (order: ExactRule["order"]): readonly number[] =>
      exactRun(tree, uniformPolicy(tree), exactRule({ step: greedy, order }), { iterations: 10 }).J;
    assert.deepEqual(J("reverse"), [0.55, 1, 1]);
    assert.deepEqual(J("forward"), [0.55, 0.6, 0.6]);
    assert.deepEqual(J("simultaneous"), [0.55, 0.6, 0.6]);
  });

  it("greedy steps in random order end at 1 half of the time", () => {
    const tree = games.order();
    let wins = 0;
    for (let i = 0; i < 400; i++) {
      const run = exactRun(tree, uniformPolicy(tree), exactRule({ step: greedy, order: "random" }), {
        iterations: 10,
        rng: createRng(2).split("run", i),
      });
      if (run.J.at(-1) === 1) wins++;
    }
    // Binomial(400, 1/2) has standard deviation 10.
    assert.ok(Math.abs(wins - 200) < 40, `${wins} of 400`);
  });

  it("softer steps reach .99 in every order: mirror 2/4/4, clipped argmax 5/7/7, gradient 22/23/23 iterations", () => {
    const tree = games.order();
    const table: [ExactRule["step"], number[]][] = [
      [{ kind: "mirror", eta: 5 }, [2, 4, 4]],
      [clipStep(0.2), [5, 7, 7]],
      [gradientStep(5), [22, 23, 23]],
    ];
    for (const [step, expected] of table) {
      const iterations = orders.map((order) => {
        const { J } = exactRun(tree, uniformPolicy(tree), exactRule({ step, order }), {
          iterations: 50,
          target: 0.99,
        });
        return J.length - 1;
      });
      assert.deepEqual(iterations, expected, step.kind);
    }
  });

  it("a parameter that both turns share turns the greedy step from .48 to 0, and a clip of .5 from .48 to .32", () => {
    // J = 2p(1-p), p = .6. Greedy: turn 2 prefers b (.6 > .4), p = 0, J = 0; turn 1 then prefers a, p = 1, J = 0.
    // Clip .5, turn 2: b may rise to .6, a may fall to .3; the left .1 goes where it costs least, back to a: p = .4.
    // Turn 1 sees turn 2 at .4, so a is worth .6: a may rise to .9, b may fall to .2, where the mass ends: p = .8.
    const tree = games.differToWin();
    const start = tablePolicy(tree, { "both turns": { a: 0.6, b: 0.4 } });
    const returns = (step: ExactRule["step"]): readonly number[] =>
      exactIteration(tree, start, exactRule({ step, order: "reverse" })).returns;
    close(treeReturn(tree, start), 0.48, 12);
    assert.deepEqual(returns(greedy), [0, 0]);
    const narrow = returns(clipStep(0.2));
    close(narrow.at(-1)!, 0.4992, 12); // p = .52
    const wide = returns(clipStep(0.5));
    close(wide[0]!, 0.48, 12);
    close(wide[1]!, 0.32, 12);

    const separate = games.differToWin({ shared: false });
    const apart = tablePolicy(separate, { "turn 1": { a: 0.6, b: 0.4 }, "turn 2": { a: 0.6, b: 0.4 } });
    const promise = exactIteration(separate, apart, exactRule({ step: clipStep(0.5), order: "reverse" }));
    close(promise.after, 0.56, 12);
    close(exactIteration(separate, apart, exactRule({ step: greedy, order: "reverse" })).after, 1, 12);
  });

  it("one shared logit: alternating gradient steps leave a bias that shrinks with the step", () => {
    const tree = games.firstThenSecond();
    const end = (x: number, eta: number): number => {
      const p = 1 / (1 + Math.exp(-x));
      const start = tablePolicy(tree, { "both turns": { a: 1 - p, b: p } });
      // The softmax moves both logits, so that their difference moves by twice the step.
      const rule = exactRule({ order: "reverse", step: gradientStep(eta / 2) });
      return exactRun(tree, start, rule, { iterations: 200 }).J.at(-1)!;
    };
    const table: [number, number, number][] = [
      [8, 0.2294, 0.2294],
      [2, 0.2489, 0.2489],
      [0.5, 0.2499, 0.2499],
      [0.1, 0.25, 0.2479],
    ];
    for (const [eta, fromOptimum, fromFar] of table) {
      close(end(0, eta), fromOptimum, 4, `eta ${eta} from 0`);
      close(end(1.5, eta), fromFar, 4, `eta ${eta} from 1.5`);
    }
  });

  it("a note that is all turn 2 sees: greedy reverse pools at .7, greedy forward reaches 1", () => {
    // Posteriors of bit 0: .42/.54 and .28/.46, both above 1/2, so turn 2 says 0 always: J = .7, and turn 1 is
    // indifferent. Forward: writing the truth is worth .55 against .45, then turn 2 follows the note.
    const tree = games.note();
    const start = tablePolicy(tree, {
      "bit 0": { "write 0": 0.6, "write 1": 0.4 },
      "bit 1": { "write 0": 0.4, "write 1": 0.6 },
      "note 0": { "say 0": 0.55, "say 1": 0.45 },
      "note 1": { "say 0": 0.45, "say 1": 0.55 },
    });
    const J = (order: ExactRule["order"]): readonly number[] =>
      exactRun(tree, start, exactRule({ step: greedy, order }), { iterations: 10 }).J;
    close(J("reverse")[0]!, 0.51, 12);
    close(J("reverse").at(-1)!, 0.7, 12);
    close(J("forward").at(-1)!, 1, 12);
    for (const order of orders) {
      for (const step of [clipStep(), gradientStep(5)]) {
        const run = exactRun(tree, start, exactRule({ step, order }), { iterations: 200, target: 0.98 });
        assert.ok(run.J.at(-1)! >= 0.98, `${order}, ${step.kind}`);
      }
    }
  });

  it("turns without history: at once 0, turn 2 first .6, turn 1 first 1", () => {
    // Pay .6 on (a, a) and 1 on (b, b). P(a) = .7 in turn 1, .3 in turn 2: J = .7 x .3 x .6 + .3 x .7 = .336.
    // Turn 1: a is worth .3 x .6 = .18, b .7. Turn 2: a is worth .7 x .6 = .42, b .3.
    const tree = games.memoryless();
    const start = tablePolicy(tree, { "turn 1": { a: 0.7, b: 0.3 }, "turn 2": { a: 0.3, b: 0.7 } });
    const after = (order: ExactRule["order"]): number =>
      exactIteration(tree, start, exactRule({ step: greedy, order })).after;
    close(treeReturn(tree, start), 0.336, 12);
    close(after("simultaneous"), 0, 12);
    close(after("reverse"), 0.6, 12);
    close(after("forward"), 1, 12);
  });

  it("with one row per history, forward equals simultaneous under mirror steps, and every order is monotone", () => {
    for (let i = 0; i < 20; i++) {
      const tree = games.randomTree(createRng(30).split("tree", i), { turns: 4 });
      const run = (order: ExactRule["order"]): ReturnType<typeof exactRun> =>
        exactRun(tree, uniformPolicy(tree), exactRule({ step: { kind: "mirror", eta: 5 }, order }), {
          iterations: 12,
          rng: createRng(i),
        });
      const [reverse, forward, simultaneous] = orders.map(run);
      forward!.J.forEach((J, k) => close(J, simultaneous!.J[k]!, 9));
      for (const { decreases } of [reverse!, forward!, simultaneous!, run("random")]) {
        assert.equal(decreases, 0);
      }
    }
  }).timeout(20_000);

  it("simultaneous equals reverse without carry when parameters are separate", () => {
    const rng = createRng(12);
    const tree = games.randomTree(rng, { turns: 3, reward: "heavyTailed" });
    const policy = randomPolicy(tree, rng);
    const cells = { step: clipStep(), scale: "group", groupSize: 4 } as const;
    const atOnce = exactIteration(tree, policy, exactRule(cells)).policy;
    const inTurn = exactIteration(
      tree,
      policy,
      exactRule({ ...cells, order: "reverse", carry: "off" }),
    ).policy;
    assert.deepEqual(inTurn, atOnce);
  });

  it("an exact carry in reverse order gives the advantage under the turns already updated (SeeUPO, Eq. 4)", () => {
    // After turn 2 moved to y, R is worth 1 against .6: greedy turn 1 takes R although Q_old(R) = .5.
    const tree = games.order();
    const { moves, policy } = exactIteration(
      tree,
      uniformPolicy(tree),
      exactRule({ step: greedy, order: "reverse" }),
    );
    assert.deepEqual(
      moves.map(({ turns, infoState }) => [turns, infoState]),
      [
        [[1], "after R"],
        [[0], "turn 1"],
      ],
    );
    assert.equal(probabilityOf(tree, policy, "turn 1", "R"), 1);
    const clipped = exactIteration(
      tree,
      uniformPolicy(tree),
      exactRule({ step: greedy, order: "reverse", carry: "clipped" }),
    );
    // The ratio 2 of y is clipped to 1.2, the ratio 0 of x to .8. A = R - J: Q - J on L .05; on R
    // (1.2 (1 - .55) + .8 (0 - .55))/2 = .05; equal, so that turn 1 does not move: J = (.6 + 1)/2.
    close(clipped.after, 0.8, 12);
  });
});

describe("exactRule()", () => {
  it("refuses cells that contradict each other", () => {
    assert.throws(() => exactRule({ groupSize: 1 }), {
      name: "RangeError",
      message: "Cannot make an exact rule: groupSize must be an integer >= 2 or Infinity, got 1.",
    });
    assert.throws(() => exactRule({ carry: "exact" }), {
      message: `Cannot make an exact rule: a simultaneous order must have carry "off", got "exact".`,
    });
    assert.throws(() => exactRule({ baseline: "critic", scale: "group" }), /must have a group baseline/);
    assert.throws(
      () => exactRule({ baseline: "critic", order: "reverse", carry: "clipped" }),
      /must have a baseline on returns/,
    );
  });
});
