import { expectWhole } from "../../base/expect";
import { buildTree, type Tree } from "../tree";
import type { NodeSpec } from "../treeSpec";

/**
 * T rungs: on each one, stop for c, go right to the next rung, or slip and end with 0. Going right on the last rung pays 1.
 *
 * Training tends to get stuck on a plateau at the stop reward; the optimum is 1. Values of the uniform policy, from the end:
 * V_T = (c + 1) / 3, V_t = (c + V_{t+1}) / 3; for T = 3 and c = .55 they are .5167, .3556 and .3019.
 *
 * @param turns T
 * @param stop c (.55)
 * @throws {RangeError} if `turns` is not a whole number >= 1
 */
export function ladder(turns: number, stop = 0.55): Tree {
  expectWhole("make game ladder", "turns", turns, 1);
  const nodes: Record<string, NodeSpec> = {};
  for (let t = 1; t <= turns; t++) {
    const right = t === turns ? 1 : { next: `rung ${t + 1}` };
    nodes[`rung ${t}`] = { actions: { stop, right, wrong: 0 } };
  }
  return buildTree({ name: `ladder ${turns}`, start: [{ node: "rung 1" }], nodes });
}
