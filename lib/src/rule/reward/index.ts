import { count, group, orNull, type Static } from "../../schema";
import { klCoef, plainestEstimator } from "../regulariser/kl";

/** Changes of the reward before any advantage; null switches one off. */
export const rewardFields = group({
  overlong: orNull(
    group(
      {
        maxLength: count(20480, { help: "Longer responses get the whole penalty.", unit: "tokens" }),
        buffer: count(4096, { help: "Over how many tokens before it the penalty grows.", unit: "tokens" }),
      },
      { help: "DAPO's soft penalty on long responses; null for none." },
    ),
  ),
  kl: orNull(
    group(
      { coef: klCoef, estimator: plainestEstimator },
      {
        help: "The divergence from the reference, taken off the reward of every sampled token; null for none.",
      },
    ),
  ),
});

export type RewardChoice = Static<typeof rewardFields>;

/** A few characters for the printed table; nothing where the reward stays as it is. */
export const rewardLabels = ({ overlong, kl }: RewardChoice): string[] => [
  ...(overlong === null ? [] : ["overlong penalty"]),
  ...(kl === null ? [] : [`KL in reward ${kl.coef}`]),
];
