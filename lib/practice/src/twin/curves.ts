import { mean } from "turnwise/internal/base/statistics";
import type { TwinWorldName } from "./worlds";

/** Success up to an update: the mean over the stretch that ends there. */
export interface CoursePoint {
  readonly update: number;
  readonly success: number;
}

/** The courses of success in one world. */
export interface WorldCurves {
  readonly world: TwinWorldName;
  /** Each run of the run's own setting, and whether it was lost. */
  readonly own: readonly { readonly course: readonly CoursePoint[]; readonly lost: boolean }[];
  /** The mean over the runs of the healthy settings, and of the change that helps most; empty without runs. */
  readonly healthy: readonly CoursePoint[];
  readonly change: readonly CoursePoint[];
}

const STRETCHES = 40;

/** Success in stretches of a run. */
export function courseOf(success: readonly number[]): readonly CoursePoint[] {
  const length = Math.max(1, Math.ceil(success.length / STRETCHES));
  return Array.from({ length: Math.ceil(success.length / length) }, (_, i) => {
    const some = success.slice(i * length, (i + 1) * length);
    return { update: i * length + some.length, success: mean(some) };
  });
}

/** The mean course of runs, at the updates that all of them have. */
export function meanCourse(
  runs: readonly { readonly course: readonly CoursePoint[] }[],
): readonly CoursePoint[] {
  const shortest = Math.min(...runs.map(({ course }) => course.length));
  if (!Number.isFinite(shortest)) return [];
  return Array.from({ length: shortest }, (_, i) => ({
    update: runs[0]!.course[i]!.update,
    success: mean(runs.map(({ course }) => course[i]!.success)),
  }));
}
