import type { Recipe } from "../../rule";
import { figure, type Finding } from "./finding";
import { samples } from "./samples";
import { rewardToGo, tokenGradient } from "./tokenGradient";

const AWAY = 0.5;
const check = "critic";

/** Whether a loss that goes through the values pulls them to what they should become. */
export function critic(rule: Recipe): Finding {
  const above = slope(rule, AWAY);
  const below = slope(rule, -AWAY);
  const figures = { "d loss / d value, value too high": above, "d loss / d value, value too low": below };
  if (above === 0 && below === 0) {
    return { check, verdict: "passed", sentence: "The loss leaves the values of a critic alone.", figures };
  }
  const pulls = above > 0 && below < 0;
  return {
    check,
    verdict: pulls ? "passed" : "failed",
    sentence: pulls
      ? "The loss pulls the values of a critic to what they should become."
      : `The loss pushes the values of a critic away from their target: its slope is ${figure(above)} where they are too high and ${figure(below)} where they are too low.`,
    ...(pulls
      ? {}
      : { hint: "An advantage that is made of values must be behind a stop-gradient: x.stopGradient(...)." }),
    figures,
  };
}

/** d loss if all values rise by 1, where they are off their targets by `shift`. */
function slope(rule: Recipe, shift: number): number {
  return samples.reduce((sum, { rollout }) => {
    const value_nt = rewardToGo(rollout.batch).map((target) => target + shift);
    return sum + tokenGradient(rule, rollout, { value_nt }).dValue_nt.reduce((a, b) => a + b, 0);
  }, 0);
}
