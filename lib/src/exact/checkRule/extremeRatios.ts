import type { Recipe } from "../../rule";
import type { Finding } from "./finding";
import { isOwn } from "./own";
import { moved, perToken, samples } from "./samples";
import { tokenGradient } from "./tokenGradient";
import { allFinite } from "./vectors";

/** Log-ratios in nats: beyond what exp holds in single precision (88) and in double precision (709). */
const nats = [100, 800, 1e4];

/** The update stays a number however far the policy has moved: NaN is a fault, infinity of an own function, too. */
export function extremeRatios(row: Recipe): Finding {
  const check = "extreme ratios";
  let infinite = 0;
  for (const { rollout } of samples) {
    for (const far of nats) {
      for (const shift of [() => far, () => -far, (i: number) => (i % 2 === 0 ? far : -far)]) {
        const { loss, dLogProb_ntl, dEntropy_ntl } = tokenGradient(row, rollout, {
          logProb_ntl: moved(rollout, shift),
          advantage_ntl: perToken(rollout, (i) => (i % 3 === 0 ? 1 : -1)),
        });
        if ([dLogProb_ntl, dEntropy_ntl, [loss]].some(hasNaN)) {
          return {
            check,
            verdict: "failed",
            sentence: `At log-ratios of ±${far} nats the update is NaN.`,
            hint: LIMIT,
            figures: { "log-ratio, nats": far },
          };
        }
        if (infinite === 0 && ![dLogProb_ntl, dEntropy_ntl, [loss]].every(allFinite)) infinite = far;
      }
    }
  }
  if (infinite > 0) {
    const own = isOwn(row);
    return {
      check,
      verdict: own ? "failed" : "told",
      sentence: `At log-ratios of ±${infinite} nats the update is infinite, never NaN.`,
      hint: own
        ? LIMIT
        : "The estimator k3 of a KL grows as exp does; a step that is not finite is refused and undone.",
      figures: { "log-ratio, nats": infinite },
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

const hasNaN = (values: ArrayLike<number>): boolean => Array.from(values).some(Number.isNaN);
