import { buildTree, type Tree } from "../tree";
import type { NodeSpec } from "../treeSpec";
import { checkWhole } from "./check";

/**
 * T rungs: stop and keep `stop`, go right to the next rung, or slip and end with 0. The last rung's right pays 1.
 *
 * Shows the plateau at the stop reward. The optimum is 1. Uniform values from the end: V_T = (c + 1) / 3,
 * V_t = (c + V_{t+1}) / 3; for T = 3, c = .55: .5167, .3556, .3019.
 *
 * @param turns T
 * @param stop c (.55)
 */
export function ladder(turns: number, stop = 0.55): Tree {
  checkWhole("ladder", "turns", turns, 1);
  const nodes: Record<string, NodeSpec> = {};
  for (let t = 1; t <= turns; t++) {
    const right = t === turns ? 1 : { next: `rung ${t + 1}` };
    nodes[`rung ${t}`] = { actions: { stop, right, wrong: 0 } };
  }
  return buildTree({ name: `ladder ${turns}`, start: [{ node: "rung 1" }], nodes });
}
