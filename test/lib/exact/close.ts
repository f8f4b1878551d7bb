import assert from "node:assert/strict";

/** Equal to the number of decimals that a printed table gives. */
export function close(actual: number, expected: number, digits: number, what = ""): void {
  const half = 0.5 * 10 ** -digits + 1e-12;
  assert.ok(Math.abs(actual - expected) <= half, `${what} ${actual} is not ${expected} to ${digits} digits`);
}
