/**
 * A finite multi-turn decision problem as plain data: JSON in, JSON out.
 *
 * ```
 * { name: "order", start: [{ node: "root" }], nodes: {
 *     root:  { actions: { L: 0.6, R: { next: "right" } } },
 *     right: { actions: { x: 0, y: 1 } } } }
 * ```
 *
 * A number is a reward that ends the episode. Nodes are hidden states; all that the policy knows of one is `sees`.
 */
export interface TreeSpec {
  readonly name: string;
  readonly start: readonly StartSpec[];
  readonly nodes: Readonly<Record<string, NodeSpec>>;
}

/** Possible starts of an episode. The trajectories of a group share their task and nothing else. */
export interface StartSpec {
  readonly node: string;
  /** Default 1. */
  readonly probability?: number;
  /** Default: the node's name. Where a task has several starts, each member of a group draws its own. */
  readonly task?: string;
}

export interface NodeSpec {
  /**
   * The information state: nodes that see the same share a row of the policy. Default: the node's own name.
   *
   * Two starts that see the same are hidden contexts; a node that does not tell its past stands for limited memory; nodes
   * of two turns that see the same share their parameters.
   */
  readonly sees?: string;
  readonly actions: Readonly<Record<string, number | OutcomeSpec | readonly OutcomeSpec[]>>;
}

export interface OutcomeSpec {
  /** Default 1. */
  readonly probability?: number;
  /** Default 0. */
  readonly reward?: number;
  /** The node that follows; without it the episode ends. */
  readonly next?: string;
}
