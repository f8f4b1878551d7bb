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
      "search, student's rollouts": rounds.map(({ searched }, i) => ({ x: i + 1, y: searched })),
      "student alone": alone,
    },
    {
      title: `After ${rounds.length} rounds: the search ${rounds.at(-1)?.searched.toFixed(2)}, its student alone ${alone.at(-1)!.y.toFixed(2)}`,
      xTitle: "round",
      yTitle: "return",
      height: 220,
      width: 400,
    },
  );
}
