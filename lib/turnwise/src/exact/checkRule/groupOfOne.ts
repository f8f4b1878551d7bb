import type { Recipe } from "../../rule";
import type { Finding } from "./finding";
import { selected } from "./rowOrder";
import { samples } from "./samples";
import { tokenGradient } from "./tokenGradient";
import { allFinite, norm } from "../../base/vectors";

const check = "group of one";

export const SINGLE =
  "Dividing by G - 1, or by the deviation of a single reward: refuse such a group, or give it an advantage of 0.";

/** Groups of a single trajectory: a rule may refuse them, but not answer with NaN. */
export function groupOfOne(rule: Recipe): Finding {
  let push = 0;
  for (const { rollout } of samples) {
    const { groupId } = rollout.batch;
    const first = [...groupId.keys()].filter((n) => groupId.indexOf(groupId[n]!) === n);
    tokenGradient(rule, rollout); // what it throws here is not about groups of one
    try {
      const { advantage_ntl, dLogProb_ntl, loss } = tokenGradient(rule, selected(rollout, first));
      if (![advantage_ntl, dLogProb_ntl, [loss]].every(allFinite)) {
        return {
          check,
          verdict: "failed",
          sentence: "A group of one trajectory makes the update NaN or infinite.",
          hint: SINGLE,
          figures: { push: NaN },
        };
      }
      push = Math.max(push, norm(dLogProb_ntl));
    } catch (error) {
      if (!refused(error)) throw error;
      return {
        check,
        verdict: "passed",
        sentence: "Groups of one trajectory are refused, since a group is what it compares.",
        figures: {},
      };
    }
  }
  return {
    check,
    verdict: "passed",
    sentence:
      push > 0 ? "A group of one trajectory pushes, too." : "A group of one trajectory pushes nothing.",
    figures: { push },
  };
}

/** A range error on purpose, its own or a custom function's; numbers that are not finite are none. */
const refused = (error: unknown): boolean =>
  error instanceof Error &&
  (error instanceof RangeError || error.message.includes("it threw RangeError")) &&
  !/finite|NaN/.test(error.message);
