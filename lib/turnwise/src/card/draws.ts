import { log } from "../base/elementary/log";
import type { Rng } from "../base/rng";
import type { Batch } from "../batch/batch";
import { selectTrajectories } from "../batch/select";
import type { Trajectories } from "./trajectories";

/** A batch that was drawn: `members[g]` are the trajectories of group g. */
export function drawnBatch({ batch }: Trajectories, members: readonly (readonly number[])[]): Batch {
  const rows = selectTrajectories(batch, members.flat());
  return {
    ...rows,
    trajectoryId: members.flatMap((group, g) => group.map((_, m) => `${g}.${m}`)),
    groupId: members.flatMap((group, g) => group.map(() => String(g))),
  };
}

/** A batch and the probability with which it is drawn. */
export interface Draw {
  readonly members: readonly (readonly number[])[];
  readonly weight: number;
}

/** Draws `count` batches of `groups` groups. */
export function sampledDraws(
  all: Trajectories,
  p_n: Float64Array,
  o: { readonly count: number; readonly groups: number; readonly groupSize: number; readonly rng: Rng },
): Draw[] {
  const logTask = all.taskProbability.map(log);
  const byTask = [...all.taskProbability.keys()].map((task) => {
    const rows = [...all.task_n.keys()].filter((n) => all.task_n[n] === task);
    const own = Float64Array.from(rows, (n) => log(p_n[n]! / all.taskProbability[task]!));
    return { rows, own };
  });
  return Array.from({ length: o.count }, (_, b) => {
    const rng = o.rng.split("batch", b);
    const members = Array.from({ length: o.groups }, () => {
      const { rows, own } = byTask[rng.categorical(logTask)]!;
      return Array.from({ length: o.groupSize }, () => rows[rng.categorical(own)]!);
    });
    return { members, weight: 1 / o.count };
  });
}

/** Counts the different groups: over the tasks, the ways to put G draws on K trajectories. */
export function countGroups({ task_n, taskProbability }: Trajectories, groupSize: number): number {
  let total = 0;
  for (const task of taskProbability.keys()) {
    const K = task_n.reduce((sum, t) => sum + (t === task ? 1 : 0), 0);
    let ways = 1;
    for (let i = 1; i < K; i++) ways = (ways * (groupSize + i)) / i;
    total += Math.round(ways);
  }
  return total;
}

/**
 * Every group of G trajectories with its probability, each composition once.
 *
 *   P(counts) = P(task) G! prod_k p_k^c_k / c_k!
 *
 * No rule depends on the order of a group's members.
 */
export function everyGroup(all: Trajectories, p_n: Float64Array, groupSize: number): Draw[] {
  const draws: Draw[] = [];
  for (const [task, share] of all.taskProbability.entries()) {
    const rows = [...all.task_n.keys()].filter((n) => all.task_n[n] === task && p_n[n]! > 0);
    const place = (k: number, left: number, weight: number, members: readonly number[]): void => {
      if (left === 0) {
        draws.push({ members: [members], weight });
        return;
      }
      if (k === rows.length) return;
      const p = p_n[rows[k]!]! / share;
      let ways = weight;
      let own = members;
      place(k + 1, left, ways, own);
      for (let c = 1; c <= left; c++) {
        // From c - 1 to c copies: multinomial coefficients grow by (left - c + 1) / c.
        ways *= (p * (left - c + 1)) / c;
        own = [...own, rows[k]!];
        place(k + 1, left - c, ways, own);
      }
    };
    place(0, groupSize, share, []);
  }
  return draws;
}
