import { expectKnown } from "../base/expect";
import { recipeNeeds, type Recipe } from "../rule";
import { advantageOf } from "../rule/advantage";
import type { TrainOptions } from "./options";
import { setUp, type Setup } from "./setUp";

const known = [
  "env",
  "envOptions",
  "recipe",
  "policy",
  "updates",
  "groups",
  "groupSize",
  "seed",
] as const satisfies readonly (keyof TrainOptions)[];

/** The options of `train` that its plain form takes. */
export type PlainTrainOptions = Pick<TrainOptions, (typeof known)[number]>;

/** Checks the options of `plainTrain` and makes the environment, the rule and the policy that they name. */
export function plainSetUp(
  options: PlainTrainOptions,
): Pick<Setup, "env" | "policy" | "recipe" | "updates" | "seed"> & Setup["settings"] {
  expectKnown("train plainly", options, known);
  const { settings, ...setup } = setUp(options);
  refuseMore(setup.recipe);
  return { ...setup, ...settings };
}

/** @throws {RangeError} if the rule would be trained otherwise than it says */
function refuseMore(rule: Recipe): void {
  const { reference, value, draws, clipBias, distributions, gradients } = recipeNeeds(rule);
  const more = {
    "a whole custom loss": Boolean(rule.loss),
    "a reference policy": reference,
    "a critic": value,
    "full distributions": distributions.old || distributions.reference,
    "random draws for its loss": draws,
    "a second backward pass": clipBias,
    "gradients of single trajectories": gradients,
    "advantages that change from step to step": advantageOf(rule.advantage).renewed !== undefined,
    "a factor on the learning rate": rule.update.stepScale.kind !== "none",
    "a filter": rule.filter.kind !== "none",
    "a correction": rule.correction.kind !== "none",
    forks: rule.forks.kind !== "none",
    demonstrations: rule.demonstrations > 0,
    "a step reward": rule.reward.step.kind !== "none",
    "a charge for what the environment answers": rule.regularizer.observationCoef > 0,
    "an entropy target": rule.regularizer.entropyTarget !== null,
  };
  const found = Object.entries(more).find(([, needed]) => needed);
  if (found === undefined) return;
  throw new RangeError(
    `Cannot train plainly: the rule must need nothing beyond the loop of train/plain.ts, and ${rule.name} needs ${found[0]}. ` +
      "Use train, which has it.",
  );
}
