import { bootstrapInterval } from "turnwise/internal/base/interval";
import type { Chart } from "turnwise/internal/plot/chart";
import { estimateChart } from "turnwise/internal/plot/estimateChart";
import { numbers } from "../shared/samples";
import type { StoredRecord } from "../shared/storedTable";

/**
 * Success with all parts of RLAnything, without each of them and with none: rows of `datasets/measured/step-anything.csv`, a panel for
 * each world.
 *
 * @throws {RangeError} if there is no row
 */
export function drawAnything(rows: readonly StoredRecord[]): Chart {
  const worlds = [...new Set(rows.map((row) => String(row["world"])))];
  const arms = [...new Set(rows.map((row) => String(row["arm"])))];
  const estimates = worlds.flatMap((group) =>
    arms.map((label) => {
      const own = rows.filter((row) => row["world"] === group && row["arm"] === label);
      const runs = numbers(own, "bySteps");
      return { group, label, runs, ...bootstrapInterval(runs) };
    }),
  );
  const of = (group: string, label: string): string =>
    estimates.find((one) => one.group === group && one.label === label)!.mean.toFixed(2);
  const votes = worlds.map((world) => `${world} from ${of(world, "no votes")} to ${of(world, "all parts")}`);
  return estimateChart(estimates, {
    title: `Votes take ${votes.join(", ")}`,
    subtitle: "after equally many environment steps; dots: 40 seeds",
    xTitle: "success over all levels",
    domain: [0, 1],
  });
}
