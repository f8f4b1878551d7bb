import type { Meaning } from "./contract";

/** A row that changes nothing of the reward, the batch or the order, and has no penalty. */
export const plain = {
  reward: { environment: 1, overlong: null, kl: null, custom: null, step: "none" },
  forks: "none",
  demonstrations: 0,
  filter: "none",
  correction: "none",
  order: { kind: "simultaneous", oldLogProb: "rollout" },
  regularizer: {
    klReference: null,
    klOld: null,
    entropyCoef: 0,
    entropyTarget: null,
    entropyShare: 1,
    covariance: "off",
    clippingTriggered: "off",
    observationCoef: 0,
    custom: null,
  },
  loss: null,
} as const satisfies Partial<Meaning>;

/** Hints that hold for every trainer here. */
export const everywhere = {
  order: "all turns are updated at once",
  forks: "trajectories do not leave each other",
  demonstrations: "a batch holds what the policy sampled",
  "update.stepScale": "every step has the schedule's learning rate",
  "reward.step": "rewards of steps are your reward function's",
  "reward.environment": "the reward is your reward function's",
  "reward.custom": "the reward is your reward function's",
  "regularizer.clippingTriggered": "nothing follows the clipping",
  "regularizer.observationCoef": "what the environment answers is masked",
  "reward.kl.reference": "the reference is a frozen model",
} as const;
