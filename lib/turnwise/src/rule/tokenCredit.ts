import type { Batch } from "../batch/batch";
import { advantages } from "./advantage/advantages";
import type { CriticValues } from "./advantage/credit";
import type { Recipe } from "./recipe";
import { corrected } from "./correction/corrected";
import { surrogateGradient } from "./surrogate/surrogateGradient";
import { trainedTokens } from "./trainedTokens";

/**
 * Push that the first step on a fresh batch gives each token: advantage and loss denominator in one.
 *
 * ```
 * c_ntl = - d loss / d log pi(token)   at ratio 1, where the policy is the one that sampled, and its own reference
 * ```
 * [N, T, L], 0 where masked. No gate binds and no carry has moved yet. A product over a unit gives the same credit as
 * token ratios.
 *
 * @throws {TypeError} and RangeError as `advantages`
 * @example
 * import { make, recipe, scriptedBatch, tokenCredit } from "turnwise";
 * const env = make("LookUp-v0");
 * const batch = scriptedBatch(env, [[["ANSWER", "0"]], [["LOOKUP", "0"], ["ANSWER", "3"]]]);
 * tokenCredit(batch, recipe("rloo")); // => [-0.67, -0.67, 0, 0, 0.67, 0.67, 0.67, 0.67]
 */
export function tokenCredit(
  batch: Batch,
  recipe: Recipe,
  values?: ArrayLike<number> | CriticValues,
): Float64Array {
  // All three policies are one, which a vocabulary of a single token says as well.
  const one_ntlv = new Float64Array(batch.mask_ntl.length);
  const whole = { oldLogProb_ntlv: one_ntlv, refLogProb_ntlv: one_ntlv };
  const facts = { ...whole, gradientSquare_n: sampledTokens(batch) };
  const { advantage_ntl, standing_nt } = advantages(batch, recipe, values, batch.oldLogProb_ntl, facts);
  const value_nt = values && ("length" in values ? values : values.value_nt);
  const { correction_ntl, trained_ntl } = corrected(batch, recipe, trainedTokens(batch, recipe));
  const { dLogProb_ntl } = surrogateGradient(
    {
      shape: batch.shape,
      logProb_ntl: batch.oldLogProb_ntl,
      oldLogProb_ntl: batch.oldLogProb_ntl,
      refLogProb_ntl: batch.oldLogProb_ntl,
      logProb_ntlv: one_ntlv,
      ...whole,
      entropy_ntl: new Float64Array(batch.mask_ntl.length),
      mask_ntl: trained_ntl,
      advantage_ntl,
      ...(standing_nt && { standing_nt }),
      ...(correction_ntl && { correction_ntl }),
      ...(batch.rolloutLogProb_ntl && { rolloutLogProb_ntl: batch.rolloutLogProb_ntl }),
      ...(value_nt && recipe.loss && { value_nt, oldValue_nt: value_nt }),
    },
    recipe,
  );
  return dLogProb_ntl.map((x) => 0 - x);
}

/** Without a policy, the squared norm of a trajectory's gradient is that of as many steps with norm 1 in states of their own. */
function sampledTokens({ shape: [N, T, L], mask_ntl }: Batch): Float64Array {
  const tokens_n = new Float64Array(N);
  for (let i = 0; i < mask_ntl.length; i++) if (mask_ntl[i] === 1) tokens_n[Math.floor(i / (T * L))]! += 1;
  return tokens_n;
}
