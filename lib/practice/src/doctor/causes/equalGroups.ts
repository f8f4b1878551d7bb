import { short } from "turnwise/internal/base/curve";
import { valuesOf } from "../../report/klSign";
import {
  eventInWords,
  eventsIn,
  have,
  lintInWords,
  lintOf,
  meanOf,
  timing,
  type CauseKind,
} from "./contract";

/** Steps without any spread that are no chance. */
const FEWEST = 3;

export const equalGroups: CauseKind = {
  title: "groups agree on their reward, so that nothing is left to learn from",
  section: "loss-is-zero",
  lesson: "01-grpo-from-scratch",
  basis:
    "arithmetic where groups agree at every step (70); public logs: 2 of 18 healthy ones agree often (35, less if tasks are solved)",
  look: (view) => {
    const { run } = view;
    const rose = eventsIn(view, ["reward/fracZeroStd"], true);
    const share = meanOf(view, "reward/fracZeroStd");
    const spread = meanOf(view, "reward/std");
    const spreads = valuesOf(run?.records ?? [], "reward/std");
    const isEqual =
      (spreads.length >= FEWEST && spreads.every((value) => Math.abs(value) < 1e-9)) ||
      (share !== undefined && share > 0.95);
    const rewards = valuesOf(run?.records ?? [], "reward/mean");
    // Not only within groups: the same for every answer to every task.
    const isOne = isEqual && rewards.length >= FEWEST && rewards.every((value) => value === rewards[0]);
    const isFlat = run?.constants.get("policy/gradNorm") === 0;
    // A gradient of 0 where rewards differ has another cause.
    const flat = isEqual || (isFlat && spread === undefined && share === undefined);
    const config = lintOf(view, "group-of-one", "low-temperature", "small-group");
    const counted = view.rollouts.filter(
      ({ census }) =>
        census.groups > 1 && (census.allFailed + census.allSolved + census.equal) / census.groups > 0.6,
    );
    const [first] = rose;
    const isHigh = share !== undefined && share > 0.6;
    if (first === undefined && !isHigh && !flat && counted.length === 0) return undefined;
    const success = meanOf(view, "success/mean") ?? meanOf(view, "reward/mean");
    const solved = success !== undefined && success > 0.8 && view.run!.verdict.isShare;
    return {
      evidence: [
        ...(flat
          ? [
              isEqual
                ? `rewards within groups are equal at every step${isFlat ? ", and so the gradient is 0" : ""}`
                : "the gradient is 0 at every step",
            ]
          : []),
        ...rose.map(eventInWords),
        ...(isHigh
          ? [`${Math.round(100 * share)}% of groups have equal rewards, as a mean over the run`]
          : []),
        ...counted.map(
          ({ census }) =>
            `of ${census.groups} stored groups ${census.allFailed} failed throughout, ${census.allSolved} solved throughout`,
        ),
        ...(isOne && !solved
          ? [
              `the reward is ${short(rewards[0]!)} at every step: either no answer is good, or the reward function gives all of them the same`,
            ]
          : []),
        ...(solved ? ["most tasks are solved: this is what success looks like"] : []),
        ...config.map(lintInWords),
      ],
      weight:
        (isEqual ? 70 : flat ? 55 : 35) +
        (first ? timing(view, first) : 0) +
        10 * config.length -
        (solved ? 25 : 0),
      change:
        config.find((one) => one.change.length > 0)?.change ??
        have(view, { setting: "groupFilter", value: view.subject?.trainer === "skyrl" ? "filter" : true }),
      advice: isOne
        ? "call the reward function by hand with an answer that is right, in the form in which the trainer passes answers (a text, or a list of messages); if it is paid, choose easier tasks"
        : "choose tasks that are solved now and then",
    };
  },
};
