import { tablePolicy } from "turnwise/internal/exact/tablePolicy";
import type { Chart } from "turnwise/internal/plot/chart";
import { lineChart } from "turnwise/internal/plot/lineChart";
import { ladder } from "turnwise/internal/tree/games/index";
import { exactTraining, type ExactTrainingOptions } from "../shared/exactTraining/exactTraining";
import { orderWords } from "./drawWays";

/** The ladder, the size of the step, and what the agent knows at the start. */
export interface LadderDials {
  readonly rungs: number;
  readonly step: number;
  /** Probability of going right on every rung at the start. */
  readonly right: number;
}

/** Climbing a ladder in three orders, and with a clipped carry. */
export function drawLadder({ rungs, step, right }: LadderDials): Chart {
  const game = ladder(rungs);
  const row = { right, stop: (1 - right) / 2, wrong: (1 - right) / 2 };
  const start = tablePolicy(game, Object.fromEntries(game.infoStates.map(({ name }) => [name, row])));
  const train = (cells: Pick<ExactTrainingOptions, "order" | "carry">): { x: number; y: number }[] =>
    exactTraining(game, { ...cells, step, start, updates: 150 }).J.map((y, x) => ({ x: x + 1, y }));
  // In this order each order has the color that it has in the other charts of the lesson.
  const lines = {
    [orderWords.reverse]: train({ order: "reverse" }),
    [`${orderWords.reverse}, clipped carry`]: train({ order: "reverse", carry: "clipped" }),
    [orderWords.forward]: train({ order: "forward" }),
    [orderWords.simultaneous]: train({ order: "simultaneous" }),
  };
  return lineChart(lines, {
    title: `A ladder of ${rungs} rungs, gradient steps of ${step.toFixed(0)}`,
    subtitle: `at the start it goes right with ${right.toFixed(2)} on every rung`,
    xTitle: "update",
    yTitle: "return",
    logX: true,
    reference: { y: 1, label: "optimum 1" },
  });
}
