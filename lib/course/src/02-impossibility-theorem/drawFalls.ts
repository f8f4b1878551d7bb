import { monotonicityGrid, regimes } from "turnwise/internal/exact/monotonicityGrid";
import type { Chart } from "turnwise/internal/plot/chart";
import { heatMap } from "turnwise/internal/plot/heatMap";

const rules = {
  "GRAE, group std": "grpo",
  "GRAE, no std": "group's mean alone",
  "GAE, exact critic": "perfect critic",
};
const steps = { PPU: "as far as the clip allows", REINFORCE: "small step" };
const places = ["rewards of 0 or 1", "rare large rewards", "one set of parameters"];

/**
 * On how many random games one exact update lowers the return: three advantages, three kinds of games, and two updates, the best
 * policy within PPO's clip and one small gradient step.
 */
export function drawFalls({ games = 200, seed = 7 } = {}): Chart {
  const order = [regimes[0]!, regimes[2]!, regimes[1]!];
  const grid = monotonicityGrid({ trees: games, seed, regimes: order });
  const cells = Object.entries(steps).flatMap(([update, step]) =>
    Object.entries(rules).flatMap(([advantage, rule]) =>
      order.map(({ name }, i) => {
        const { decreases, trees } = grid.find(
          (c) => c.advantage === advantage && c.regime === name && c.update === update,
        )!;
        return {
          row: `${rule}, ${step}`,
          column: places[i]!,
          value: decreases / trees,
          label: `${decreases} of ${trees}`,
        };
      }),
    ),
  );
  const falls = Object.keys(rules).map((advantage) =>
    grid
      .filter((c) => c.advantage === advantage && c.update === "PPU")
      .reduce((sum, { decreases }) => sum + decreases, 0),
  );
  const [std, mean, critic] = falls.map(String);
  return heatMap(cells, {
    title: `Large steps fall in ${std!} games with grpo, ${mean!} with the mean alone, ${critic!} with a critic`,
    subtitle: "one exact update in each game",
    columnTitle: "kind of game",
    rowTitle: "advantage and update",
    scale: "amount",
    cellWidth: 130,
    cellHeight: 40,
  });
}
