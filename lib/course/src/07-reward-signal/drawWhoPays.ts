import { bootstrapInterval } from "turnwise/internal/base/interval";
import type { Chart } from "turnwise/internal/plot/chart";
import { estimateChart } from "turnwise/internal/plot/estimateChart";
import type { StoredRecord } from "../shared/storedTable";
import { rewardCredits, type RewardCredit } from "../shared/credit/rewardRecipe";
import { numbers } from "../shared/samples";

const credits = {
  trajectory: "the whole return",
  reward: "the turn's own reward",
} as const satisfies Partial<Record<RewardCredit, string>>;

/**
 * Chart of the scores of agents that were paid by one of the rewards, for each way to credit a turn: rows of
 * `datasets/measured/reward-*.csv`.
 *
 * @throws {RangeError} if there is no row of these rewards
 */
export function drawWhoPays(rows: readonly StoredRecord[], rewards: readonly string[]): Chart {
  const world = String(rows[0]?.["world"] ?? "");
  const estimates = rewards.flatMap((reward) =>
    rewardCredits.flatMap((credit) => {
      if (credit === "rewardToGo") return [];
      const runs = numbers(
        rows.filter((row) => row["reward"] === reward && row["credit"] === credit),
        "score",
      );
      return [
        { group: `paid by ${reward}`, label: `credit: ${credits[credit]}`, runs, ...bootstrapInterval(runs) },
      ];
    }),
  );
  const best = rewards.map((reward) => {
    const means = estimates.filter(({ group }) => group === `paid by ${reward}`).map(({ mean }) => mean);
    return `by ${reward} ${Math.max(...means).toFixed(2)}`;
  });
  return estimateChart(estimates, {
    title: `The best true score, paid ${best.join(", ")}`,
    subtitle: `${world}, 150 updates; dots: 40 seeds`,
    xTitle: "true score at the end",
    domain: [0, 1],
  });
}
