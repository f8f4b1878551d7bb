import { files } from "turnwise/internal/base/host/index";
import { compareRuns, type Comparison } from "./compare";
import { doctor, type DoctorOptions } from "./doctor";
import type { DoctorReport } from "./report";

/**
 * The page about files and folders, as the command makes it: two folders are two runs to compare, and all else is of one run.
 *
 * @param compare whether two files are two runs, too
 */
export function pageOf(
  targets: readonly string[],
  options: DoctorOptions,
  compare = false,
): Promise<DoctorReport | Comparison> {
  const [a, b] = targets;
  const isFolder = (one: string): boolean =>
    files.statSync(one, { throwIfNoEntry: false })?.isDirectory() ?? false;
  return targets.length === 2 && (compare || targets.every(isFolder))
    ? compareRuns(a!, b!, options)
    : doctor(targets, options);
}
