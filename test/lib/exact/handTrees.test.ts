import assert from "node:assert/strict";
import {
  evaluateTree,
  treeGradient,
  exactIteration,
  exactRun,
  clipStep,
  exactRule,
  gradientStep,
  returnDistribution,
  probabilityOf,
  randomPolicy,
  tablePolicy,
  uniformPolicy,
  deterministicPolicies,
  nashGap,
  nashPoints,
  treeOptimum,
  buildTree,
  games,
  type Tree,
} from "turnwise/exact";
import { createRng } from "turnwise";
import { evaluateByTurn } from "turnwise/internal/exact/evaluateTree";
import { countPaths, pathsOf } from "turnwise/internal/exact/paths";
import { pathProbability, returnTable } from "turnwise/internal/exact/returnDistribution";
import { checkPolicy, clonePolicy } from "turnwise/internal/exact/tablePolicy";
import { close } from "./close";
import { twoTasks } from "./twoTasks";

const greedy = { kind: "greedy" } as const;

const rows = (policy: readonly Float64Array[]): number[][] => policy.map((row) => [...row]);

describe("a tree of two tasks, by hand", () => {
  const tree = twoTasks();
  const policy = tablePolicy(tree, { door: { go: 0.4, stay: 0.6 }, inside: { x: 0.5, y: 0.5 } });
  const [first, second, inside] = ["first", "second", "inside"].map((name) =>
    tree.nodes.findIndex((node) => node.name === name),
  ) as [number, number, number];

  it("has the values of its nodes, actions and tasks", () => {
    const { J, value, actionValue, occupancy, taskValue } = evaluateTree(tree, policy);
    // V(inside) = 1, Q(first, go) = -.5 + .75 = .25, V(first) = .4 x .25 + .6 = .7, V(second) = 1.6.
    close(value[inside]!, 1, 12);
    [0.25, 1].forEach((q, a) => close(actionValue[first]![a]!, q, 12));
    close(value[first]!, 0.7, 12);
    close(value[second]!, 1.6, 12);
    close(J, 0.25 * 0.7 + 0.75 * 1.6, 12);
    [0.7, 1.6].forEach((v, k) => close(taskValue[k]!, v, 12));
    close(occupancy[inside]!, 0.25 * 0.4 * 0.75, 12);
    assert.deepEqual([occupancy[first], occupancy[second]], [0.25, 0.75]);
  });

  it("has a gradient that adds up over the nodes that share a row", () => {
    const gradient = treeGradient(tree, policy);
    // go: .4 (.25 (.25 - .7) + .75 (4 - 1.6)); inside, x: .5 x .075 x (2 - 1).
    close(gradient[0]![0]!, 0.4 * (0.25 * -0.45 + 0.75 * 2.4), 12);
    close(gradient[0]![1]!, 0.6 * (0.25 * 0.3 + 0.75 * -1.6), 12);
    close(gradient[1]![0]!, 0.0375, 12);
    close(gradient[1]![1]!, -0.0375, 12);
  });

  it("can be evaluated with another policy at each turn", () => {
    const sure = tablePolicy(tree, { door: { go: 1 }, inside: { x: 1 } });
    // go with .4 at the first turn, x for sure at the second: V(inside) = 2, Q(first, go) = 1.
    const { J, occupancy } = evaluateByTurn(tree, (turn) => (turn === 0 ? policy : sure));
    close(J, 0.25 * (0.4 * 1 + 0.6) + 0.75 * 1.6, 12);
    close(occupancy[inside]!, 0.075, 12);
    // gamma = 1/2 halves V(inside).
    const halved = evaluateByTurn(tree, () => policy, { gamma: 0.5 });
    close(halved.actionValue[first]![0]!, -0.5 + 0.75 * 0.5, 12);
  });

  it("a task that never starts has value 0", () => {
    const spec = { ...tree.spec, start: [{ node: "first" }, { node: "second", probability: 0 }] };
    const never = buildTree({ ...spec, name: "never" });
    assert.deepEqual(
      [...evaluateTree(never, policy).taskValue].map((v) => +v.toFixed(12)),
      [0.7, 0],
    );
    const paths = pathsOf(never);
    const table = returnTable(never, paths, pathProbability(never, paths, policy));
    assert.ok(table[1]!.every((p) => p === 0));
  });

  it("has six trajectories, which end at other turns and pay five returns", () => {
    const tree = twoTasks(); // its own: trajectories are kept with their tree
    assert.equal(countPaths(tree), 6);
    const paths = pathsOf(tree);
    assert.equal(pathsOf(tree), paths); // enumerated once
    assert.deepEqual([...paths.returns], [-0.5, 0, 1, 1.5, 4]);
    const listed = Array.from({ length: paths.count }, (_, i) => ({
      task: paths.task[i],
      total: paths.returns[paths.returnIndex[i]!],
      length: paths.length[i],
      chance: +paths.chance[i]!.toFixed(12),
      node: [...paths.node.subarray(2 * i, 2 * i + 2)],
      action: [...paths.action.subarray(2 * i, 2 * i + 2)],
    }));
    // chance: start x outcome, without the policy.
    assert.deepEqual(listed, [
      { task: 0, total: 1.5, length: 2, chance: 0.1875, node: [first, inside], action: [0, 0] },
      { task: 0, total: -0.5, length: 2, chance: 0.1875, node: [first, inside], action: [0, 1] },
      { task: 0, total: -0.5, length: 1, chance: 0.0625, node: [first, -1], action: [0, -1] },
      { task: 0, total: 1, length: 1, chance: 0.25, node: [first, -1], action: [1, -1] },
      { task: 1, total: 4, length: 1, chance: 0.75, node: [second, -1], action: [0, -1] },
      { task: 1, total: 0, length: 1, chance: 0.75, node: [second, -1], action: [1, -1] },
    ]);
    const p = pathProbability(tree, paths, policy);
    [0.0375, 0.0375, 0.025, 0.15, 0.3, 0.45].forEach((x, i) => close(p[i]!, x, 12));
  });

  it("has returns by task, given the task", () => {
    // First task: 1.5 with .4 x .75 x .5 = .15, -.5 with .15 + .1 = .25, 1 with .6.
    const shown = returnDistribution(tree, policy);
    assert.deepEqual(shown.value, [-0.5, 1, 1.5]);
    [0.25, 0.6, 0.15].forEach((p, k) => close(shown.probability[k]!, p, 12));
    const second = returnDistribution(tree, policy, "second");
    assert.deepEqual(second.value, [0, 4]);
    [0.6, 0.4].forEach((p, k) => close(second.probability[k]!, p, 12));
    assert.throws(() => returnDistribution(tree, policy, "third"), {
      name: "TypeError",
      message: 'Cannot list returns: the task must be one of first, second, got "third".',
    });
    assert.throws(() => returnDistribution(tree, []), {
      name: "TypeError",
      message: /its rows must have lengths/,
    });
  });

  it("has 4 deterministic policies, of which go and x is the best", () => {
    assert.deepEqual([...deterministicPolicies(tree)].map(rows), [
      [
        [1, 0],
        [1, 0],
      ],
      [
        [0, 1],
        [1, 0],
      ],
      [
        [1, 0],
        [0, 1],
      ],
      [
        [0, 1],
        [0, 1],
      ],
    ]);
    const { J, policy: best, method } = treeOptimum(tree);
    // first: -.5 + .75 x 2 = 1; second: 4.
    close(J, 0.25 * 1 + 0.75 * 4, 12);
    assert.deepEqual(rows(best), [
      [1, 0],
      [1, 0],
    ]);
    assert.equal(method, "deterministicPolicies");
  });

  it("has gains by turn: what a best answer at one turn adds while the other stays", () => {
    const { gap, byTurn } = nashGap(tree, policy);
    // Turn 1: go is worth .25 x .25 + .75 x 4 = 3.0625 of J = 1.375. Turn 2: .075 x (2 - 1).
    close(byTurn[0]!, 3.0625 - 1.375, 12);
    close(byTurn[1]!, 0.075, 12);
    close(gap, 3.0625 - 1.375, 12);
  });
});

