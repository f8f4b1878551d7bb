import { exp } from "../../base/elementary/exp";
import { log } from "../../base/elementary/log";
import { gateOf, type GateChoice } from "./index";

/** Which bound the ratio met. */
export type Clipped = (typeof names)[number];

const names = ["no", "low", "high", "dual"] as const;

/**
 * Computes a gate for one ratio, advantage and log-probability of a trajectory of one token: the objective, its slope
 * in the ratio (in log pi for a gate whose gradient goes through log pi), and the bound that was met.
 *
 * `gate({ kind: "clip", clipLow: 0.2, clipHigh: 0.2 }, 1.5, 2)` is `{ objective: 2.4, slope: 0, clipped: "high" }`.
 */
export function gate(
  choice: GateChoice,
  ratio: number,
  advantage: number,
  logProb = 0,
  standing = 0,
): {
  readonly objective: number;
  readonly slope: number;
  /** Of a gate that goes through both: d objective / d log pi beside that in the ratio. */
  readonly slopeLogProb?: number;
  readonly clipped: Clipped;
} {
  const objective = new Float64Array(1);
  const slope = new Float64Array(1);
  const clipped = new Uint8Array(1);
  const slopeLogProb = new Float64Array(1);
  const { beforePooling, evaluate, through } = gateOf(choice);
  const logRatio = log(ratio);
  const pooled = beforePooling?.(choice, logRatio, advantage) ?? logRatio;
  const changed = pooled !== logRatio;
  evaluate(choice, {
    size: 1,
    ratio: Float64Array.of(changed ? exp(pooled) : ratio),
    advantage: [advantage],
    logProb: [logProb],
    objective,
    slope,
    slopeLogProb,
    clipped,
    rowSize: 1,
    logRatio: () => [logRatio],
    samplerLogRatio: () => [logRatio],
    unitTokens: () => [1],
    standing: () => [standing],
  });
  return {
    objective: objective[0]!,
    slope: changed ? 0 : slope[0]!,
    ...(through === "both" && { slopeLogProb: slopeLogProb[0]! }),
    clipped: names[clipped[0]!]!,
  };
}

export const unbounded = { low: -Infinity, high: Infinity };

/** The ratios between which a gate counts a token as inside. */
export function boundsOf(choice: GateChoice): { readonly low: number; readonly high: number } {
  const range = gateOf(choice).range(choice);
  return range === null ? unbounded : { low: 1 - range.low, high: 1 + range.high };
}
