import type { Metrics } from "../../base/glossary";
import type { Tally } from "./tally";

/** Inputs and outputs of the sum over tokens. */
export interface Sums {
  readonly advantage_ntl: ArrayLike<number>;
  readonly weight_ntl: ArrayLike<number>;
  readonly active_ntl: ArrayLike<number>;
  readonly dLogProb_ntl: Float64Array;
  readonly clipBias_ntl: Float64Array | undefined;
  readonly tally: Tally;
}

/** Result of the sum over tokens. */
export interface Objective {
  /** - sum_ntl w * gate(ratio, A) over the active tokens. */
  readonly loss: number;
  /** Distance that the policy has moved. */
  readonly divergence: Metrics;
}

/** Written again by every sum: as large as the largest batch so far. */
const scratch = {
  difference: new Float64Array(0),
  ratio: new Float64Array(0),
  beyondOne: new Float64Array(0),
  logProb: new Float64Array(0),
  objective: new Float64Array(0),
  slope: new Float64Array(0),
  slopeLogProb: new Float64Array(0),
  clipped: new Uint8Array(0),
};

const doubles = [
  ...(["difference", "ratio", "beyondOne", "logProb"] as const),
  ...(["objective", "slope", "slopeLogProb"] as const),
];

export function buffersFor(size: number): typeof scratch {
  if (size > scratch.ratio.length) {
    const long = 2 * size;
    for (const name of doubles) scratch[name] = new Float64Array(long);
    scratch.clipped = new Uint8Array(long);
  }
  return scratch;
}
