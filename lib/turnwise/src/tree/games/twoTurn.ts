import { buildTree, type Tree } from "../tree";

/**
 * Stop for `stop`, or go right, where one of two actions pays `right`.
 *
 * Shows what the update order changes under greedy steps. The uniform policy has J = (stop + right / 2) / 2 = .55.
 * Forward order settles on stop (.6 > .5), a Nash point; reverse order learns the second turn first, and then
 * Q(right) = 1 > .6. The optimum is max(stop, right) = 1.
 */
export function order(o: { stop?: number; right?: number } = {}): Tree {
  const { stop = 0.6, right = 1 } = o;
  return buildTree({
    name: "order",
    start: [{ node: "turn 1" }],
    nodes: {
      "turn 1": { actions: { L: stop, R: { next: "after R" } } },
      "after R": { actions: { x: 0, y: right } },
    },
  });
}

/**
 * The two turns must take different actions, and neither sees the other.
 *
 * If `shared`, one parameter p = pi(a) serves both turns: J(p) = 2 p (1 - p) is at most 1/2, at p = 1/2, and a turn-wise step
 * that would be right for separate parameters destroys the return. With separate parameters the optimum is 1.
 */
export function differToWin(o: { shared?: boolean } = {}): Tree {
  const { shared = true } = o;
  const second = shared ? "both turns" : "turn 2";
  return buildTree({
    name: shared ? "differ to win, shared" : "differ to win",
    start: [{ node: "first" }],
    nodes: {
      first: {
        sees: shared ? "both turns" : "turn 1",
        actions: { a: { next: "after a" }, b: { next: "after b" } },
      },
      "after a": { sees: second, actions: { a: 0, b: 1 } },
      "after b": { sees: second, actions: { a: 1, b: 0 } },
    },
  });
}

/**
 * One parameter for two turns that must take a, then b: J(p) = p (1 - p) is at most 1/4, where separate parameters reach 1.
 *
 * Turn-wise steps undo each other, the less the smaller they are.
 */
export function firstThenSecond(): Tree {
  return buildTree({
    name: "first a, then b",
    start: [{ node: "first" }],
    nodes: {
      first: { sees: "both turns", actions: { a: { next: "after a" }, b: { next: "after b" } } },
      "after a": { sees: "both turns", actions: { a: 0, b: 1 } },
      "after b": { sees: "both turns", actions: { a: 0, b: 0 } },
    },
  });
}

/**
 * Two turns must agree, and the second does not see the first: (a, a) pays .6, (b, b) pays 1, anything else 0.
 *
 * Without history the turns are the two players of a matrix game: simultaneous best responses may lower the return, and
 * either sequential order may end at either Nash point. The optimum is 1.
 */
export function memoryless(o: { first?: number; second?: number } = {}): Tree {
  const { first = 0.6, second = 1 } = o;
  return buildTree({
    name: "memoryless",
    start: [{ node: "turn 1" }],
    nodes: {
      "turn 1": { actions: { a: { next: "after a" }, b: { next: "after b" } } },
      "after a": { sees: "turn 2", actions: { a: first, b: 0 } },
      "after b": { sees: "turn 2", actions: { a: 0, b: second } },
    },
  });
}

/**
 * A reward now against a larger one a turn later.
 *
 * Without discounting, waiting is best (1.5); with gamma = 1/2 it is worth .75, and taking 1 now is best. A group baseline
 * on undiscounted returns cannot see the difference.
 */
export function nowOrLater(o: { now?: number; later?: number } = {}): Tree {
  const { now = 1, later = 1.5 } = o;
  return buildTree({
    name: "now or later",
    start: [{ node: "turn 1" }],
    nodes: {
      "turn 1": { actions: { now, wait: { next: "turn 2" } } },
      "turn 2": { actions: { collect: later } },
    },
  });
}
