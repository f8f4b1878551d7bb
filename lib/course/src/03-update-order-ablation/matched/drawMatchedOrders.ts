import type { Chart } from "turnwise/internal/plot/chart";
import { estimateChart, type Estimate } from "turnwise/internal/plot/estimateChart";
import { matchedEffectsOf } from "./claims";
import { matchedWorlds } from "./design";
import { matchedQuestions, type MatchedQuestionName } from "./questions";
import type { MatchedRun } from "./run";
import { meanOf } from "./summary";

/** The comparisons that the figure shows, in its order. */
const labels = {
  forward: "over forward order",
  random: "over random order",
  passes: "over all at once, equal passes",
  steps: "over all at once, equal steps",
  kl: "over all at once, equal KL",
  carry: "over reverse without carry",
} as const satisfies Partial<Record<MatchedQuestionName, string>>;

/**
 * How much more often reverse order with its exact carry succeeds than each other way, in every world and with both ratios. Beside each
 * comparison stand the real optimizer steps and the passes over each token, reverse order's first.
 */
export function drawMatchedOrders(runs: readonly MatchedRun[]): Chart {
  const estimates = (Object.keys(labels) as (keyof typeof labels)[]).flatMap((name) =>
    matchedEffectsOf(matchedQuestions[name], runs).map(({ comparison, effect, better, than }): Estimate => {
      const [steps, passes] = (["optimizerSteps", "passes"] as const).map((what) =>
        [better, than].map((own) => meanOf(own, what).toFixed(what === "passes" ? 1 : 0)).join(" : "),
      );
      const { world, setting } = comparison;
      const ratio = setting["ratio"] === "either" ? "" : `; ${setting["ratio"]} ratio`;
      return {
        label: `${labels[name]} (steps ${steps}; passes ${passes})`,
        group: `${matchedWorlds[world].title}${ratio}`,
        mean: effect.mean,
        ...effect.at(0.95),
      };
    }),
  );
  const order = [...new Set(estimates.map(({ group }) => group))];
  estimates.sort((a, b) => order.indexOf(a.group) - order.indexOf(b.group));
  return estimateChart(estimates, {
    title: "Reverse order with its exact carry, and every other way",
    subtitle: "difference of mean success; bar: widest of the 95 % intervals of all seeds and of either half",
    xTitle: "success of reverse order less that of the other",
    ruleColors: false,
  });
}
