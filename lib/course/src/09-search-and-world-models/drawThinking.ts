import { bootstrapInterval } from "turnwise/internal/base/interval";
import type { Chart } from "turnwise/internal/plot/chart";
import { lineChart } from "turnwise/internal/plot/lineChart";
import type { StoredRecord } from "../shared/storedTable";
import { panels } from "./panels";
import { thinkers, thinkingBudgets, thinkingWorlds, type Thinker, type ThinkingWorld } from "./thinkOrTry";
import { seeded } from "./worldModelClaims";

/**
 * The best of many attempts beside two searches, over the steps that each task may cost: rows of `datasets/measured/thinking.csv`.
 *
 * @throws {RangeError} if there is no such row
 */
export function drawThinking(thinking: readonly StoredRecord[]): Chart {
  const charts = thinkingWorlds.map((world, i) =>
    lineChart(Object.fromEntries(thinkers.map((thinker) => [thinker, curve(thinking, world, thinker)])), {
      title: world.slice(0, world.indexOf("-")),
      xTitle: i === thinkingWorlds.length - 1 ? "steps for each task, in thought and in the world" : "",
      yTitle: "score",
      width: 360,
      height: 64,
      logX: true,
    }),
  );
  const budget = thinkingBudgets.at(-1)!;
  const end = (world: ThinkingWorld, thinker: Thinker): number => curve(thinking, world, thinker).at(-1)!.y;
  const ahead = thinkingWorlds.filter((world) =>
    thinkers.slice(1).some((thinker) => end(world, thinker) > end(world, thinkers[0])),
  );
  return panels(charts, {
    title: `At ${budget} steps a task, thinking leads in ${ahead.length || "none"} of ${thinkingWorlds.length} worlds`,
    subtitle: "40 seeds of ten tasks; band: 95 % interval; random agent 0, optimum 1",
  });
}

function curve(
  rows: readonly StoredRecord[],
  world: ThinkingWorld,
  thinker: Thinker,
): { x: number; y: number; low: number; high: number }[] {
  return thinkingBudgets.map((budget) => {
    const values = seeded(rows, { world, thinker, budget }, "score").map(({ value }) => value);
    const { mean, low, high } = bootstrapInterval(values, { resamples: 400 });
    return { x: budget, y: mean, low, high };
  });
}
