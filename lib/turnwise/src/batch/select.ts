import type { Batch } from "./batch";

type Block = Float64Array | Int32Array | Uint8Array;

/** A batch of the given rows, in that order; rows may repeat. */
export function selectTrajectories(batch: Batch, rows: ArrayLike<number>): Batch {
  const [, T, L] = batch.shape;
  const index = Array.from(rows);
  const pick = <X>(items: readonly X[]): X[] => index.map((n) => items[n]!);
  return {
    shape: [index.length, T, L],
    token_ntl: selectBlocks(batch.token_ntl, index, T * L),
    mask_ntl: selectBlocks(batch.mask_ntl, index, T * L),
    oldLogProb_ntl: selectBlocks(batch.oldLogProb_ntl, index, T * L),
    ...(batch.rolloutLogProb_ntl && {
      rolloutLogProb_ntl: selectBlocks(batch.rolloutLogProb_ntl, index, T * L),
    }),
    reward_nt: selectBlocks(batch.reward_nt, index, T),
    return_n: selectBlocks(batch.return_n, index, 1),
    turnCount_n: selectBlocks(batch.turnCount_n, index, 1),
    trajectoryId: pick(batch.trajectoryId),
    groupId: pick(batch.groupId),
    observation_nt: pick(batch.observation_nt),
    context_nt: pick(batch.context_nt),
    truncated: pick(batch.truncated),
    ...(batch.info_nt && { info_nt: pick(batch.info_nt) }),
    ...(batch.step_nt && { step_nt: selectBlocks(batch.step_nt, index, T) }),
    ...(batch.standing_nt && { standing_nt: selectBlocks(batch.standing_nt, index, T) }),
    ...(batch.fork_n && { fork_n: pick(batch.fork_n) }),
    ...(batch.demonstration_n && { demonstration_n: selectBlocks(batch.demonstration_n, index, 1) }),
    ...(batch.agentId_nt && { agentId_nt: pick(batch.agentId_nt) }),
    ...(batch.switch_nt && { switch_nt: selectBlocks(batch.switch_nt, index, T) }),
    ...(batch.role_ntl && { role_ntl: selectBlocks(batch.role_ntl, index, T * L) }),
    ...(batch.script && { script: batch.script }),
  };
}

/** The given rows of a flat array whose rows are `width` long. */
export function selectBlocks<A extends Block>(values: A, rows: ArrayLike<number>, width: number): A {
  const result = new (values.constructor as new (length: number) => A)(rows.length * width);
  for (let i = 0; i < rows.length; i++) {
    const from = rows[i]! * width;
    const to = i * width;
    for (let k = 0; k < width; k++) result[to + k] = values[from + k]!; // rows are short: a view of each costs more
  }
  return result;
}

/** Joins batches that have the same limits of turns and tokens, row after row. */
export function concatBatches(batches: readonly Batch[]): Batch {
  const [first] = batches;
  if (!first) throw new RangeError("Cannot concatenate batches: there must be at least one, got none.");
  const [, T, L] = first.shape;
  const N = batches.reduce((sum, batch) => sum + batch.shape[0], 0);
  const join = <A extends Block>(of: (batch: Batch) => A): A => {
    const parts = batches.map(of);
    const result = new (parts[0]!.constructor as new (length: number) => A)(
      parts.reduce((sum, part) => sum + part.length, 0),
    );
    let offset = 0;
    for (const part of parts) {
      result.set(part, offset);
      offset += part.length;
    }
    return result;
  };
  return {
    shape: [N, T, L],
    token_ntl: join((b) => b.token_ntl),
    mask_ntl: join((b) => b.mask_ntl),
    oldLogProb_ntl: join((b) => b.oldLogProb_ntl),
    ...(first.rolloutLogProb_ntl && { rolloutLogProb_ntl: join((b) => b.rolloutLogProb_ntl!) }),
    reward_nt: join((b) => b.reward_nt),
    return_n: join((b) => b.return_n),
    turnCount_n: join((b) => b.turnCount_n),
    trajectoryId: batches.flatMap((b) => b.trajectoryId),
    groupId: batches.flatMap((b) => b.groupId),
    observation_nt: batches.flatMap((b) => b.observation_nt),
    context_nt: batches.flatMap((b) => b.context_nt),
    truncated: batches.flatMap((b) => b.truncated),
    ...(first.info_nt && { info_nt: batches.flatMap((b) => b.info_nt!) }),
    ...(first.step_nt && { step_nt: join((b) => b.step_nt!) }),
    ...(first.standing_nt && { standing_nt: join((b) => b.standing_nt!) }),
    ...(first.fork_n && { fork_n: batches.flatMap((b) => b.fork_n!) }),
    ...(first.demonstration_n && { demonstration_n: join((b) => b.demonstration_n!) }),
    ...(first.agentId_nt && { agentId_nt: batches.flatMap((b) => b.agentId_nt!) }),
    ...(first.switch_nt && { switch_nt: join((b) => b.switch_nt!) }),
    ...(first.role_ntl && { role_ntl: join((b) => b.role_ntl!) }),
    ...(first.script && { script: first.script }),
  };
}
