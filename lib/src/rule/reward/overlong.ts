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
      `Cannot compute the overlong penalty as buffer must be above 0 and at most maxLength ${String(o.maxLength)}: ` +
        `current value is ${String(o.buffer)}`,
    );
  }
  const free = o.maxLength - o.buffer;
  if (length <= free) return 0;
  return length > o.maxLength ? -1 : (free - length) / o.buffer;
}
