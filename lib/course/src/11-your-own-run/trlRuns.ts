import { mean } from "turnwise/internal/base/statistics";
import { storedTable } from "../shared/storedTable";

/** A run on LookUp-v0, by TRL on the served world or by this library. */
export interface TrlRun {
  readonly trainer: "TRL" | "turnwise";
  readonly seed: number;
  /** Mean reward of each update, from the first on. */
  readonly rewards: readonly number[];
  /** Episodes that were played on the server, and those that an environment here pays the same, turn by turn; 0 for our own. */
  readonly episodes: number;
  readonly same: number;
}

/** The runs of `datasets/measured/trl-lookup.csv`. */
export function trlRuns(csv: string): TrlRun[] {
  const runs = new Map<string, { -readonly [K in keyof TrlRun]: TrlRun[K] }>();
  for (const row of storedTable(csv)) {
    const [trainer, seed] = [row["trainer"] as TrlRun["trainer"], Number(row["seed"])];
    const run = runs.get(`${trainer} ${seed}`) ?? { trainer, seed, rewards: [], episodes: 0, same: 0 };
    runs.set(`${trainer} ${seed}`, {
      ...run,
      rewards: [...run.rewards, Number(row["reward"])],
      episodes: run.episodes + Number(row["episodes"]),
      same: run.same + Number(row["same"]),
    });
  }
  return [...runs.values()];
}

/** End of a run: the mean of its last 20 updates. */
export const endOf = ({ rewards }: TrlRun): number => mean(rewards.slice(-20));
