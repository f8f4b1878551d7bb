/**
 * Penalty for turns that the environment could not parse, to be added to the reward.
 *
 * ```
 * penalty = perTurn * (malformed turns)
 * ```
 *
 * @see RAGEN, arXiv 2504.20073 (perTurn = -0.1)
 * @throws {RangeError} if the count is not a whole number of at least 0 or perTurn is above 0
 */
export function formatPenalty(malformedTurns: number, perTurn = -0.1): number {
  if (!Number.isInteger(malformedTurns) || malformedTurns < 0) {
    throw new RangeError(
      `Cannot compute the format penalty as malformedTurns must be a whole number of at least 0: ` +
        `current value is ${String(malformedTurns)}`,
    );
  }
  if (!(perTurn <= 0)) {
    throw new RangeError(
      `Cannot compute the format penalty as perTurn must be at most 0: current value is ${String(perTurn)}`,
    );
  }
  return malformedTurns === 0 ? 0 : perTurn * malformedTurns;
}