describe("a row that two turns share", () => {
  it("has a gain for each turn alone: .12 and .12 from p = .6 where both must differ", () => {
    // J = 2 x .6 x .4 = .48. Turn 1: b is worth .6. Turn 2: b is worth .6 too, after a.
    const tree = games.differToWin();
    const { byTurn, gap } = nashGap(tree, tablePolicy(tree, { "both turns": { a: 0.6, b: 0.4 } }));
    close(byTurn[0]!, 0.12, 12);
    close(byTurn[1]!, 0.12, 12);
    close(gap, 0.12, 12);
  });
});

describe("the optimum of a tree, by hand", () => {
  it("is found by backward induction where every row is one node, costs and chance included", () => {
    const tree = buildTree({
      name: "toll",
      start: [{ node: "gate" }],
      nodes: {
        gate: {
          actions: {
            pay: [
              { probability: 0.5, reward: -1, next: "road" },
              { probability: 0.5, reward: -1 },
            ],
            stay: -0.25,
          },
        },
        road: { actions: { left: 1, right: 3 } },
      },
    });
    // pay: -1 + 3/2 = .5 > -.25.
    const { J, policy, method } = treeOptimum(tree);
    assert.equal(J, 0.5);
    assert.deepEqual(rows(policy), [
      [1, 0],
      [0, 1],
    ]);
    assert.equal(method, "dynamicProgramming");
  });

  it("is the first of equals, and the better one only by more than round-off", () => {
    // One row for two nodes, both policies worth 1/2 each.
    const tree = (second: number): Tree =>
      buildTree({
        name: "even",
        start: [
          { node: "a", probability: 0.5 },
          { node: "b", probability: 0.5 },
        ],
        nodes: {
          a: { sees: "blind", actions: { x: 1, y: 0 } },
          b: { sees: "blind", actions: { x: 0, y: second } },
        },
      });
    assert.deepEqual(rows(treeOptimum(tree(1)).policy), [[1, 0]]);
    assert.deepEqual(rows(treeOptimum(tree(1 + 1e-13)).policy), [[1, 0]]);
    assert.deepEqual(rows(treeOptimum(tree(1.1)).policy), [[0, 1]]);
    assert.deepEqual(
      nashPoints(tree(1 + 1e-13)).map(({ policy }) => rows(policy)),
      [[[0, 1]], [[1, 0]]],
    );
  });

  it("tries 200,000 policies and no more", () => {
    const choices = (...sizes: readonly number[]): Tree =>
      buildTree({
        name: "wide",
        start: sizes.map((_, i) => ({ node: `n${i}`, probability: 1 / sizes.length })),
        nodes: Object.fromEntries(
          sizes.map((size, i) => [
            `n${i}`,
            { actions: Object.fromEntries(Array.from({ length: size }, (_, a) => [`a${a}`, a])) },
          ]),
        ),
      });
    assert.equal(deterministicPolicies(choices(400, 500)).next().done, false);
    assert.throws(() => deterministicPolicies(choices(3, 163, 409)).next(), {
      name: "RangeError",
      message: 'Cannot try every policy of tree "wide": there must be at most 200000, but there are 200001.',
    });
  });
});

