import type { Batch } from "turnwise";

/** Numbers of every cell, [n][t][l]. */
export type Cells = number[][][];

export const flat = (cells: Cells | number[][]): Float64Array => Float64Array.from(cells.flat(2));

/** A batch as the fixtures that Python wrote have it. */
interface Stored {
  readonly mask: Cells;
  readonly role: Cells;
  /** What a row's step reward says of each turn. */
  readonly step?: number[][];
  /** 1 for a trajectory that a teacher played. */
  readonly demonstration?: number[];
  readonly reward: number[][];
  readonly switch: number[][];
  readonly turnCount: readonly number[];
  readonly group: readonly string[];
  readonly observation: string[][];
  readonly agent: string[][];
  /** The row of the trunk that each trajectory left; its own where it left none. */
  readonly tree?: readonly number[];
}

/** Tokens are all 0: the fixtures have log-probs, and rules do not look at tokens. */
export function storedBatch(shape: Batch["shape"], data: Stored, oldLogProb: Cells): Batch {
  return {
    shape,
    token_ntl: new Int32Array(shape[0] * shape[1] * shape[2]),
    mask_ntl: Uint8Array.from(data.mask.flat(2)),
    oldLogProb_ntl: flat(oldLogProb),
    reward_nt: flat(data.reward),
    return_n: Float64Array.from(data.reward, (row) => row.reduce((a, b) => a + b, 0)),
    turnCount_n: Int32Array.from(data.turnCount),
    trajectoryId: data.group.map((_, n) => `trajectory ${String(n)}`),
    groupId: data.group,
    observation_nt: data.observation,
    context_nt: data.observation,
    truncated: data.group.map(() => false),
    ...(data.demonstration && { demonstration_n: Uint8Array.from(data.demonstration) }),
    ...(data.step && { step_nt: flat(data.step) }),
    ...(data.tree && {
      fork_n: data.tree.map((trunk, n) => {
        const tree = `trajectory ${String(trunk)}`;
        return trunk === n ? null : { tree, parent: tree, turn: 1 };
      }),
    }),
    agentId_nt: data.agent,
    switch_nt: Uint8Array.from(data.switch.flat()),
    role_ntl: Uint8Array.from(data.role.flat(2)),
  };
}
