import type { RatioLevel } from "../recipe";

/** |log-ratio| is limited to this many nats before exponentiation, as verl and OpenRLHF do. */
export const logRatioLimit = 20;

/** How many neighbouring cells of an [N, T, L] block share one ratio: a token, a turn or a trajectory. */
export function unitSize(shape: readonly [n: number, t: number, l: number], level: RatioLevel): number {
  const [, T, L] = shape;
  return level === "trajectory" ? T * L : level === "turn" ? L : 1;
}
