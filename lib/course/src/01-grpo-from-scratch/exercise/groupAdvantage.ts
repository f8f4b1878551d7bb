import { createRng } from "turnwise/internal/base/rng";
import { closeLists, diagnose, isNumbers, type Mistake } from "../../shared/exercise/diagnose";
import { groupKinds, mean, perMember, std, type GroupBatch } from "../../shared/exercise/groups";
import { NotYet, type Passed } from "../../shared/exercise/verdict";

/** Computes the advantage of each trajectory from rewards and group ids, both [N]. */
export type GroupAdvantageAnswer = (
  reward_n: readonly number[],
  groupId_n: readonly number[],
) => ArrayLike<number>;

type Numbers = ArrayLike<number>;

export function formOfAdvantages(output: unknown, { reward_n }: GroupBatch): string | undefined {
  if (!isNumbers(output)) return "it must return a list of numbers, one for each trajectory.";
  if (output.length === reward_n.length) return undefined;
  return `it must return one number for each trajectory; it returned ${String(output.length)} for ${String(reward_n.length)}.`;
}

export function callWithBatch(
  exercise: string,
  answer: GroupAdvantageAnswer,
): (batch: GroupBatch) => unknown {
  return ({ reward_n, groupId_n }) => {
    const copy = [...reward_n];
    const output: unknown = answer(copy, [...groupId_n]);
    if (!closeLists(copy, reward_n)) {
      throw new NotYet(exercise, "it changes the rewards that it was given; make a new list.");
    }
    return output;
  };
}

const ownIn: Mistake<GroupBatch, Numbers>[] = [
  {
    sentence: "it divides by the group's std; the task asks for the difference alone.",
    run: (b) =>
      perMember(b, (group, own) => (group.length < 2 ? 0 : (own - mean(group)) / (std(group, true) + 1e-6))),
  },
  {
    sentence: "it divides by the group's std; the task asks for the difference alone.",
    run: (b) => perMember(b, (group, own) => (own - mean(group)) / (std(group, false) + 1e-6)),
  },
  {
    sentence: "it uses the whole batch's mean; a trajectory is compared with its own group.",
    run: ({ reward_n }) => reward_n.map((reward) => reward - mean(reward_n)),
  },
  {
    sentence: "it whitens over the whole batch; a trajectory is compared with its own group.",
    run: ({ reward_n }) => reward_n.map((reward) => (reward - mean(reward_n)) / (std(reward_n, true) + 1e-6)),
  },
  {
    sentence: "its sign is turned round; a reward above the baseline must get a positive advantage.",
    run: (b) => perMember(b, (group, own) => mean(group) - own),
  },
  {
    sentence: "it returns the baseline; the advantage is what the reward has beyond it.",
    run: (b) => perMember(b, (group) => mean(group)),
  },
  {
    sentence: "it returns the reward itself; there is no baseline in it.",
    run: ({ reward_n }) => reward_n,
  },
  {
    sentence: "it subtracts the sum of the group where the mean is wanted.",
    run: (b) => perMember(b, (group, own) => own - mean(group) * group.length),
  },
  {
    sentence: "it subtracts the group's best reward; the baseline is the mean.",
    run: (b) => perMember(b, (group, own) => own - Math.max(...group)),
  },
];

const leftOut: Mistake<GroupBatch, Numbers> = {
  sentence: "it leaves the trajectory itself out of its baseline; here the mean is over all of the group.",
  run: (b) =>
    perMember(b, (group, own) =>
      group.length < 2 ? 0 : (group.length / (group.length - 1)) * (own - mean(group)),
    ),
};

/** Mistakes that the two exercises on baselines have in common. */
export const baselineMistakes: readonly Mistake<GroupBatch, Numbers>[] = ownIn;

/**
 * A_i = R_i - mean of the group's rewards.
 *
 * @see SeeUPO, arXiv 2602.06554, Eq. 9; Dr. GRPO, arXiv 2503.20783
 */
export function checkGroupAdvantage(answer: GroupAdvantageAnswer): Passed {
  return diagnose<GroupBatch, Numbers>({
    exercise: "groupAdvantage",
    kinds: groupKinds(createRng(1).split("groupAdvantage")),
    right: (b) => perMember(b, (group, own) => own - mean(group)),
    mistakes: [...ownIn, leftOut],
    form: formOfAdvantages,
    same: closeLists,
    call: callWithBatch("groupAdvantage", answer),
  });
}
