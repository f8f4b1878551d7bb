import { bootstrapInterval } from "turnwise/internal/base/interval";
import type { Chart } from "turnwise/internal/plot/chart";
import { estimateChart } from "turnwise/internal/plot/estimateChart";
import type { StoredRecord } from "../shared/storedTable";
import { seeded, worldNames } from "./worldModelClaims";
import type { dynaUpdates, DynaArm } from "./worldModelRun";

/** Settings that are drawn; the table has a simulator that errs less, too. */
const shown = [
  "no planning",
  "the world itself",
  "counts of histories",
  "a simulator that errs at .3",
] as const satisfies readonly DynaArm[];

/**
 * Dyna after a number of batches of the world: what the agent is worth there, by what it planned with. Rows of
 * `datasets/measured/dyna.csv`.
 *
 * @throws {RangeError} if there is no such row
 */
export function drawPlanning(
  dyna: readonly StoredRecord[],
  {
    update,
    worlds = worldNames.slice(1),
  }: { readonly update: (typeof dynaUpdates)[number]; readonly worlds?: typeof worldNames },
): Chart {
  const estimates = worlds.flatMap((world) =>
    shown.map((label) => {
      const runs = seeded(dyna, { world, arm: label, update }, "score").map(({ value }) => value);
      return { group: world, label, runs, ...bootstrapInterval(runs) };
    }),
  );
  const mean = (world: string, arm: DynaArm): string =>
    estimates.find(({ group, label }) => group === world && label === arm)!.mean.toFixed(2);
  const counted = worlds.map(
    (world) => `${world} ${mean(world, "no planning")} → ${mean(world, "counts of histories")}`,
  );
  return estimateChart(estimates, {
    title: `Planning on counts, ${update} batches: ${counted.join(", ")}`,
    subtitle: "four planned updates after each real one; dots: 40 seeds, exact",
    xTitle: "true score: random agent 0, optimum 1",
  });
}
