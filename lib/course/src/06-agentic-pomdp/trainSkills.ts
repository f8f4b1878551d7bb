import { skillRun, skills, type SkillName, type SkillResult } from "./skillRun";

/** Runs of each arm of some skills, by "skill|arm". */
export type SkillRuns = ReadonlyMap<string, readonly Pick<SkillResult, "score">[]>;

/** Trains every arm of some skills with seeds 0, 1, 2, ...: with the faculty, and without. */
export async function trainSkills(names: readonly SkillName[], seeds: number): Promise<SkillRuns> {
  const runs = new Map<string, SkillResult[]>();
  for (const name of names) {
    for (const arm of Object.keys(skills[name].arms)) {
      const own: SkillResult[] = [];
      for (let seed = 0; seed < seeds; seed++) own.push(await skillRun(name, arm, seed));
      runs.set(`${name}|${arm}`, own);
    }
  }
  return runs;
}
