import type { Action } from "../env";

/** Tokens of the grid worlds; `stop` ends a turn before it is full. */
export const MOVES = ["left", "down", "right", "up", "stop"] as const;
export const STOP = 4;

/** Row and column steps of the four moves. */
export const STEP: readonly (readonly [row: number, column: number])[] = [
  [0, -1],
  [1, 0],
  [0, 1],
  [-1, 0],
];

/** The moves of a turn, up to its stop and to what is left of the episode's allowance. */
export function movesOf(action: Action, left: number): number[] {
  const stop = action.indexOf(STOP);
  return action.slice(0, stop === -1 ? action.length : stop).slice(0, left);
}
