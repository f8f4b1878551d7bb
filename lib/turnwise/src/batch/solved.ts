import type { Batch } from "./batch";

/** Whether a trajectory solved its task: as the environment reports of its last turn, or else by a return above 0. */
export function solved({ info_nt, return_n, turnCount_n }: Batch, n: number): boolean {
  const success = info_nt?.[n]?.[turnCount_n[n]! - 1]?.["success"];
  return typeof success === "boolean" ? success : return_n[n]! > 0;
}
