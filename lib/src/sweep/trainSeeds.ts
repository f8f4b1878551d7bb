import { show } from "../base/show";
import type { MetricName } from "../base/glossary";
import type { Policy } from "../policy/policy";
import { train, type TrainOptions, type TrainRecord } from "../train";
import { bootstrapInterval, type BootstrapOptions, type Interval } from "../base/interval";

/** A metric at the end of several runs. */
export interface SeedSummary extends Interval {
  /** Mean of the middle half of the runs, which neither one failed seed nor one lucky seed can move much. */
  readonly interquartileMean: number;
  /** The metric of each run, in the order of the seeds. */
  readonly values: readonly number[];
}

/** Runs of one setting that differ only in their seed. */
export interface SeedRuns {
  readonly seeds: readonly number[];
  /** The records of each run, in the order of the seeds. */
  readonly runs: readonly (readonly TrainRecord[])[];
  /**
   * A metric averaged over the last `last` records of each run, with its bootstrap interval over seeds.
   *
   * @throws {RangeError} if a record lacks the metric
   */
  final(metric: MetricName, o?: BootstrapOptions & { readonly last?: number }): SeedSummary;
}

export type SeedOptions = Omit<TrainOptions, "seed" | "resume">;

/**
 * Trains the same setting from several seeds, one after the other.
 *
 * `seeds` is a list, or a number n for the seeds 0 .. n-1. An aborted signal ends it with the runs finished so far.
 *
 * @throws {RangeError} if there are no seeds or repeated ones, or for a ready policy, which every seed would go on training
 * @example
 * import { trainSeeds } from "turnwise";
 * const runs = await trainSeeds({ env: "LookUp-v0", recipe: "grpo", updates: 5 }, 3);
 * runs.final("reward/mean").n; // => 3
 */
export async function trainSeeds(
  options: SeedOptions,
  seeds: number | readonly number[],
  onRecord?: (record: TrainRecord, seed: number) => void,
): Promise<SeedRuns> {
  if (typeof seeds !== "number" && !Array.isArray(seeds)) {
    throw new TypeError(
      `Cannot train several seeds as their number or a list of them must follow the options: current value is ${show(seeds)}`,
    );
  }
  const list = typeof seeds === "number" ? Array.from({ length: seeds }, (_, i) => i) : seeds;
  if (list.length === 0 || new Set(list).size !== list.length) {
    throw new RangeError(
      `Cannot train several seeds as they must be different and at least one: current value is [${list.join(", ")}]`,
    );
  }
  if (isPolicy(options.policy)) {
    throw new RangeError(
      "Cannot train several seeds as policy must be options, from which each seed makes its own: got a ready policy",
    );
  }
  const done: number[] = [];
  const runs: TrainRecord[][] = [];
  for (const seed of list) {
    const run: TrainRecord[] = [];
    for await (const record of train({ ...options, seed })) {
      run.push(record);
      onRecord?.(record, seed);
    }
    if (options.signal?.aborted) break;
    done.push(seed);
    runs.push(run);
  }
  return { seeds: done, runs, final: (metric, o) => summarise(runs, metric, o) };
}

function summarise(
  runs: readonly (readonly TrainRecord[])[],
  metric: MetricName,
  { last = 1, ...bootstrap }: BootstrapOptions & { readonly last?: number } = {},
): SeedSummary {
  const values = runs.map((run, i) => {
    const tail = run.slice(-last).map((record) => record.metrics[metric]);
    if (tail.length === 0 || tail.some((x) => x === undefined)) {
      throw new RangeError(
        `Cannot summarise "${metric}" as the last ${last} records of every run must hold it: run ${i} has ` +
          `${Object.keys(run.at(-1)?.metrics ?? {}).join(", ") || "no records"}`,
      );
    }
    return tail.reduce<number>((sum, x) => sum + x!, 0) / tail.length;
  });
  return { ...bootstrapInterval(values, bootstrap), interquartileMean: interquartileMean(values), values };
}

/**
 * Mean of the values between the first and the third quartile; a value on the border counts in part.
 *
 * @see Agarwal et al., "Deep Reinforcement Learning at the Edge of the Statistical Precipice" (2108.13264), section 4.3
 */
export function interquartileMean(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const cut = sorted.length / 4;
  let sum = 0;
  let weight = 0;
  sorted.forEach((x, i) => {
    const share = Math.max(0, Math.min(i + 1, sorted.length - cut) - Math.max(i, cut));
    sum += share * x;
    weight += share;
  });
  return sum / weight;
}

function isPolicy(policy: SeedOptions["policy"]): policy is Policy {
  return policy !== undefined && "sample" in policy;
}
