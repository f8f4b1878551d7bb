import { Board } from "./board";
import { toLine, type Json } from "./json";
import { jobsOf } from "./plan";
import { readSweep, writeSweep } from "./resultFile";
import type { SweepOutcome, SweepResult } from "./sweep";

/**
 * Joins the results files of shards of one sweep, in the order of the plan.
 *
 * With `o.file`, also writes them there as one file of the whole sweep.
 *
 * @throws {RangeError} if the files belong to different plans, if a job is missing or there twice, or if `o.file` holds
 *   anything but results of this plan
 * @example
 * import { merge, sweep } from "turnwise";
 * const plan = { recipe: "grpo", env: "LookUp-v0", updates: 5, seeds: 4 } as const;
 * const files = ["shard-1.jsonl", "shard-2.jsonl"];
 * for (const [i, file] of files.entries()) await sweep({ ...plan, file, shard: { index: i + 1, of: 2 } });
 * merge(files).results.length; // => 4
 */
export function merge<V = Json>(
  files: readonly string[],
  o: { readonly file?: string } = {},
): SweepOutcome<V> {
  if (files.length === 0) throw new RangeError("Cannot merge: there must be a file, got none.");
  const parts = files.map(readSweep);
  const { plan } = parts[0]!;
  const other = parts.findIndex((part) => toLine(part.plan, "plan") !== toLine(plan, "plan"));
  if (other !== -1) {
    throw new RangeError(
      `Cannot merge: all files must be of one plan, but ${files[other]!} and ${files[0]!} are of two.`,
    );
  }
  const board = new Board(
    plan,
    jobsOf(plan),
    parts.flatMap((part) => part.rows),
  );
  const { missing, rows, pruned } = board;
  if (missing.length > 0) {
    throw new RangeError(`Cannot merge: ${missing.length} jobs are missing, first "${missing[0]!.key}".`);
  }
  if (o.file !== undefined) {
    writeSweep(o.file, plan, rows);
  }
  return {
    results: rows as unknown as SweepResult<V>[],
    stopped: false,
    pruned,
    ...(plan.metric !== undefined && { metric: plan.metric }),
  };
}
