/** A flag of the policy. */
export const actor = (name: string): string => `actor_rollout_ref.actor.${name}`;

/** A flag of its loss. */
export const policyLoss = (name: string): string => actor(`policy_loss.${name}`);

/** A flag of what is done where trainer and rollout engine disagree. */
export const engine = (name: string): string => `algorithm.rollout_correction.${name}`;

const penalties = { k1: "kl", k2: "mse", k3: "low_var_kl", "k3+": "k3+", exact: "low_var_kl" } as const;

/** Its word for an estimate of a divergence; it has none for the exact one. */
export const penaltyOf = (estimator: keyof typeof penalties): string => penalties[estimator];
