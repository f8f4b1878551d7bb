import { group, renamed, type Static } from "../../schema";
import { environment } from "./environment";
import { kl } from "./kl";
import { overlong } from "./overlong";
import { own } from "./own";
import { stepChoice, stepOf } from "./step";

/** Changes of the reward before any advantage; null switches one off. */
export const rewardFields = group({
  environment: environment.field,
  overlong: overlong.field,
  kl: kl.field,
  custom: renamed("own", own.field),
  step: stepChoice,
});

export type RewardChoice = Static<typeof rewardFields>;

/** A few characters for the printed table; nothing where the reward stays as it is. */
export const rewardLabels = (
  // A rule from a file of an earlier version has no such field.
  choice: Omit<RewardChoice, "environment"> & Partial<Pick<RewardChoice, "environment">>,
): string[] => [
  ...environment.label(choice.environment ?? 1),
  ...overlong.label(choice.overlong),
  ...kl.label(choice.kl),
  ...own.label(choice.custom ?? null),
  ...stepOf(choice.step).label(choice.step),
];
