export function checkProbability(game: string, name: string, value: number): void {
  if (value >= 0 && value <= 1) return;
  throw new RangeError(`Cannot make game ${game}: ${name} must be between 0 and 1, got ${String(value)}.`);
}
