import { createRng } from "turnwise/internal/base/rng";
import { treeOptimum } from "turnwise/internal/exact/treeOptimum";
import type { Chart } from "turnwise/internal/plot/chart";
import { lineChart } from "turnwise/internal/plot/lineChart";
import { randomTree } from "turnwise/internal/tree/games/index";
import { exactTraining, type ExactTrainingOptions } from "../shared/exactTraining/exactTraining";

/** Chart of how near one greedy update comes to the optimum on random games of three turns, the worst game first. */
export function drawOneSweep({ games = 300, seed = 7 } = {}): Chart {
  const trees = Array.from({ length: games }, (_, i) =>
    randomTree(createRng(seed).split("tree", i).split("tree"), { turns: 3 }),
  );
  const shares = (o: Pick<ExactTrainingOptions, "rule">): { x: number; y: number }[] =>
    trees
      .map((tree) => {
        const { J } = exactTraining(tree, { ...o, updates: 1, step: "greedy" });
        return J.at(-1)! / treeOptimum(tree).J;
      })
      .sort((a, b) => a - b)
      .map((y, i) => ({ x: i + 1, y }));
  const [lastFirst, atOnce] = [shares({ rule: "seeUpo" }), shares({ rule: "drGrpo" })];
  const missed = (own: readonly { y: number }[]): number => own.filter(({ y }) => y < 1 - 1e-9).length;
  return lineChart(
    { "seeUpo, last turn first": lastFirst, "drGrpo, all turns at once": atOnce },
    {
      title: `Optima missed by one greedy update: ${missed(lastFirst)} by seeUpo, ${missed(atOnce)} by drGrpo`,
      subtitle: `${games} random games of three turns`,
      xTitle: "games, the worst first",
      yTitle: "share of the optimum",
    },
  );
}
