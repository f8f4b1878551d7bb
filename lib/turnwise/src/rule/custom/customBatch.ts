import type { Batch } from "../../batch/batch";

/** A batch with numbers of its own, so that a function that sorts them in place changes nobody else's. */
export function copyOf(batch: Batch): Batch {
  return {
    ...batch,
    token_ntl: batch.token_ntl.slice(),
    mask_ntl: batch.mask_ntl.slice(),
    oldLogProb_ntl: batch.oldLogProb_ntl.slice(),
    reward_nt: batch.reward_nt.slice(),
    return_n: batch.return_n.slice(),
    turnCount_n: batch.turnCount_n.slice(),
  };
}

/** Whether a batch has cells that must change nothing. */
export const hasMasked = ({ mask_ntl }: Batch): boolean => mask_ntl.includes(0);

/** The same batch with other contents where nothing may be read: masked positions, and turns that were not taken. */
export function planted(batch: Batch): Batch {
  const copy = copyOf(batch);
  const [N, T] = batch.shape;
  for (let i = 0; i < copy.mask_ntl.length; i++) {
    if (copy.mask_ntl[i] === 1) continue;
    copy.token_ntl[i] = 1 - copy.token_ntl[i]!;
    copy.oldLogProb_ntl[i] = NaN;
  }
  for (let n = 0; n < N; n++) for (let t = batch.turnCount_n[n]!; t < T; t++) copy.reward_nt[n * T + t] = NaN;
  return copy;
}
