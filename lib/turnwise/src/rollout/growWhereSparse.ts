import { mean, positionsByKey } from "../base/statistics";
import { type Growth, historyOf, type Node, nodesOf, surprise } from "./growInRounds";
import type { Trajectory } from "./trajectory";

/**
 * The first members of each group play to their end; the others come one by one, each from the history whose turns are
 * most surprising for their number.
 *
 * score = mean over the turns that were taken from the history of -mean log-prob of their tokens / number of these turns
 *
 * Of equal histories, the one that was reached first.
 *
 * @see CARL, arXiv 2512.04949v3, Eq. 12 and Algorithm 1
 */
export const whereSparse = ({ first }: { readonly first: number }): Growth => ({
  initial: () => first,
  next: (grown) => [sparsest(grown)],
});

function sparsest(grown: readonly Trajectory[]): Node {
  const nodes = nodesOf(grown);
  let best = nodes[0]!;
  let most = -Infinity;
  for (const turns of positionsByKey(nodes.map(historyOf(grown))).values()) {
    const score = mean(turns.map((k) => surprise(nodes[k]!))) / turns.length;
    if (score > most) [best, most] = [nodes[turns[0]!]!, score];
  }
  return best;
}
