import { mean } from "turnwise/internal/base/statistics";
import type { MetricName } from "turnwise/internal/base/glossary";
import { anatomyChart, type AnatomyEvent, type AnatomyPanel } from "turnwise/internal/plot/anatomyChart";
import type { Chart } from "turnwise/internal/plot/chart";
import type { LiveRun } from "./liveRun";

/** Which updates of a run are drawn. */
interface Until {
  /** The last update that is drawn. Default: all. */
  readonly until?: number;
}

/**
 * Chart of one run: success, in-group std, entropy and the norm of the gradient, one above the other, with the events. The curve of
 * success has a value for each update; its fall is dated by the mean of ten.
 */
export function drawAnatomy(run: LiveRun, { until = run.metrics.length }: Until = {}): Chart {
  const of = (name: MetricName): (number | undefined)[] =>
    run.metrics.slice(0, until).map((metrics) => metrics[name]);
  return anatomyChart(
    [
      { title: "success", values: of("success/mean"), domain: [0, 1] },
      { title: "in-group std", values: of("reward/std") },
      { title: "entropy", values: of("policy/entropy") },
      { title: "gradient norm", values: of("policy/gradNorm") },
    ],
    { title: titleOf(run, until), events: eventsOf(run).filter(({ update }) => update <= until) },
  );
}

/**
 * Chart of the norm of the gradient, and below it of how far the optimizer moved the policy in each update. Drawn to a
 * little beyond the fall unless told.
 */
export function drawSteps(
  run: LiveRun,
  { until = (run.fall ?? run.metrics.length) + 40 }: Until = {},
): Chart {
  const upTo = <T>(values: readonly T[]): T[] => values.slice(0, until);
  const panels: AnatomyPanel[] = [
    { title: "success", values: upTo(run.metrics.map((one) => one["success/mean"])), domain: [0, 1] },
    { title: "gradient norm", values: upTo(run.metrics.map((one) => one["policy/gradNorm"])) },
    { title: "policy moved", values: upTo(run.moved) },
  ];
  const burst = run.fall === null ? -1 : largestBefore(run.moved, run.fall);
  const events =
    burst < 0 ? [] : [...silenceEnds(run, burst), { update: burst + 1, label: "the longest move" }];
  const title = burst < 0 ? "What the gradient asked for, and what Adam did" : stepsTitle(run, burst);
  return anatomyChart(panels, { title, events });
}

const gradientsOf = ({ metrics }: LiveRun): number[] => metrics.map((one) => one["policy/gradNorm"] ?? NaN);

/** The update that ended the silence before the longest move, unless it made that move itself, or nothing was silent. */
function silenceEnds(run: LiveRun, longest: number): AnatomyEvent[] {
  const first = gradientsOf(run).lastIndexOf(0, longest) + 1;
  if (first === 0 || first >= longest) return [];
  return [{ update: first + 1, label: `the gradient is back: ${timesFirst(run, first)}` }];
}

/** The gradient and the move at a place, as multiples of the first ones of the run. */
function timesFirst(run: LiveRun, at: number): string {
  const [gradient, move] = [gradientsOf(run), run.moved].map((values) =>
    (values[at]! / values[0]!).toFixed(2),
  );
  return `${gradient!} times the first gradient, ${move!} times the first move`;
}

const stepsTitle = (run: LiveRun, longest: number): string =>
  `Update ${longest + 1}: ${timesFirst(run, longest)}`;

/** The place of the largest of the values before an update, the first ten left out: there every run moves far. */
function largestBefore(values: readonly number[], update: number): number {
  const watched = values.slice(10, update);
  return watched.length === 0 ? -1 : 10 + watched.indexOf(Math.max(...watched));
}

/** Success over the last of the updates that are drawn. */
const LAST = 10;

/** States what becomes of success. */
function titleOf({ trap, seed, metrics, fall }: LiveRun, until: number): string {
  const shown = metrics.slice(0, until).map((one) => one["success/mean"] ?? NaN);
  const end = mean(shown.slice(-LAST)).toFixed(2);
  const what =
    fall !== null && fall <= until
      ? `success falls at update ${fall}; last ten updates: ${end}`
      : `success is ${end} after ${shown.length} updates`;
  return `${trap[0]!.toUpperCase()}${trap.slice(1)}, seed ${seed}: ${what}`;
}

function eventsOf({ metrics, fall }: LiveRun): AnatomyEvent[] {
  const first = (is: (at: number) => boolean): number => metrics.findIndex((_, i) => is(i)) + 1;
  const entropy = metrics.map((one) => one["policy/entropy"] ?? NaN);
  const events = [
    { update: first((i) => entropy[i]! < 0.25 * entropy[0]!), label: "entropy below 25 % of its start" },
    { update: first((i) => (metrics[i]!["reward/std"] ?? NaN) < 0.05), label: "in-group std below .05" },
    { update: fall ?? 0, label: "success, mean of ten updates, below 75 % of its best" },
  ];
  return events.filter(({ update }) => update > 0);
}
