import { bootstrapInterval } from "turnwise/internal/base/interval";
import { Chart } from "turnwise/internal/plot/chart";
import { estimateChart } from "turnwise/internal/plot/estimateChart";
import { allAtOnce, crossArm, matchedWorlds, type MatchedWorld } from "./design";
import type { MatchedRun } from "./run";
import { isStuck, meanOf } from "./summary";

/** The arms that the lesson draws, all with the product ratio, and with the exact carry unless it is off. */
const arms = {
  "last turn first": crossArm("reverse", "product", "exact", "passes"),
  "last first, no carry": crossArm("reverse", "product", "off", "passes"),
  "random order": crossArm("random", "product", "exact", "passes"),
  "first turn first": crossArm("forward", "product", "exact", "passes"),
  "all at once": allAtOnce("product", "passes"),
  "all at once, more steps": allAtOnce("product", "steps"),
} as const;

/** A way to update the turns, in the words of the lesson. */
export type MatchedWay = keyof typeof arms;

const width = 285;

/**
 * Success of every run of a world, by the way its turns were updated. At the end of each line stand its stuck runs, and the
 * optimizer steps and the passes over each token that the runs really took.
 *
 * @throws {RangeError} if a way has no run in that world
 */
export function drawMatchedRuns(
  runs: readonly MatchedRun[],
  world: MatchedWorld,
  ways: readonly MatchedWay[] = Object.keys(arms) as MatchedWay[],
): Chart {
  const { title, tokens } = matchedWorlds[world];
  const drawn = ways.map((label) => {
    const own = runs.filter((run) => run.world === world && run.arm === arms[label]);
    if (own.length === 0)
      throw new RangeError(`Cannot draw runs: ${title} must have a run of "${arms[label]}", and has none.`);
    const success = own.map((run) => run.success);
    const steps = meanOf(own, "optimizerSteps").toFixed(0);
    const passes = Number(meanOf(own, "passes").toFixed(1));
    const taken = `${own.filter(isStuck).length} stuck; ${steps} steps, ${passes} passes`;
    return { label, taken, runs: success, ...bootstrapInterval(success) };
  });
  const seeds = [...new Set(drawn.map((one) => one.runs.length))].join(" or ");
  const highest = drawn.reduce((a, b) => (b.mean > a.mean ? b : a));
  const { spec, summary } = estimateChart(drawn, {
    title: `Highest on average: ${highest.label}, ${highest.mean.toFixed(2)}`,
    subtitle: `${title}; ${tokens === 1 ? "" : "product ratio, "}exact carry; dots: ${seeds} seeds; mean with 95% interval`,
    xTitle: world === "ladder" ? "return at the end" : "success at the end",
    domain: [0, 1],
    ruleColors: false,
  });
  const ends = {
    data: { values: drawn.map(({ label, taken }) => ({ label, taken })) },
    mark: { type: "text", align: "left", fontSize: 13 },
    encoding: {
      x: { value: width + 10 },
      y: { field: "label", type: "ordinal", sort: ways },
      text: { field: "taken" },
    },
  };
  const description = `${summary} At the ends: ${drawn.map(({ label, taken }) => `${label}: ${taken}`).join("; ")}.`;
  const layer = [...(spec["layer"] as readonly object[]), ends];
  return new Chart({ ...spec, description, width, layer }, description);
}
