import type { TrainOptions } from "./options";
import { TrainRun } from "./run";

/**
 * Trains a policy and yields one record per update.
 *
 * Stop it with `break` or an `AbortSignal`. Nothing is lost: pass `run.checkpoint()` as `resume` to another call, and it
 * yields the records that this one would have yielded.
 *
 * @throws {TypeError} if an option is missing, has the wrong type or does not fit the others; before any work is done
 * @throws {RangeError} if an option is out of range or would be ignored; before any work is done
 * @throws {NonFiniteError} if a loss or gradient is not finite; from the generator, at the update where it happens
 * @example
 * import { train } from "turnwise";
 * const run = train({ env: "LookUp-v0", recipe: "grpo", updates: 100, seed: 1, exactEvery: true });
 * for await (const { update, metrics } of run) {
 *   console.log(update, metrics["reward/mean"]);
 *   if (metrics["return/exact"]! > 0.95) break;
 * }
 */
export function train(options: TrainOptions): TrainRun {
  return new TrainRun(options);
}
