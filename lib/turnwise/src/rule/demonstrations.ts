import { whole } from "../schema";

/** Number of trajectories of a group that are demonstrations: a field of a rule. */
export const demonstrationsField = whole(0, {
  atLeast: 0,
  help: "Number of trajectories of each group that a teacher plays instead of the policy; see train's option teacher.",
  slider: { min: 0, max: 4 },
});

/** 1 for every cell of a trajectory that a teacher played, [N, T, L]; undefined where there is none. */
export function demonstrationCells(
  [N, T, L]: readonly [number, number, number],
  demonstration_n: ArrayLike<number> | undefined,
): Uint8Array | undefined {
  if (demonstration_n === undefined) return undefined;
  const cells = new Uint8Array(N * T * L);
  for (let n = 0; n < N; n++) if (demonstration_n[n] === 1) cells.fill(1, n * T * L, (n + 1) * T * L);
  return cells;
}