describe("enumerated trajectories", () => {
  it("have the returns nearest below within round-off as one, and others apart", () => {
    const tree = buildTree({
      name: "near",
      start: [{ node: "n" }],
      nodes: { n: { actions: { a: 1, b: 1 + 5e-13, c: 1 + 1e-11, d: -1, e: 3 } } },
    });
    const { returns, returnIndex } = pathsOf(tree);
    assert.deepEqual([...returns], [-1, 1, 1 + 1e-11, 3]);
    assert.deepEqual([...returnIndex], [1, 1, 2, 0, 3]);
  });
});

describe("tables of probabilities", () => {
  const tree = games.order();

  it("by names: what is not named is uniform, an action that is not named gets nothing", () => {
    assert.deepEqual(rows(tablePolicy(tree, { "after R": { y: 1 } })), [
      [0.5, 0.5],
      [0, 1],
    ]);
    assert.deepEqual(rows(uniformPolicy(games.ladder(2))), [
      [1 / 3, 1 / 3, 1 / 3],
      [1 / 3, 1 / 3, 1 / 3],
    ]);
  });

  const what = 'Cannot make a policy for tree "order":';
  const refused: [rows: Record<string, Record<string, number>>, name: string, message: string][] = [
    [{ up: { L: 1 } }, "TypeError", 'a row must belong to one of turn 1, after R, got "up".'],
    [{ "turn 1": { up: 1 } }, "TypeError", 'turn 1 offers L, R only: there is no action "up"'],
    [
      { "turn 1": { L: 1.5, R: -0.5 } },
      "RangeError",
      "probabilities must be >= 0 and sum to 1, but turn 1 has 1.5, -0.5",
    ],
    [
      { "turn 1": { L: 0.5 } },
      "RangeError",
      "probabilities must be >= 0 and sum to 1, but turn 1 has 0.5, 0",
    ],
    [
      { "turn 1": { L: 1, R: 1 } },
      "RangeError",
      "probabilities must be >= 0 and sum to 1, but turn 1 has 1, 1",
    ],
    [
      { "turn 1": { L: NaN } },
      "RangeError",
      "probabilities must be >= 0 and sum to 1, but turn 1 has NaN, 0",
    ],
  ];
  for (const [named, name, message] of refused) {
    it(`refuse ${JSON.stringify(named)}`, () => {
      assert.throws(() => tablePolicy(tree, named), { name, message: `${what} ${message}` });
    });
  }

  it("may be short of 1 by round-off", () => {
    assert.doesNotThrow(() => tablePolicy(tree, { "turn 1": { L: 0.5, R: 0.5 - 9e-10 } }));
    assert.throws(() => tablePolicy(tree, { "turn 1": { L: 0.5, R: 0.5 - 2e-9 } }), { name: "RangeError" });
  });

  it("are read by name", () => {
    const policy = tablePolicy(tree, { "turn 1": { L: 0.25, R: 0.75 } });
    assert.equal(probabilityOf(tree, policy, "turn 1", "L"), 0.25);
    assert.equal(probabilityOf(tree, policy, "turn 1", "R"), 0.75);
    for (const [row, action] of [
      ["turn 1", "x"],
      ["turn 3", "L"],
    ] as const) {
      assert.throws(() => probabilityOf(tree, policy, row, action), {
        name: "TypeError",
        message: `Cannot read a probability: tree "order" must have ${row} with action ${action}.`,
      });
    }
  });

  it("are copied deeply, and checked for their shape", () => {
    const policy = uniformPolicy(tree);
    const copy = clonePolicy(policy);
    copy[0]![0] = 9;
    assert.equal(policy[0]![0], 0.5);
    checkPolicy(tree, policy);
    const [row] = policy as [Float64Array];
    for (const wrong of [[row], [row, row, row], [row, Float64Array.of(1)], [Float64Array.of(1), row]]) {
      assert.throws(() => checkPolicy(tree, wrong), {
        name: "TypeError",
        message:
          'Cannot use the policy for tree "order": its rows must have lengths 2, 2, ' +
          `got ${wrong.map(({ length }) => length).join(", ")}.`,
      });
    }
  });

  it("are drawn uniformly from the simplex: a probability of three is below x with 1 - (1 - x)^2", () => {
    const three = games.ladder(1);
    const rng = createRng(5);
    const drawn = Array.from({ length: 4000 }, () => randomPolicy(three, rng)[0]!);
    for (const row of drawn) close(row[0]! + row[1]! + row[2]!, 1, 12);
    for (const x of [0.2, 0.5]) {
      const expected = 1 - (1 - x) ** 2;
      const error = Math.sqrt((expected * (1 - expected)) / drawn.length);
      for (const a of [0, 1, 2]) {
        const share = drawn.filter((row) => row[a]! < x).length / drawn.length;
        assert.ok(Math.abs(share - expected) < 4.5 * error, `${share} and ${expected}`);
      }
    }
  });
});

