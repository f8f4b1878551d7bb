import type { TrainOptions } from "turnwise/internal/train/index";

/** Setting that a run of the first lesson may change: how well the agent knows the form of a call. */
type StartHereSetting = Pick<TrainOptions, "policy">;

/** The settings that the first lesson compares; all of them train `grpo` as it stands. */
export const startHereArms = {
  "as in the lesson": { policy: { syntaxPrior: 3 } },
  "no syntax": { policy: { syntaxPrior: 0 } },
} as const satisfies Record<string, StartHereSetting>;

/** A name of `startHereArms`. */
export type StartHereArm = keyof typeof startHereArms;
