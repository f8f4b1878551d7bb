/** A number that training depends on is not finite; `dump` holds the worst of the batch. */
export class NonFiniteError extends Error {
  override readonly name = "NonFiniteError";

  constructor(
    message: string,
    readonly dump: NonFiniteDump,
  ) {
    super(message);
  }
}

/** What to look at first when a loss is not finite. */
export interface NonFiniteDump {
  readonly update: number;
  readonly loss: number;
  readonly gradientNorm: number;
  /** Up to five active tokens, worst first: not finite, or farthest from the old log-prob. */
  readonly worst: readonly {
    readonly trajectoryId: string;
    readonly turn: number;
    readonly token: number;
    readonly logProb: number;
    readonly oldLogProb: number;
    readonly advantage: number;
  }[];
}
