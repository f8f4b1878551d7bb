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
      `Cannot compute the format penalty: malformedTurns must be an integer of at least 0, ` +
        `got ${String(malformedTurns)}.`,
    );
  }
  if (!(perTurn <= 0)) {
    throw new RangeError(
      `Cannot compute the format penalty: perTurn must be at most 0, got ${String(perTurn)}.`,
    );
  }
  return malformedTurns === 0 ? 0 : perTurn * malformedTurns;
}
