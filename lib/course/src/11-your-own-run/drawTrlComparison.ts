import { mean } from "turnwise/internal/base/statistics";
import { lineChart, type Chart } from "turnwise/internal/plot/index";
import { measured } from "../shared/measured";
import { trlRuns } from "./trlRuns";

const window = 10;
/** A run that ends this close below the mean of ours ends where ours do. */
const NEAR = 0.05;

/**
 * Chart of a transformer's return in the look-up game, update by update: each run of TRL on the served world, next to
 * the mean of our own runs.
 */
export function drawTrlComparison(): Chart {
  const runs = trlRuns(measured("trl-lookup"));
  const theirs = runs.filter(({ trainer }) => trainer === "TRL");
  const ours = runs.filter(({ trainer }) => trainer === "turnwise").map(({ rewards }) => rewards);
  const points = (rewards: readonly number[]): { x: number; y: number }[] =>
    rewards.slice(window - 1).map((_, i) => ({ x: i + window, y: mean(rewards.slice(i, i + window)) }));
  const together = ours[0]!.map((_, u) => mean(ours.map((rewards) => rewards[u]!)));
  const end = mean(together.slice(-window));
  const reached = theirs.filter(({ rewards }) => mean(rewards.slice(-window)) > end - NEAR).length;
  const episodes = theirs.reduce((sum, run) => sum + run.episodes, 0);
  const same = theirs.reduce((sum, run) => sum + run.same, 0);
  return lineChart(
    {
      [`turnwise, mean of ${ours.length}`]: points(together),
      ...Object.fromEntries(theirs.map(({ seed, rewards }) => [`TRL, seed ${seed}`, points(rewards)])),
    },
    {
      title: `${reached} of ${theirs.length} runs of TRL end where ours do`,
      subtitle: `mean of ${window} updates; ${same} of ${episodes} episodes of TRL are paid the same here, turn by turn`,
      xTitle: "update",
      yTitle: "reward",
    },
  );
}
