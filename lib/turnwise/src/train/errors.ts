/** A loss or gradient is not finite; `dump` names the worst tokens of the batch. */
export class NonFiniteError extends Error {
  override readonly name = "NonFiniteError";

  constructor(
    message: string,
    readonly dump: NonFiniteDump,
  ) {
    super(message);
  }
}

/** First place to look when a loss is not finite. */
export interface NonFiniteDump {
  readonly update: number;
  readonly loss: number;
  readonly gradientNorm: number;
  /** Up to five sampled tokens, worst first: those with numbers that are not finite, then those farthest from their old log-prob. */
  readonly worst: readonly {
    readonly trajectoryId: string;
    readonly turn: number;
    readonly token: number;
    readonly logProb: number;
    readonly oldLogProb: number;
    /** Only in a rule that has a reference policy. */
    readonly refLogProb?: number;
    readonly advantage: number;
  }[];
}
