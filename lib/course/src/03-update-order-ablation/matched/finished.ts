import { matchedArms, matchedSeeds, matchedWorldNames, type MatchedWorld } from "./design";
import type { MatchedRun } from "./run";

/** The worlds of the study in which every arm has a run of every seed, in the order of the plan. */
export function finishedWorlds(runs: readonly MatchedRun[]): readonly MatchedWorld[] {
  const seeds = new Map<string, Set<number>>();
  for (const { world, arm, seed } of runs) {
    const key = `${world}|${arm}`;
    const own = seeds.get(key) ?? new Set();
    seeds.set(key, own.add(seed));
  }
  return matchedWorldNames.filter((world) =>
    matchedArms(world).every(({ name }) => {
      const own = seeds.get(`${world}|${name}`);
      return matchedSeeds.study.every((seed) => own?.has(seed));
    }),
  );
}

/** Whether the study is finished, so that its families of comparisons are complete and its questions can be decided. */
export const isFinished = (runs: readonly MatchedRun[]): boolean =>
  finishedWorlds(runs).length === matchedWorldNames.length;
