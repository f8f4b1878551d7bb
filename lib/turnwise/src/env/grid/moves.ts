import type { Action, ToolSpec } from "../env";

/** Tokens of the grid worlds; `stop` ends a turn before it is full. */
export const MOVES = ["left", "down", "right", "up", "stop"] as const;
export const STOP = 4;

/** A turn of moves, and one without any. */
export function moveTools(most: number): ToolSpec[] {
  return [
    {
      name: "move",
      about: `Makes up to ${most} moves, one after the other.`,
      parameters: [{ name: "moves", values: MOVES.slice(0, STOP), words: [1, most] }],
      turn: [{ parameter: "moves" }],
    },
    { name: "stop", about: "Stays where it is for a turn.", parameters: [] },
  ];
}

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
