import { createRng } from "turnwise/internal/base/rng";
import { closeLists, diagnose, type Mistake } from "../../shared/exercise/diagnose";
import {
  baselineMistakes,
  callWithBatch,
  formOfAdvantages,
  type GroupAdvantageAnswer,
} from "./groupAdvantage";
import { groupKinds, mean, perMember, std, sum, type GroupBatch } from "../../shared/exercise/groups";
import type { Passed } from "../../shared/exercise/verdict";

export type LeaveOneOutAnswer = GroupAdvantageAnswer;

const others = (group: readonly number[], place: number): number[] => group.filter((_, j) => j !== place);

const mistakes: readonly Mistake<GroupBatch, ArrayLike<number>>[] = [
  {
    sentence: "it includes itself in the baseline; the mean must be over the others of its group.",
    run: (b) => perMember(b, (group, own) => own - mean(group)),
  },
  {
    sentence: "it divides the sum of the others by the size of the whole group; count the others.",
    run: (b) => perMember(b, (group, own, place) => own - sum(others(group, place)) / group.length),
  },
  {
    sentence: "it shrinks the difference to the group's mean where it must be stretched.",
    run: (b) => perMember(b, (group, own) => ((group.length - 1) / group.length) * (own - mean(group))),
  },
  {
    sentence: "it leaves out the trajectory, and divides by the group's std as well.",
    run: (b) =>
      perMember(b, (group, own, place) =>
        group.length < 2 ? 0 : (own - mean(others(group, place))) / (std(group, true) + 1e-6),
      ),
  },
  {
    sentence: "it takes the others of the whole batch; only those of its own group count.",
    run: ({ reward_n }) => reward_n.map((own, n) => own - mean(others(reward_n, n))),
  },
  {
    sentence:
      "it divides by zero for a group of one, which has no others; the task says what such a one gets.",
    run: (b) => perMember(b, (group, own, place) => own - mean(others(group, place))),
  },
  {
    sentence: "it gives a group of one its whole reward; with nobody to compare there is nothing to learn.",
    run: (b) =>
      perMember(b, (group, own, place) => own - (group.length < 2 ? 0 : mean(others(group, place)))),
  },
  ...baselineMistakes,
];

/**
 * A_i = R_i - mean of the other rewards of the group; 0 in a group of one.
 *
 * @see RLOO, arXiv 2402.14740
 */
export function checkLeaveOneOut(answer: LeaveOneOutAnswer): Passed {
  return diagnose<GroupBatch, ArrayLike<number>>({
    exercise: "leaveOneOut",
    kinds: groupKinds(createRng(1).split("leaveOneOut")),
    right: (b) =>
      perMember(b, (group, own, place) => (group.length < 2 ? 0 : own - mean(others(group, place)))),
    mistakes,
    form: formOfAdvantages,
    same: closeLists,
    call: callWithBatch("leaveOneOut", answer),
  });
}
