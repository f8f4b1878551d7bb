import { probabilityOf } from "turnwise/internal/exact/tablePolicy";
import { treeOptimum } from "turnwise/internal/exact/treeOptimum";
import { didYouMean } from "turnwise/internal/base/suggest";
import type { Chart } from "turnwise/internal/plot/chart";
import { endTitle } from "turnwise/internal/plot/endTitle";
import { lineChart } from "turnwise/internal/plot/lineChart";
import type { ExactTraining } from "./exactTraining";

/** One training, or several by name. */
export type ExactTrainings = ExactTraining | Readonly<Record<string, ExactTraining>>;

export function byName(trainings: ExactTrainings): Readonly<Record<string, ExactTraining>> {
  return isOne(trainings) ? { [trainings.name]: trainings } : trainings;
}

function isOne(trainings: ExactTrainings): trainings is ExactTraining {
  return Array.isArray(trainings.policies);
}

/**
 * Chart of the probability of the action `watch` after each update of an exact training, and under the best policy.
 *
 * @throws {RangeError} if the game has no such action
 */
export function drawPath(trainings: ExactTrainings, { watch }: { readonly watch: string }): Chart {
  const named = byName(trainings);
  const { game } = Object.values(named)[0]!;
  const place = game.infoStates.find(({ actions }) => actions.includes(watch));
  if (place === undefined) {
    const actions = [...new Set(game.infoStates.flatMap((state) => state.actions))];
    throw new RangeError(
      `Cannot draw a path: watch must be an action of the game, ${actions.join(", ")}, ` +
        `got "${watch}".${didYouMean(watch, actions)}`,
    );
  }
  const likely = (policy: ExactTraining["policies"][number]): number =>
    probabilityOf(game, policy, place.name, watch);
  const best = likely(treeOptimum(game).policy);
  const lines = Object.entries(named).map(
    ([name, { policies }]) => [name, policies.map((policy, x) => ({ x, y: likely(policy) }))] as const,
  );
  const ends = lines.map(([name, points]) => ({ name, y: points.at(-1)!.y }));
  return lineChart(Object.fromEntries(lines), {
    title: endTitle(`Probability of "${watch}" at the end`, ends),
    subtitle: "exact updates, no samples",
    xTitle: "update",
    yTitle: "probability",
    reference: { y: best, label: `the best policy: ${best === 1 ? "always" : best.toFixed(2)}` },
  });
}
