import type { Batch } from "../batch/batch";
import type { Played } from "../env/env";

/** Trajectories that were learned from, as reported to an environment. */
export function playedOf(
  { shape: [N, T, L], info_nt, return_n, mask_ntl, oldLogProb_ntl }: Batch,
  refLogProb_ntl: ArrayLike<number> | undefined,
): Played[] {
  return Array.from({ length: N }, (_, n) => {
    let logRatio = 0;
    if (refLogProb_ntl !== undefined) {
      for (let i = n * T * L; i < (n + 1) * T * L; i++) {
        if (mask_ntl[i] === 1) logRatio += oldLogProb_ntl[i]! - refLogProb_ntl[i]!;
      }
    }
    return { info: info_nt?.[n]?.at(-1) ?? {}, return: return_n[n]!, logRatio };
  });
}
