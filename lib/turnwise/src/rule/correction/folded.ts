import type { SurrogateInput } from "../surrogateInput";
import { log } from "../../base/elementary/log";
import { ratioOf } from "../ratio";
import type { Recipe } from "../recipe";
import { correctionOf } from "./index";

/** TRL's smallest weight in logs, ln 1e-8: what a token with weight 0 adds to its ratio. */
const smallest = log(1e-8);

/**
 * The log-probs from which a gate that folds the correction into its ratio counts: log pi_old - log c, so that the ratio is
 * that of the policy to the rollout engine. A weight that several tokens share enters once, an equal part by each of them.
 */
export function foldedOldLogProb(
  input: Pick<SurrogateInput, "shape" | "oldLogProb_ntl" | "correction_ntl">,
  { correction }: Recipe,
  active_ntl: ArrayLike<number>,
): ArrayLike<number> {
  const { shape, oldLogProb_ntl, correction_ntl } = input;
  if (correction_ntl === undefined) return oldLogProb_ntl;
  const { level } = correctionOf(correction).unit(correction);
  const size = ratioOf({ level }).unitSize(shape);
  const folded_ntl = Float64Array.from(oldLogProb_ntl);
  for (let start = 0; start < folded_ntl.length; start += size) {
    let tokens = 0;
    for (let i = start; i < start + size; i++) if (active_ntl[i] === 1) tokens++;
    for (let i = start; i < start + size; i++)
      if (active_ntl[i] === 1) folded_ntl[i]! -= Math.max(log(correction_ntl[i]!), smallest) / tokens;
  }
  return folded_ntl;
}
