import { bootstrapInterval } from "turnwise/internal/base/interval";
import type { Chart } from "turnwise/internal/plot/chart";
import { estimateChart } from "turnwise/internal/plot/estimateChart";
import { Table } from "turnwise/internal/plot/table";
import type { StoredRecord } from "../shared/storedTable";
import { numbers } from "../shared/samples";

const of = (turns: readonly StoredRecord[], method: string, column: string): number[] =>
  numbers(
    turns.filter((row) => row["method"] === method),
    column,
  );

/** Judges of single steps, which have a lesson's section of their own. */
const judged = ["FSPO: sign by verdict", "RLAnything: votes"];

/**
 * Chart of how directly the gradient of one batch points uphill under each method: rows of
 * `datasets/measured/step-turns.csv`.
 *
 * @throws {RangeError} if there is no row
 */
export function drawStraightness(turns: readonly StoredRecord[]): Chart {
  const methods = [...new Set(turns.map((row) => String(row["method"])))];
  const estimates = methods
    .filter((method) => !judged.includes(method))
    .map((label) => {
      const runs = of(turns, label, "oneBatch");
      return { label, runs, ...bootstrapInterval(runs) };
    });
  const tried = estimates.filter(({ label }) => label !== "exact advantage");
  const best = tried.reduce((a, b) => (b.mean > a.mean ? b : a));
  const cosine = (label: string): string => estimates.find((one) => one.label === label)!.mean.toFixed(2);
  return estimateChart(estimates, {
    title: `The whole return ${cosine("whole return")}, the best method ${best.mean.toFixed(2)}, exact advantages ${cosine("exact advantage")}`,
    subtitle: "dots: 40 half-trained agents in Calculator-v0; 1 is the exact direction",
    xTitle: "cosine with the exact gradient, 64 trajectories",
    domain: [-0.4, 1],
    ruleColors: false,
  });
}

/** Cost of each method for a trajectory, besides playing it: the mean over the stored agents. */
export function stepCosts(turns: readonly StoredRecord[]): Table {
  const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;
  const methods = [...new Set(turns.map((row) => String(row["method"])))].filter(
    (method) => method !== "exact advantage",
  );
  const rows = methods.map((method) => ({
    method,
    "environment steps": Math.round(10 * mean(of(turns, method, "steps"))) / 10,
    "policy evaluations": Math.round(10 * mean(of(turns, method, "evaluations"))) / 10,
    "cosine of one batch": mean(of(turns, method, "oneBatch")),
    "of twelve": mean(of(turns, method, "direction")),
  }));
  return new Table(rows, "Cost of a trajectory, besides playing it", 2);
}