describe("certificates of an exact iteration", () => {
  const tree = games.order();
  const rule = exactRule({ step: greedy, order: "reverse" });

  it("say who moved what, and J after each turn: .55, .8, 1", () => {
    const half = [0.5, 0.5];
    const { before, after, policy, moves, returns } = exactIteration(tree, uniformPolicy(tree), rule);
    // y first: .6/2 + 1/2; then R.
    close(before, 0.55, 12);
    assert.deepEqual([after, ...returns], [1, 0.8, 1]);
    assert.deepEqual(
      moves.map(({ turns, infoState, from, to }) => [turns, infoState, [...from], [...to]]),
      [
        [[1], "after R", half, [0, 1]],
        [[0], "turn 1", half, [0, 1]],
      ],
    );
    assert.deepEqual(rows(policy), [
      [0, 1],
      [0, 1],
    ]);
    const [move, ...none] = exactIteration(tree, policy, rule).moves;
    assert.deepEqual([move, none], [undefined, []]);
  });

  it("say so of a row that changed in some places only", () => {
    const dice = games.dice();
    const start = tablePolicy(dice, { dice: { a: 0.5, b: 0.5 } });
    const { moves } = exactIteration(dice, start, exactRule({ step: greedy }));
    assert.deepEqual(
      moves.map(({ from, to }) => [[...from], [...to]]),
      [
        [
          [0.5, 0.5, 0],
          [1, 0, 0],
        ],
      ],
    );
  });

  it("are for policies that fit", () => {
    assert.throws(() => exactIteration(tree, [], rule), { name: "TypeError", message: /its rows must have/ });
  });

  it("of a run: until nothing moves, or the target, or as many as asked for", () => {
    const run = (o: Partial<Parameters<typeof exactRun>[3]>, cells = rule): readonly number[] =>
      exactRun(tree, uniformPolicy(tree), cells, { iterations: 5, ...o }).J.map((x) => +x.toFixed(12));
    assert.deepEqual(run({}), [0.55, 1, 1]);
    assert.deepEqual(run({ iterations: 1 }), [0.55, 1]);
    assert.deepEqual(run({ target: 1 }), [0.55, 1]);
    assert.deepEqual(run({ target: 0.5 }), [0.55]);
    // In random order a turn that does not move now may move in another order.
    assert.equal(run({ rng: createRng(1) }, exactRule({ step: greedy, order: "random" })).length, 6);
    const { policies, policy, J, minimum } = exactRun(tree, uniformPolicy(tree), rule, { iterations: 5 });
    assert.equal(policies.length, J.length);
    assert.equal(policy, policies.at(-1));
    close(minimum, 0.55, 12);
  });

  it("of a run count the falls that are larger than the tolerance", () => {
    // J = 2 p (1 - p): the greedy step from .6 falls from .48 to 0, and stays.
    const shared = games.differToWin();
    const start = tablePolicy(shared, { "both turns": { a: 0.6, b: 0.4 } });
    const fall = (tolerance?: number): [number, number] => {
      const run = exactRun(shared, start, exactRule({ step: greedy }), {
        iterations: 1,
        ...(tolerance ? { tolerance } : {}),
      });
      return [run.decreases, +run.minimum.toFixed(12)];
    };
    assert.deepEqual(fall(), [1, 0]);
    assert.deepEqual(fall(0.47), [1, 0]);
    assert.deepEqual(fall(0.49), [0, 0]);
    // To stay is no fall, even with no tolerance at all.
    const best = treeOptimum(tree).policy;
    assert.equal(exactRun(tree, best, rule, { iterations: 1, tolerance: 0 }).decreases, 0);
  });

  for (const iterations of [0, 1.5]) {
    it(`refuse ${iterations} iterations`, () => {
      assert.throws(() => exactRun(tree, uniformPolicy(tree), rule, { iterations }), {
        name: "RangeError",
        message: `Cannot run a rule: iterations must be an integer >= 1, got ${iterations}.`,
      });
    });
  }

  it("leave the policy that they were given as it was", () => {
    const policy = uniformPolicy(tree);
    exactIteration(tree, policy, exactRule({ step: gradientStep(1) }));
    exactIteration(tree, policy, exactRule({ step: clipStep() }));
    assert.deepEqual(rows(policy), rows(uniformPolicy(tree)));
  });
});
