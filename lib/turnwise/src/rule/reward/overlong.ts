import { count, group, orNull } from "../../schema";
import { term } from "../term";

export const overlong = term({
  equation: String.raw`-\min\big(1,\max(0,\tfrac{\text{length}-(\text{maxLength}-\text{buffer})}{\text{buffer}})\big)`,
  source: "DAPO, arXiv 2503.14476, Eq. 13",
  field: orNull(
    group(
      {
        maxLength: count(20480, { help: "Longer responses get the whole penalty.", unit: "tokens" }),
        buffer: count(4096, { help: "Over how many tokens before it the penalty grows.", unit: "tokens" }),
      },
      { help: "DAPO's soft penalty on long responses; null for none." },
    ),
  ),
  label: (field) => (field === null ? [] : ["overlong penalty"]),
});

/**
 * Soft penalty on long responses, added to the reward.
 *
 * ```
 * 0                                            length <= maxLength - buffer
 * ((maxLength - buffer) - length) / buffer     in between
 * -1                                           length > maxLength
 * ```
 *
 * Lengths in tokens sampled by the policy.
 *
 * @see DAPO, arXiv 2503.14476 (20480 and 4096 there), as in TRL
 * @throws {RangeError} if the buffer is not above 0 or above maxLength
 */
export function overlongPenalty(length: number, o: { maxLength: number; buffer: number }): number {
  if (!(o.buffer > 0 && o.buffer <= o.maxLength)) {
    throw new RangeError(
      `Cannot compute the overlong penalty: buffer must be above 0 and at most maxLength ${String(o.maxLength)}, ` +
        `got ${String(o.buffer)}.`,
    );
  }
  const free = o.maxLength - o.buffer;
  if (length <= free) return 0;
  return length > o.maxLength ? -1 : (free - length) / o.buffer;
}
