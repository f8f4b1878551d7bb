import { exp } from "turnwise/internal/base/elementary/exp";
import { log } from "turnwise/internal/base/elementary/log";
import { allAtOnce, matchedArms, tunedAs, type MatchedWorld } from "./design";
import type { MatchedRun } from "./run";

/** The mean results of the tuning runs of one arm at one rate. */
export interface TunedPoint {
  readonly world: MatchedWorld;
  readonly arm: string;
  readonly rate: number;
  readonly seeds: number;
  readonly success: number;
  readonly klFirst: number;
  readonly samples: number;
  readonly turns: number;
  readonly optimizerSteps: number;
  readonly passes: number;
}

/** Rates whose mean success is this close to the best one are as good. */
const ALIKE = 0.01;

const means = ["success", "klFirst", "samples", "turns", "optimizerSteps", "passes"] as const;

/** Averages the runs of each arm and rate over their seeds. */
export function tunedPoints(runs: readonly MatchedRun[]): TunedPoint[] {
  const groups = new Map<string, MatchedRun[]>();
  for (const run of runs) {
    const key = [run.world, run.arm, run.rate].join("|");
    groups.set(key, [...(groups.get(key) ?? []), run]);
  }
  return [...groups.values()].map((group) => {
    const { world, arm, rate } = group[0]!;
    const mean = (name: (typeof means)[number]): number =>
      group.reduce((sum, run) => sum + run[name], 0) / group.length;
    const values = Object.fromEntries(means.map((name) => [name, mean(name)])) as Pick<
      TunedPoint,
      (typeof means)[number]
    >;
    return { world, arm, rate, seeds: group.length, ...values };
  });
}

/** A rate, and whether the grid of rates ended before it could be found. */
export interface ChosenRate {
  readonly rate: number;
  readonly atEdge: boolean;
}

/**
 * The rate of an arm: of all rates whose mean success is within .01 of the best, the middle one; of two in the middle, the smaller.
 *
 * @throws {RangeError} if there is no point
 */
export function tunedRate(points: readonly TunedPoint[]): ChosenRate {
  const ordered = inOrder(points);
  const best = Math.max(...ordered.map(({ success }) => success));
  const alike = ordered.filter(({ success }) => success >= best - ALIKE);
  const { rate } = alike[Math.floor((alike.length - 1) / 2)]!;
  return { rate, atEdge: rate === ordered[0]!.rate || rate === ordered.at(-1)!.rate };
}

/**
 * The rate at which an arm moves a given KL per batch at the beginning of training: between the two tuned rates around it, by a line
 * through the logarithms. Where no tuned rate moves so little, or so much, the first or the last one.
 *
 * @throws {RangeError} if there is no point
 */
export function rateAtKl(points: readonly TunedPoint[], kl: number): ChosenRate {
  const ordered = inOrder(points);
  const above = ordered.findIndex(({ klFirst }) => klFirst >= kl);
  if (above <= 0) return { rate: ordered.at(above)!.rate, atEdge: true };
  const [low, high] = [ordered[above - 1]!, ordered[above]!];
  const share = (log(kl) - log(low.klFirst)) / (log(high.klFirst) - log(low.klFirst));
  const rate = exp(log(low.rate) + share * (log(high.rate) - log(low.rate)));
  return { rate: Number(rate.toPrecision(4)), atEdge: false };
}

/** The rates of all arms of a world, by name, from its tuning. */
export function matchedArmRates(
  world: MatchedWorld,
  points: readonly TunedPoint[],
): ReadonlyMap<string, ChosenRate> {
  const of = (name: string): readonly TunedPoint[] =>
    points.filter((point) => point.world === world && point.arm === name);
  return new Map(
    matchedArms(world).map((arm) => {
      const own = of(tunedAs(arm));
      if (arm.held !== "kl") return [arm.name, tunedRate(own)];
      const base = of(allAtOnce(arm.ratio, "kl"));
      const { rate } = tunedRate(base);
      return [arm.name, rateAtKl(own, base.find((point) => point.rate === rate)!.klFirst)];
    }),
  );
}

function inOrder(points: readonly TunedPoint[]): TunedPoint[] {
  if (points.length > 0) return [...points].sort((a, b) => a.rate - b.rate);
  throw new RangeError(
    "Cannot choose a learning rate: the tuning of the arm must have been run, got no run.",
  );
}
