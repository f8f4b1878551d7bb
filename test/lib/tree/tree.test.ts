import assert from "node:assert/strict";
import { createRng } from "turnwise";
import { buildTree, games, type Tree } from "turnwise/exact";
import { withInfoStates, type TreeSpec } from "turnwise/internal/tree/index";

const order: TreeSpec = {
  name: "order",
  start: [{ node: "root" }],
  nodes: { root: { actions: { L: 0.6, R: { next: "right" } } }, right: { actions: { x: 0, y: 1 } } },
};

function spec(change: Partial<TreeSpec>): () => Tree {
  return () => buildTree({ ...order, ...change });
}

describe("buildTree()", () => {
  it("resolves names, turns and information states, parents before children", () => {
    const tree = buildTree(order);
    assert.equal(tree.turns, 2);
    assert.deepEqual(
      tree.nodes.map(({ name, turn }) => [name, turn]),
      [
        ["root", 0],
        ["right", 1],
      ],
    );
    assert.deepEqual(tree.nodes[0]!.outcomes, [
      [{ probability: 1, reward: 0.6, next: -1 }],
      [{ probability: 1, reward: 0, next: 1 }],
    ]);
    assert.deepEqual(tree.infoStates[1], { name: "right", actions: ["x", "y"], nodes: [1], turns: [1] });
  });

  it("every named game survives JSON", () => {
    const all = [
      games.dice(),
      games.jackpot(),
      games.hiddenContexts(),
      games.guessOrLookUp(),
      games.note(),
      games.order(),
      games.differToWin(),
      games.firstThenSecond(),
      games.memoryless(),
      games.nowOrLater(),
      games.ladder(4),
      games.randomTree(createRng(1), { turns: 2, contexts: 2, reward: "heavyTailed" }),
    ];
    for (const tree of all) {
      assert.deepEqual(buildTree(JSON.parse(JSON.stringify(tree.spec)) as TreeSpec), tree, tree.name);
    }
  });

  it("two turns that see the same share one row, and a row knows its turns", () => {
    const { infoStates } = games.differToWin({ shared: true });
    assert.deepEqual(infoStates, [
      { name: "both turns", actions: ["a", "b"], nodes: [0, 1, 2], turns: [0, 1] },
    ]);
    const separate = withInfoStates(games.differToWin(), (node) => node.name);
    assert.equal(separate.infoStates.length, 3);
  });

  it("refuses broken data with the place in the message", () => {
    assert.throws(spec({ start: [] }), {
      name: "TypeError",
      message: `Cannot build tree "order": it must have a start, got none.`,
    });
    assert.throws(spec({ nodes: { ...order.nodes, root: { actions: { L: { next: "nowhere" } } } } }), {
      name: "TypeError",
      message: `Cannot build tree "order": node root must lead to a node of the tree, got "nowhere".`,
    });
    assert.throws(spec({ nodes: { ...order.nodes, lost: { actions: { a: 0 } } } }), {
      name: "RangeError",
      message: `Cannot build tree "order": every node must be reachable, but lost cannot be reached.`,
    });
    assert.throws(spec({ nodes: { ...order.nodes, right: { actions: { x: { next: "root" }, y: 1 } } } }), {
      name: "RangeError",
      message: /a node must be played at one turn only, but root is reached at turns 0 and 2\.$/,
    });
    assert.throws(
      spec({
        nodes: { ...order.nodes, right: { actions: { x: [{ probability: 0.4 }, { probability: 0.5 }] } } },
      }),
      {
        name: "RangeError",
        message: /probabilities must be >= 0 and sum to 1, but node right, action x has 0.4, 0.5/,
      },
    );
    assert.throws(spec({ nodes: { ...order.nodes, right: { actions: { x: NaN } } } }), {
      name: "RangeError",
      message: /rewards must be finite, but node right, action x has NaN\.$/,
    });
    assert.throws(spec({ nodes: { ...order.nodes, right: { sees: "root", actions: { x: 0, y: 1 } } } }), {
      name: "TypeError",
      message: /nodes that see root must offer the same actions, got L, R and x, y\.$/,
    });
  });

  it("games refuse options out of range", () => {
    assert.throws(() => games.ladder(0), {
      name: "RangeError",
      message: "Cannot make game ladder: turns must be an integer >= 1, got 0.",
    });
    assert.throws(() => games.guessOrLookUp({ pays: 1.5 }), {
      name: "RangeError",
      message: "Cannot make game guessOrLookUp: pays must be between 0 and 1, got 1.5.",
    });
  });

  it("random trees depend on the generator alone", () => {
    const tree = (seed: number): Tree =>
      games.randomTree(createRng(seed), { turns: 3, reward: "heavyTailed" });
    assert.deepEqual(tree(4).spec, tree(4).spec);
    assert.notDeepEqual(tree(4).spec, tree(5).spec);
    // 1 + 3 + 9 nodes of three actions.
    assert.equal(tree(4).nodes.length, 13);
  });
});
