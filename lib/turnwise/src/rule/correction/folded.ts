import type { SurrogateInput } from "../surrogate/surrogateInput";
import { log } from "../../base/elementary/log";
import { ratioOf } from "../ratio";
import type { Recipe } from "../recipe";
import { correctionOf } from "./index";

/** TRL's smallest weight in logs, ln 1e-8: what a token with weight 0 adds to its ratio. */
const smallest = log(1e-8);

/**
 * The log-probs from which a gate that folds the correction into its ratio counts: log pi_old - log c, so that the ratio is
 * that of the policy to the rollout engine. A weight that several tokens share enters once, an equal part by each of them; one
 * of 0 enters every ratio whole, since a part of it would let tokens through that are to be left out.
 */
export function foldedOldLogProb(
  input: Pick<SurrogateInput, "shape" | "oldLogProb_ntl" | "correction_ntl">,
  { correction, ratio }: Recipe,
  active_ntl: ArrayLike<number>,
): ArrayLike<number> {
  const { shape, oldLogProb_ntl, correction_ntl } = input;
  if (correction_ntl === undefined) return oldLogProb_ntl;
  const { level } = correctionOf(correction).unit(correction);
  const size = ratioOf({ level }).unitSize(shape);
  // The tokens whose logs are summed to one log-ratio: a mean takes a part of each by itself.
  const summed = "pooling" in ratio && ratio.pooling === "product" ? ratioOf(ratio).unitSize(shape) : 1;
  const tokensFrom = (start: number, width: number): number => {
    let tokens = 0;
    for (let i = start; i < start + width; i++) if (active_ntl[i] === 1) tokens++;
    return tokens;
  };
  const folded_ntl = Float64Array.from(oldLogProb_ntl);
  for (let start = 0; start < folded_ntl.length; start += size) {
    const tokens = tokensFrom(start, size);
    const width = Math.min(size, summed);
    for (let from = start; from < start + size; from += width) {
      const together = tokensFrom(from, width);
      for (let i = from; i < from + width; i++) {
        if (active_ntl[i] !== 1) continue;
        const part = log(correction_ntl[i]!);
        folded_ntl[i]! -= part > smallest ? part / tokens : smallest / together;
      }
    }
  }
  return folded_ntl;
}
