import type { Chart } from "turnwise/internal/plot/chart";
import { lineChart } from "turnwise/internal/plot/lineChart";

/** One round of expert iteration: what the search earned with the student's rollouts, and what the student earns alone after it. */
export interface ExpertRound {
  readonly searched: number;
  readonly alone: number;
}

/**
 * Search and student over the rounds of expert iteration; `start` is the student's return before the first.
 *
 * @throws {RangeError} if there is no round
 */
export function drawExpertIteration(start: number, rounds: readonly ExpertRound[]): Chart {
  const alone = [{ x: 0, y: start }, ...rounds.map((round, i) => ({ x: i + 1, y: round.alone }))];
  return lineChart(
    {
      "search, rollouts by the student": rounds.map(({ searched }, i) => ({ x: i + 1, y: searched })),
      "student alone": alone,
    },
    {
      title: "A search teaches, and its pupil makes it better",
      xTitle: "round",
      yTitle: "return",
      height: 220,
      width: 400,
    },
  );
}
