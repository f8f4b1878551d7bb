import { storedTable } from "../shared/storedTable";
import type { SkillOutcome } from "./skillClaims";

/** Runs of each skill's arm by "skill|arm", from the text of `datasets/measured/skills.csv`. */
export function storedSkills(text: string): ReadonlyMap<string, readonly SkillOutcome[]> {
  const runs = new Map<string, SkillOutcome[]>();
  for (const row of storedTable(text)) {
    const key = `${row["skill"]}|${row["arm"]}`;
    const own = runs.get(key) ?? [];
    runs.set(key, own);
    own.push({
      score: Number(row["score"]),
      malformed: [Number(row["malformedFirst"]), Number(row["malformedLast"])],
    });
  }
  return runs;
}
