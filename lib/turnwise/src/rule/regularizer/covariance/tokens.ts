import type { Recipe } from "../../recipe";
import type { SurrogateInput } from "../../surrogate/surrogateInput";
import { gateOf } from "../../gate";
import { boundsOf, unbounded } from "../../gate/gate";
import { limitedExp } from "../../ratio/units";
import type { CovaryingToken } from "./contract";

/** Equals stay equal, whatever the order in which an engine sums: single precision, in which releases compare, has fewer digits. */
const rounded = (x: number): number => Math.round(1e9 * x) / 1e9;

/** The tokens of a loss, each with its part of the covariance of advantage and log-prob. */
export function covaryingTokens(
  { shape: [, T, L], logProb_ntl, oldLogProb_ntl, draw_ntl, trajectoryId }: SurrogateInput,
  { gate }: Recipe,
  advantage_ntl: ArrayLike<number>,
  active_ntl: ArrayLike<number>,
): CovaryingToken[] {
  const cells: number[] = [];
  for (let i = 0; i < active_ntl.length; i++) if (active_ntl[i] === 1) cells.push(i);
  const mean = (x: ArrayLike<number>): number => cells.reduce((sum, i) => sum + x[i]!, 0) / cells.length;
  const advantage = mean(advantage_ntl);
  const logProb = mean(logProb_ntl);
  const { low, high } = gateOf(gate).cutsGradient ? boundsOf(gate) : unbounded;
  return cells.map((cell) => {
    const A = advantage_ntl[cell]!;
    const ratio = limitedExp(logProb_ntl[cell]! - oldLogProb_ntl[cell]!);
    return {
      cell,
      owner: trajectoryId?.[Math.floor(cell / (T * L))] ?? "",
      covariance: rounded((A - advantage) * (logProb_ntl[cell]! - logProb)),
      // An advantage that is 0 but for rounding has no sign.
      clipped: rounded(A) > 0 ? ratio > high : rounded(A) < 0 && ratio < low,
      draw: draw_ntl?.[cell] ?? 0,
    };
  });
}
