import type { View } from "../view";

const flags = ["algorithm.rollout_correction.bypass_mode", "actor_rollout_ref.actor.use_rollout_log_probs"];

/** Whether verl takes the engine's log-probs for those of the old policy, so that ratios begin at the distance of the two. */
export function isBypassed({ subject }: View): boolean {
  if (subject?.trainer !== "verl" || !subject.hasBaseNames) return false;
  const { given } = subject.parts;
  return flags.some((flag) => given.has(flag) && /^true$/i.test(String(given.text(flag))));
}
