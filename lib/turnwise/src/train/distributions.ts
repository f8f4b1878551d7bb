import type { Batch } from "../batch/batch";
import type { Evaluation, Policy } from "../policy/policy";
import type { Recipe } from "../rule";
import { advantageOf } from "../rule/advantage";

/**
 * The whole distributions of an evaluation that was asked for them.
 *
 * @throws {TypeError} if the policy does not tell them
 */
export function wholeOf(
  policy: Policy,
  { name, advantage }: Recipe,
  { logProb_ntlv }: Evaluation,
): Float64Array {
  if (logProb_ntlv !== undefined) return logProb_ntlv;
  if (advantageOf(advantage).readsDistributions) {
    throw new TypeError(
      `Cannot train with recipe ${name}: advantage "${advantage.kind}" needs full distributions, and policy "${policy.name}" gives none. ` +
        "Give logProb_ntlv in evaluate(batch, rows, turns, spent, { distributions: true }).",
    );
  }
  throw new TypeError(
    `Cannot train with recipe ${name}: an exact KL needs full distributions, and policy "${policy.name}" gives none. ` +
      "Give logProb_ntlv in evaluate(batch, rows, turns, spent, { distributions: true }) and read dLogit_ntlv in backward, " +
      'or take estimator: "k3" with correction: "importanceWeighted", which needs neither.',
  );
}

/** An evaluation with whole distributions, of all turns or some. */
export function evaluateWhole(
  policy: Policy,
  recipe: Recipe,
  batch: Batch,
  turns?: ArrayLike<number>,
): Evaluation & { readonly logProb_ntlv: Float64Array } {
  const evaluation = policy.evaluate(batch, undefined, turns, undefined, { distributions: true });
  return { ...evaluation, logProb_ntlv: wholeOf(policy, recipe, evaluation) };
}
