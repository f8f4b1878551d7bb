import { createRng, type Rng } from "../../base/rng";
import { STEP } from "./moves";

/** A room of `SIZE` x `SIZE` cells, walls around it; positions are row * SIZE + column. */
export interface SokobanLevel {
  readonly walls: readonly boolean[];
  readonly target: number;
  readonly box: number;
  readonly player: number;
  /** Fewest moves that solve it. */
  readonly fewestMoves: number;
}

export const SIZE = 6;

/** One move: where player and box are afterwards, or undefined for a move into something that does not give way. */
export function push(
  walls: readonly boolean[],
  player: number,
  box: number,
  move: number,
): { player: number; box: number } | undefined {
  const [rows, columns] = STEP[move]!;
  const step = rows * SIZE + columns;
  const next = player + step;
  if (walls[next]) return undefined;
  if (next !== box) return { player: next, box };
  return walls[box + step] ? undefined : { player: next, box: box + step };
}

/** Rooms with a box, a target and a player, all solvable within `maxMoves`, drawn from a seed. */
export function sokobanLevels(count: number, seed: number, maxMoves: number): SokobanLevel[] {
  const rng = createRng(seed).split("sokoban");
  const levels: SokobanLevel[] = [];
  for (let i = 0; levels.length < count; i++) {
    const level = draw(rng.split("level", i));
    const fewestMoves = level && solve(level);
    if (level && fewestMoves !== undefined && fewestMoves > 0 && fewestMoves <= maxMoves) {
      levels.push({ ...level, fewestMoves });
    }
  }
  return levels;
}

function draw(rng: Rng): Omit<SokobanLevel, "fewestMoves"> | undefined {
  const walls = Array.from({ length: SIZE * SIZE }, (_, cell) => {
    const [row, column] = [Math.floor(cell / SIZE), cell % SIZE];
    return row === 0 || column === 0 || row === SIZE - 1 || column === SIZE - 1;
  });
  const inside = walls.flatMap((wall, cell) => (wall ? [] : [cell]));
  const [a, b, c, ...rest] = rng.shuffle(inside);
  for (const cell of rest.slice(0, rng.below(4))) walls[cell] = true;
  return { walls, target: a!, box: b!, player: c! };
}

/** Fewest moves that bring the box to the target, by breadth-first search; undefined if none do. */
export function solve({ walls, target, box, player }: Omit<SokobanLevel, "fewestMoves">): number | undefined {
  const seen = new Set([player * 100 + box]);
  let layer = [{ player, box }];
  for (let moves = 0; layer.length > 0; moves++) {
    if (layer.some((state) => state.box === target)) return moves;
    const next: typeof layer = [];
    for (const state of layer) {
      for (let move = 0; move < 4; move++) {
        const after = push(walls, state.player, state.box, move);
        if (!after || seen.has(after.player * 100 + after.box)) continue;
        seen.add(after.player * 100 + after.box);
        next.push(after);
      }
    }
    layer = next;
  }
  return undefined;
}
