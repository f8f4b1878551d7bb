/**
 * N trajectories, at most T turns each, at most L tokens a turn, padded to one block.
 *
 * Axes are the suffix of every name: n trajectory, t turn, l token. Flat arrays are row-major, so that
 * `x_ntl[(n * T + t) * L + l]`. Everything is keyed by `trajectoryId`; shuffling rows changes nothing.
 * Masked cells (mask 0) may hold anything, NaN included, and still change nothing.
 */
export interface Batch {
  readonly shape: readonly [n: number, t: number, l: number];
  readonly token_ntl: Int32Array;
  /** 1 = sampled by the policy; 0 = tool output, observation or padding. */
  readonly mask_ntl: Uint8Array;
  /** Nats, fixed at sampling time. */
  readonly oldLogProb_ntl: Float64Array;
  readonly reward_nt: Float64Array;
  /** Undiscounted sum of the turn rewards. */
  readonly return_n: Float64Array;
  readonly turnCount_n: Int32Array;
  readonly trajectoryId: readonly string[];
  /** Same task or start state. */
  readonly groupId: readonly string[];
  /** What the policy saw before each turn: [N][turns], as the environment's text. Anchor states of GiGPO. */
  readonly observation_nt: readonly (readonly string[])[];
  /** The context of each turn, in the policy's own encoding: whatever `policy.evaluate` needs to recompute log-probs. */
  readonly context_nt: readonly (readonly unknown[])[];
  /** Per trajectory: true when the episode was cut by a limit, not ended by the environment. */
  readonly truncated: readonly boolean[];
  /** What the environment reported of each turn: the tool that was called, the true score beside a proxy reward. */
  readonly info_nt?: readonly (readonly Readonly<Record<string, unknown>>[])[];
  /** For multi-agent rows (Dr.MAS): who took turn t. All "agent" when there is one. */
  readonly agentId_nt?: readonly (readonly string[])[];
  /** For hierarchical rows (HiPER), [N, T]: 1 where the agent chose a new subgoal, which starts a segment. */
  readonly switch_nt?: Uint8Array;
  /** For hierarchical rows, [N, T, L]: 0 action, 1 subgoal, 2 switch decision. */
  readonly role_ntl?: Uint8Array;
}
