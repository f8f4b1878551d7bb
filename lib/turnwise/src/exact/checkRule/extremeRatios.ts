import type { Recipe } from "../../rule";
import { penaltiesOf } from "../../rule/regularizer/penalties";
import type { Finding } from "./finding";
import { owns } from "./own";
import { moved, perToken, samples } from "./samples";
import { tokenGradient } from "./tokenGradient";
import { allFinite } from "../../base/vectors";

/** Log-ratios in nats: beyond what exp holds in single precision (88) and in double precision (709). */
const nats = [100, 800, 1e4];

/** The update stays finite however far the policy has moved. */
export function extremeRatios(rule: Recipe): Finding {
  const check = "extreme ratios";
  for (const far of nats) {
    const bad = worstAt(rule, far);
    if (bad === null) continue;
    const known = growsAsExp(rule) && !owns(rule, "ratio", "gate", "loss", "regularizer");
    return {
      check,
      verdict: known ? "told" : "failed",
      sentence: `At log-ratios of ±${far} nats the update is ${bad}.`,
      hint: known
        ? "The estimator k3 of a KL grows as exp does, unless a clamp limits it; a step that is not finite is refused and undone."
        : LIMIT,
      figures: { "log-ratio, nats": far },
    };
  }
  return {
    check,
    verdict: "passed",
    sentence: "Log-ratios of ±10000 nats leave the update finite.",
    figures: { "log-ratio, nats": nats.at(-1)! },
  };
}

export const LIMIT =
  "Limit the log-ratio before exp, as importanceRatio does: tf.clipByValue(logRatio, -20, 20).";

/** First part of the update that is not finite, if any. */
function worstAt(rule: Recipe, far: number): "NaN" | "infinite" | null {
  let worst: "infinite" | null = null;
  for (const { rollout } of samples) {
    for (const shift of [() => far, () => -far, (i: number) => (i % 2 === 0 ? far : -far)]) {
      const { loss, dLogProb_ntl, dEntropy_ntl } = tokenGradient(rule, rollout, {
        logProb_ntl: moved(rollout, shift),
        advantage_ntl: perToken(rollout, (i) => (i % 3 === 0 ? 1 : -1)),
      });
      const all = [dLogProb_ntl, dEntropy_ntl, [loss]];
      if (all.some(hasNaN)) return "NaN";
      if (!all.every(allFinite)) worst = "infinite";
    }
  }
  return worst;
}

const growsAsExp = ({ regularizer }: Recipe): boolean =>
  penaltiesOf(regularizer, 1).some(({ kl }) => kl.clamp === null && kl.estimator.startsWith("k3"));

const hasNaN = (values: ArrayLike<number>): boolean => Array.from(values).some(Number.isNaN);
