import { short } from "turnwise/internal/base/curve";
import type { View } from "../view";
import { isOfValidation } from "../logOfRollouts";
import { lintInWords, lintOf, type CauseKind } from "./contract";

/** Says that the spread of rewards within groups is NaN from the start, where the rewards themselves are numbers. */
function spreadInWords({ run }: View): string | undefined {
  const found = run?.verdict.notFinite.find(({ name }) => /(^|\/)reward_std$/.test(name));
  if (found === undefined || found.from !== run!.first) return undefined;
  const reward = run!.records[0]!.metrics["reward/mean"];
  if (reward === undefined) return undefined;
  return `${found.name} is NaN from the first step on while the reward is ${short(reward)}: a group of one has no spread`;
}

export const mixedGroups: CauseKind = {
  title: "groups mix prompts, or hold one rollout",
  section: "mixed-groups",
  lesson: "01-grpo-from-scratch",
  basis:
    "arithmetic for groups of one (60); judgment for groups whose texts differ, which a date alone can do (40), or a batch that groups do not divide (25)",
  look: (view) => {
    const config = lintOf(view, "group-of-one", "indivisible-batch");
    const counted = view.rollouts.filter(({ census }) => census.mixedPrompts > 0);
    // Validation samples each task once.
    const alone = view.rollouts.filter(
      (one) => one.census.alone > one.census.groups / 2 && one.census.groups > 1 && !isOfValidation(one),
    );
    const spread = spreadInWords(view);
    if (config.length + counted.length + alone.length === 0 && spread === undefined) return undefined;
    const ofOne = spread !== undefined || config.some(({ id }) => id === "group-of-one");
    return {
      ...(ofOne && { title: "groups hold one rollout each, so there is nothing to compare it with" }),
      evidence: [
        ...(spread === undefined ? [] : [spread]),
        ...counted.map(
          ({ census }) =>
            `${census.mixedPrompts} of ${census.groups} stored groups began with different texts`,
        ),
        ...alone.map(({ census }) => `${census.alone} of ${census.groups} stored groups hold one rollout`),
        ...config.map(lintInWords),
      ],
      weight: ofOne ? 60 : counted.length > 0 ? 40 : 25,
      change: config.find((one) => one.change.length > 0)?.change ?? [],
      advice: ofOne
        ? "sample several rollouts of each task: without a baseline every reward above 0 is pushed up"
        : "give every rollout of a task the same group id; texts that differ in a date or a seed alone do no harm",
    };
  },
};
