/** The two heads on a network; offsets are in elements of the flat vector of weights. */
export interface FusedHeads {
  readonly vocabularySize: number;
  readonly parameterCount: number;
  readonly out: number;
  readonly outBias: number;
  /** Offset of the value head, if there is one. */
  readonly value?: number;
}

export interface FusedEvaluation {
  /** In nats, per wanted place; both are overwritten by the next pass of any network. */
  readonly logProb: Float64Array;
  readonly entropy: Float64Array;
  /** Of every token of the vocabulary, [places, V]; only where they are asked for. */
  readonly logProbs?: Float64Array;
  /** At the first wanted place of each sequence that has one. */
  readonly value?: Float64Array;
}

export interface FusedDerivative {
  readonly logProb: Float64Array;
  readonly entropy?: Float64Array;
  /** d loss / d logits, [places, V], on top of what goes through the other parts. */
  readonly logits?: Float64Array;
  readonly value?: Float64Array;
}

export interface FusedSample {
  readonly tokens: number[];
  /** In nats. */
  readonly logProb: number[];
}
