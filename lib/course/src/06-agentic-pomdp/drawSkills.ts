import { bootstrapInterval } from "turnwise/internal/base/interval";
import type { Chart } from "turnwise/internal/plot/chart";
import { estimateChart } from "turnwise/internal/plot/estimateChart";
import type { SkillRuns } from "./trainSkills";

/**
 * Chart of the scores of agents with a faculty and without it, a dot for each seed.
 *
 * @throws {RangeError} if there is no run
 */
export function drawSkills(runs: SkillRuns): Chart {
  const rows = [...runs].map(([key, own]) => {
    const [group, label] = key.split("|") as [string, string];
    const scores = own.map(({ score }) => score);
    return { group, label, runs: scores, ...bootstrapInterval(scores) };
  });
  const seeds = rows[0]?.runs.length ?? 0;
  const without = rows.filter(({ group }, i) => rows.findIndex((row) => row.group === group) === i - 1);
  const [before, after] = [0, 1].map((part) => without.map(({ group }) => group.split(": ")[part]!)) as [
    string[],
    string[],
  ];
  const names = new Set(before).size === 1 ? after : before;
  const left = without.map(({ mean }, i) => `${names[i]!} ${mean.toFixed(2)}`).join(", ");
  return estimateChart(rows, {
    title: `Take it away, and this much is left: ${left}`,
    subtitle: `100 updates; dots: ${seeds} seeds, each solved exactly; diamond and bar: mean, 95 % interval`,
    xTitle: "score: random agent 0, best agent 1",
    domain: [0, 1],
  });
}
