import type { Tiles } from "../env/grid/drawGrid";

/** The numbers in `Batch.role_ntl`. */
export const tokenRole = { action: 0, subgoal: 1, switch: 2 } as const;

/** Place where a trajectory left another one. */
export interface Fork {
  /** The trajectory from which all others of its tree stem, by way of others or not. */
  readonly tree: string;
  /** The trajectory that it left. */
  readonly parent: string;
  /** Its first turn of its own; the turns before are the parent's. */
  readonly turn: number;
}

/**
 * N trajectories, at most T turns each, at most L tokens a turn, padded to one block.
 *
 * The suffix of each name gives its axes: n trajectory, t turn, l token. Flat arrays are row-major: turn t's token l of
 * trajectory n is `x_ntl[(n * T + t) * L + l]`. Everything is keyed by `trajectoryId`, so shuffling rows changes nothing.
 * Cells with mask 0 may hold anything, even NaN, and change nothing either.
 */
export interface Batch {
  readonly shape: readonly [n: number, t: number, l: number];
  readonly token_ntl: Int32Array;
  /** 1 = sampled by the policy; 0 = tool output, observation or padding. */
  readonly mask_ntl: Uint8Array;
  /** Log-probs of the tokens when they were sampled, nats. */
  readonly oldLogProb_ntl: Float64Array;
  /**
   * Log-probs of the tokens from the rollout engine, where `oldLogProb_ntl` holds the trainer's own computation
   * instead, or where both are to be compared. Without it, trainer and rollout engine are one.
   */
  readonly rolloutLogProb_ntl?: Float64Array;
  readonly reward_nt: Float64Array;
  /** Undiscounted sum of the turn rewards. */
  readonly return_n: Float64Array;
  readonly turnCount_n: Int32Array;
  readonly trajectoryId: readonly string[];
  /** Trajectories of a group began with the same task or start state. */
  readonly groupId: readonly string[];
  /** The environment's text before each turn, [N][turns]: the anchor states of GiGPO. */
  readonly observation_nt: readonly (readonly string[])[];
  /** The context of each turn in the policy's own encoding: what `policy.evaluate` needs to recompute log-probs. */
  readonly context_nt: readonly (readonly unknown[])[];
  /** Per trajectory: whether a limit cut the episode off before the environment ended it. */
  readonly truncated: readonly boolean[];
  /**
   * Info that the environment reported for each turn, such as the tool that was called, or the true score in addition
   * to a proxy reward.
   */
  readonly info_nt?: readonly (readonly Readonly<Record<string, unknown>>[])[];
  /** Step reward of each turn, flat [N, T]; 0 after the end. Only from a trainer whose rule has one. */
  readonly step_nt?: Float64Array;
  /** Comparison of each turn with its peers, in units of the rule's scale, flat [N, T]; only of rules whose advantage says so. */
  readonly standing_nt?: Float64Array;
  /** Place where each trajectory left another one, null if it left none; only of a rollout with forks. */
  readonly fork_n?: readonly (Fork | null)[];
  /** 1 for each trajectory that a teacher played; only of rules with demonstrations. */
  readonly demonstration_n?: Uint8Array;
  /** For multi-agent rules (Dr.MAS): who took each turn. A single agent is called "agent". */
  readonly agentId_nt?: readonly (readonly string[])[];
  /** For hierarchical rules (HiPER), [N, T]: 1 where the agent chose a new subgoal, which starts a segment. */
  readonly switch_nt?: Uint8Array;
  /** For hierarchical rules, [N, T, L]: 0 action, 1 subgoal, 2 switch decision. */
  readonly role_ntl?: Uint8Array;
  /**
   * Vocabulary of the batch for readers: the words of the world's tokens, and the meaning of the characters of its
   * maps. No rule looks at it.
   */
  readonly script?: { readonly vocabulary: readonly string[]; readonly tiles?: Tiles };
}
