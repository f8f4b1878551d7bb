import { type Growth, historyOf, type Node, nodesOf, surprise } from "./growInRounds";
import type { Trajectory } from "./trajectory";

export interface UnsurePlan {
  readonly initial: number;
  readonly rounds: number;
  readonly penalty: number;
}

/**
 * The first members of each group play to their end; in each round, others go back to the turns that the policy was least sure
 * of, and play on from there with another draw.
 *
 * score = -mean log-prob of the turn's tokens - penalty * (ways to go on from the same history - 1)
 *
 * The last turn of an episode is not played again, unless nothing else is left to do: then members begin at the start.
 *
 * @see AT²PO, arXiv 2601.04767; vllm_rollout_with_tools_tree_offline.py:364 and :1383 in zzfoutofspace/ATPO at 98e60f6
 */
export const whereUnsure = ({ initial, rounds, penalty }: UnsurePlan): Growth => ({
  initial: (size) => Math.ceil(initial * size),
  next: (grown, missing, round) => leastSure(grown, Math.ceil(missing / (rounds - round)), penalty),
});

/** The nodes to be played again, best first and over again where there are too few; null is the start. */
function leastSure(grown: readonly Trajectory[], count: number, penalty: number): (Node | null)[] {
  const nodes = nodesOf(grown);
  const parent = historyOf(grown);
  const ways = new Map<string, number>();
  for (const node of nodes) ways.set(parent(node), (ways.get(parent(node)) ?? 0) + 1);
  const others = (history: string): number => penalty * Math.max(0, (ways.get(history) ?? 0) - 1);
  const scored: [Node | null, number][] = nodes
    .filter(({ owner, turn }) => turn < owner.actions.length - 1)
    .map((node) => [node, surprise(node) - others(parent(node))]);
  // The start has no tokens of the policy's.
  const ranked = [[null, -others("start")] as (typeof scored)[0], ...scored].sort(([, a], [, b]) => b - a);
  return Array.from({ length: count }, (_, k) => ranked[k % ranked.length]![0]);
}
