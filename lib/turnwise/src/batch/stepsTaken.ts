import type { Batch } from "./batch";

/**
 * Environment steps that a batch really took: the turns of all trajectories, but those that a fork shares with its parent
 * only once.
 */
export function stepsTaken({ turnCount_n, fork_n }: Pick<Batch, "turnCount_n" | "fork_n">): number {
  let steps = 0;
  for (let n = 0; n < turnCount_n.length; n++) steps += turnCount_n[n]! - (fork_n?.[n]?.turn ?? 0);
  return steps;
}
