import { group, type Static } from "../../schema";
import { kl } from "./kl";
import { overlong } from "./overlong";
import { own } from "./own";
import { stepChoice, stepOf } from "./step";

/** Changes of the reward before any advantage; null switches one off. */
export const rewardFields = group({
  overlong: overlong.field,
  kl: kl.field,
  own: own.field,
  step: stepChoice,
});

export type RewardChoice = Static<typeof rewardFields>;

/** A few characters for the printed table; nothing where the reward stays as it is. */
export const rewardLabels = (choice: RewardChoice): string[] => [
  ...overlong.label(choice.overlong),
  ...kl.label(choice.kl),
  ...own.label(choice.own ?? null),
  ...stepOf(choice.step).label(choice.step),
];
