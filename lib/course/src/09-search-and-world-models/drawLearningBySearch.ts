import { bootstrapInterval } from "turnwise/internal/base/interval";
import type { Chart } from "turnwise/internal/plot/chart";
import { lineChart } from "turnwise/internal/plot/lineChart";
import type { StoredRecord } from "../shared/storedTable";
import { searchedArms, searchedWorlds, type SearchedArm, type SearchedWorld } from "./expertIterationRun";
import { panels } from "./panels";

/** Names of the arms in the chart. */
const names = { "expert iteration": "expert iteration", grpo: "GRPO" } as const satisfies Record<
  SearchedArm,
  string
>;

/** The points of one series, and where each of its seeds ends. */
interface Curve {
  readonly points: { x: number; y: number; low: number; high: number }[];
  readonly ends: { x: number; y: number }[];
}

/**
 * Chart of the scores of the policy alone over the environment steps, taught by a search or by GRPO: rows of
 * `datasets/measured/searched-*.csv`.
 *
 * @throws {RangeError} if there is no row of a world
 */
export function drawLearningBySearch(searched: readonly StoredRecord[]): Chart {
  const worlds = (Object.keys(searchedWorlds) as SearchedWorld[]).reverse();
  const charts = worlds.map((world) => {
    const arms = searchedArms.map((arm) => [names[arm], curve(searched, world, arm)] as const);
    return lineChart(Object.fromEntries(arms.map(([arm, { points }]) => [arm, points])), {
      title: world,
      xTitle: "thousands of environment steps",
      yTitle: "score alone",
      dots: arms.flatMap(([series, { ends }]) => ends.map((end) => ({ series, ...end }))),
      xDomain: [0, searchedWorlds[world].steps / 1000],
      width: 400,
      height: 150,
    });
  });
  const seeds = searchedArms
    .map((arm) => `${names[arm]} ${seedsOf(searched.filter((row) => row["arm"] === arm)).length}`)
    .join(", ");
  const ends = searchedArms.map((arm) => {
    const scores = worlds.map((world) => curve(searched, world, arm).points.at(-1)!.y.toFixed(2));
    return `${names[arm]} ${scores.join(" and ")}`;
  });
  return panels(charts, {
    title: `At the end: ${ends.join(", ")}`,
    subtitle: `band: 95 % interval; dots: where each seed ends; seeds: ${seeds}`,
  });
}

/**
 * Runs step over a boundary by a few steps, each by others, so the n-th points of all seeds belong together; they stand where the
 * first seed's does.
 */
function curve(rows: readonly StoredRecord[], world: SearchedWorld, arm: SearchedArm): Curve {
  const own = rows.filter((row) => row["world"] === world && row["arm"] === arm);
  const runs = seedsOf(own).map((seed) =>
    own
      .filter((row) => row["seed"] === seed)
      .map((row) => ({ x: Number(row["steps"]) / 1000, y: Number(row["score"]) }))
      .sort((a, b) => a.x - b.x),
  );
  const [first] = runs;
  if (!first) {
    throw new RangeError(`Cannot draw how ${arm} learns: there must be a row of ${world}, got none.`);
  }
  const points = first.map(({ x }, i) => {
    const { mean, low, high } = bootstrapInterval(runs.map((run) => run[i]!.y));
    return { x: Math.round(x), y: mean, low, high };
  });
  return { points, ends: runs.map((run) => ({ x: points.at(-1)!.x, y: run.at(-1)!.y })) };
}

const seedsOf = (rows: readonly StoredRecord[]): number[] => [
  ...new Set(rows.map((row) => Number(row["seed"]))),
];
