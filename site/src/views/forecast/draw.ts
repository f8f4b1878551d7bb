import { createRng } from "turnwise/internal/base/rng";

export const ROUNDS = 10;

/** The places in the pool of the ten runs of a draw: at random, each run alike and none twice. */
export const drawn = (draw: number, count: number): number[] =>
  createRng(draw)
    .split("rounds")
    .shuffle(Array.from({ length: count }, (_, i) => i))
    .slice(0, ROUNDS);
