import { short } from "turnwise/internal/base/curve";
import type { CauseKind } from "./contract";

/** Weight of rewards that say nothing of the task. */
export const PAID_FOR_NOTHING = 74;
/** An answer that so many tasks have in common is no answer to each of them; an empty one is to none. */
const COMMON = 0.8;
const EMPTY = 0.3;
const FEWEST_TASKS = 5;

export const oneAnswerPaid: CauseKind = {
  title: "the reward function pays one answer, whatever the task is",
  section: "reward-parts",
  lesson: "06-agentic-pomdp",
  basis:
    "arithmetic: an answer that is the same for all tasks, or empty, and earns as much as any other, cannot be right for each (74); threads: 1 of 97",
  look: ({ rollouts }) => {
    const paid = rollouts.flatMap(({ census: { commonAnswer: common, reward } }) => {
      if (common === undefined || common.tasks < FEWEST_TASKS) return [];
      if (common.share < (common.text === "" ? EMPTY : COMMON)) return [];
      // An answer that earns less than others is no hack.
      const isPaid =
        common.reward > 0 && common.reward >= reward.mean && common.reward >= (common.others ?? 0);
      return isPaid ? [common] : [];
    });
    if (paid.length === 0) return undefined;
    return {
      evidence: paid.map(
        ({ text, share, tasks, reward, others }) =>
          `${text === "" ? "an empty answer" : `the answer ${JSON.stringify(text.slice(0, 40))}`} is given in ${Math.round(100 * share)}% of rollouts, of ${tasks} tasks, and earns ${short(reward)}` +
          (others === undefined ? "" : `, the others ${short(others)}`),
      ),
      weight: PAID_FOR_NOTHING,
      change: [],
      advice:
        "call the reward function by hand with this answer for several tasks: `answer in solution` is true of every empty answer; compare whole answers, and give nothing for an empty one",
    };
  },
};
