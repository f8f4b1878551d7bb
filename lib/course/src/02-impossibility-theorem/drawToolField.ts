import { exactRule, gradientStep } from "turnwise/internal/exact/exactRule";
import { phasePath, phasePortrait } from "turnwise/internal/exact/phasePortrait";
import type { Chart } from "turnwise/internal/plot/chart";
import { phaseChart } from "turnwise/internal/plot/phaseChart";
import { guessOrLookUp } from "turnwise/internal/tree/games/index";
import { exactTraining } from "../shared/exactTraining/exactTraining";

/** The tool, and how the rule compares the members of a group. */
export interface ToolDials {
  readonly groupSize: number;
  readonly divideByStd: boolean;
  /** Certain reward of a guess (.1). */
  readonly guess?: number;
  /** Probability that the right answer pays 1 (.4). */
  readonly pays?: number;
}

const axes = {
  x: { infoState: "question", action: "lookup" },
  y: { infoState: "told 0", action: "answer 0" },
};

/**
 * Chart of exact updates of an agent that may guess or call a tool, for two facts: arrows from everywhere, a line from
 * the middle.
 */
export function drawToolField({ groupSize, divideByStd, guess = 0.1, pays = 0.4 }: ToolDials): Chart {
  const game = guessOrLookUp({ facts: 2, guessReward: guess, pays });
  const rule = divideByStd ? "grpo" : "drGrpo";
  const training = exactTraining(game, { rule, groupSize, updates: 100 });
  const cells = { scale: divideByStd ? "group" : "none", groupSize, step: gradientStep(2) } as const;
  const field = phasePortrait(game, exactRule(cells), axes, { points: 11 });
  const falls = field.filter(({ gain }) => gain < -1e-12).length;
  return phaseChart(field, {
    title: `The tool pays in ${Math.round(100 * pays)}%: ${falls} of ${field.length} arrows lower the return`,
    subtitle: `a guess pays ${guess.toFixed(2)}; ${divideByStd ? "divided by the group's std" : "not divided"}, groups of ${groupSize}`,
    xTitle: "how often it calls the tool",
    yTitle: "how often it answers what it was told",
    paths: { [rule]: phasePath(game, training.policies, axes) },
    size: 340,
  });
}
