/** Logs and configurations in the forms of trainers, made for the tests: nothing in them is anybody's run. */

/** The same noise in every run: from -1 to 1. */
const noise = (step: number): number => Math.sin(12.9898 * step) * Math.cos(78.233 * step);

/** From `from` to `to` between two steps, and level before and after. */
export const ramp = (
  step: number,
  [start, end]: readonly [number, number],
  from: number,
  to: number,
): number => from + (to - from) * Math.min(1, Math.max(0, (step - start) / (end - start)));

type Course = (step: number) => Readonly<Record<string, number | string | undefined>>;

/** A file of verl's logger. */
export const verlLog = (steps: number, course: Course, first = 1): string =>
  Array.from(
    { length: steps },
    (_, i) => `${JSON.stringify({ step: first + i, data: course(first + i) })}\n`,
  ).join("");

/** A run that learns from .1 to .45 and does what `more` says besides. */
export const learning =
  (more: Course, fall?: readonly [number, number]): Course =>
  (step) => ({
    "critic/score/mean": Math.max(
      0,
      ramp(step, [1, 100], 0.1, 0.45) * (fall ? ramp(step, fall, 1, 0) : 1) + 0.02 * noise(step),
    ),
    "actor/entropy": 0.3 + 0.005 * noise(step + 7),
    "actor/grad_norm": 0.2 + 0.01 * noise(step + 3),
    "actor/ppo_kl": 0.001,
    "response_length/mean": 500 + 5 * noise(step + 5),
    ...more(step),
  });

/** A launch script of verl with these settings besides. */
export const launch = (...flags: readonly string[]): string =>
  `#!/usr/bin/env bash\nset -x\nHIGH=\${HIGH:-0.28}\npython3 -m verl.trainer.main_ppo \\\n  ${[
    "algorithm.adv_estimator=grpo",
    "actor_rollout_ref.rollout.n=8",
    "actor_rollout_ref.actor.clip_ratio_high=${HIGH}",
    ...flags,
  ].join(" \\\n  ")} "$@"\n`;
