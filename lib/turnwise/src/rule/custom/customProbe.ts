import { isInterrupt } from "../../base/isInterrupt";
import type { Batch } from "../../batch/batch";
import type { Custom } from "./custom";
import { hasMasked, planted } from "./customBatch";

/** Functions that have been seen to repeat themselves, and to leave masked positions alone. */
const repeats = new WeakSet<Custom>();
const blind = new WeakSet<Custom>();

/**
 * Refuses a function that reads masked positions, or that gives other numbers for the same batch: a run could not be repeated,
 * and padding would train.
 *
 * It is asked again the first time that it meets a batch, and with other contents of masked positions the first time that it
 * meets a batch that has some.
 *
 * @throws {RangeError} if the numbers differ
 */
export function expectBlind(
  what: string,
  by: Custom,
  batch: Batch,
  found: Float64Array,
  again: (batch: Batch) => Float64Array,
): void {
  if (!repeats.has(by)) {
    const k = firstDifference(found, again(batch));
    if (k !== -1) {
      throw new RangeError(
        `Cannot apply ${what}: it must depend on its arguments alone, so that a run can be repeated, but called twice with the same batch, its numbers differ at entry ${k}.`,
      );
    }
    repeats.add(by);
  }
  if (blind.has(by) || !hasMasked(batch)) return;
  const k = firstDifference(
    found,
    orNothing(() => again(planted(batch))),
  );
  if (k !== -1) {
    throw new RangeError(
      `Cannot apply ${what}: it must not depend on masked positions, but with other contents there, entry ${k} is no longer ${found[k]!}. Read positions where mask_ntl is 1, and turns below turnCount_n.`,
    );
  }
  blind.add(by);
}

/** Numbers that are not finite, or an error, are a dependence too. */
function orNothing(run: () => Float64Array): Float64Array {
  try {
    return run();
  } catch (error) {
    if (isInterrupt(error)) throw error;
    return new Float64Array(0);
  }
}

function firstDifference(one: Float64Array, other: Float64Array): number {
  return one.findIndex((x, k) => !Object.is(x, other[k]));
}
