import fs from "node:fs";
import path from "node:path";
import { planOf, type Live, type SweepOptions } from "../options";
import { cellsOf, jobsOf, type Shard, type SweepPlan } from "../plan";

/** A plan in a file, and where its results are written. */
export interface PlanFile {
  readonly plan: SweepPlan;
  /** Values of its names; it names modules from its own folder. */
  readonly live: Live;
  /** As the command line named it. */
  readonly file: string;
  /** The path without `.json`; results and scripts lie beside the plan. */
  readonly stem: string;
}

/** These say how to run a plan, not what to compute: they belong on the command line. */
const runOptions = ["workers", "file", "shard", "signal"];

/**
 * Reads the options of `sweep` from a JSON file: the axes of `train`, or `task` and `grid`, with `seeds`.
 *
 * @throws {RangeError} if the file is missing, is not JSON, is not a plan, or says how to run it
 */
export function readPlan(file: string): PlanFile {
  const options = parse(file);
  const foreign = runOptions.find((name) => name in options);
  if (foreign !== undefined) {
    throw new RangeError(
      `Cannot sweep: ${file} must hold the plan alone, but it holds "${foreign}", which belongs on the command line.`,
    );
  }
  const needed = "task" in options ? ["grid", "seeds"] : ["recipe", "env", "updates", "seeds"];
  const absent = needed.filter((name) => !(name in options));
  if (absent.length > 0) {
    throw new RangeError(
      `Cannot sweep: ${file} must give ${needed.join(", ")}, but ${absent.join(", ")} is missing.`,
    );
  }
  const { plan, live } = planOf(options as unknown as SweepOptions, path.resolve(path.dirname(file)));
  return { plan, live, file, stem: path.join(path.dirname(file), path.basename(file, ".json")) };
}

/** Default file for the results of a part of the plan. */
export function resultsFile({ stem }: PlanFile, shard?: Shard): string {
  return shard ? `${stem}.${shard.index}-of-${shard.of}.jsonl` : `${stem}.jsonl`;
}

/**
 * Checks the number of tasks that share the plan's jobs.
 *
 * @throws {RangeError} if some task would have no job
 */
export function checkTasks(plan: SweepPlan, text: string): number {
  const most = plan.prune ? cellsOf(plan.grid).length : jobsOf(plan).length;
  const of = Number(text);
  if (Number.isInteger(of) && of >= 1 && of <= most) return of;
  throw new RangeError(
    `Cannot share the sweep: the number of tasks must be an integer from 1 to ${most}, its number of ` +
      `${plan.prune ? "settings" : "jobs"}, got ${text}.`,
  );
}

function parse(file: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(fs.readFileSync(file, "utf8"));
  } catch (error) {
    throw new RangeError(`Cannot sweep: ${file} must hold JSON: ${(error as Error).message}`, {
      cause: error,
    });
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>;
  }
  throw new RangeError(`Cannot sweep: ${file} must hold an object of options.`);
}
