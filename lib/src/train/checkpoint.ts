import type { PolicyState } from "../policy/policy";
import type { Recipe } from "../rule";
import type { OptimiserState } from "./optimiser";

/** `masked` leaves what the environment wrote out of the loss; `trained` treats it as if the policy had written it. */
export type RetrievedTokens = "masked" | "trained";

/** Everything that the next update depends on, as plain JSON data. */
export interface Checkpoint {
  readonly format: "turnwise-checkpoint";
  readonly version: 1;
  readonly env: { readonly id: string; readonly options: Readonly<Record<string, unknown>> };
  readonly recipe: Recipe;
  readonly settings: CheckpointSettings;
  readonly rng: string;
  readonly update: number;
  readonly samples: number;
  readonly optimizerSteps: number;
  readonly policy: PolicyState;
  /** The frozen reference policy of a row with a KL penalty to it. */
  readonly reference: PolicyState | null;
  readonly optimiser: OptimiserState;
  /** State of an environment that changes with training, such as a curriculum. */
  readonly envState?: unknown;
}

export interface CheckpointSettings {
  readonly groups: number;
  readonly groupSize: number;
  readonly temperature: number;
  /** Missing in older checkpoints, which means 0. */
  readonly logProbNoise?: number;
  /** Missing in older checkpoints, which means masked. */
  readonly retrieved?: RetrievedTokens;
  readonly evaluateExact: number;
  readonly evalEvery: number;
  readonly evalEpisodes: number;
  readonly evalGreedy: boolean;
}

/** @throws {TypeError} if the value is not a checkpoint of this version */
export function expectCheckpoint(value: unknown): Checkpoint {
  const { format, version } = (value ?? {}) as Partial<Checkpoint>;
  if (format === "turnwise-checkpoint" && version === 1) return value as Checkpoint;
  throw new TypeError(
    `Cannot resume as the checkpoint must be a turnwise-checkpoint of version 1: current value has format ${JSON.stringify(format)}, version ${JSON.stringify(version)}`,
  );
}
