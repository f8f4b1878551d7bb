import type { PolicyState } from "../policy/policy";
import type { Recipe } from "../rule";
import { recipeSchema } from "../rule/schema";
import { withCurrentNames } from "../schema";
import type { UsedKernels } from "../tensor/fused";
import type { EntropyCoefficient } from "../rule/regularizer/entropyTarget";
import type { OptimizerState } from "./optimizer";
import { settingsSchema, type TrainSettings } from "./settings";

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
  /** The kind of compute of the policy, such as "float64" or "wasm relaxed"; checkpoints of before 0.2 lack it. */
  readonly compute?: string;
  /** The kernels of a network that computes in 32 bits, and whether their bits are those of plain WebAssembly. */
  readonly kernels?: UsedKernels;
  /** The frozen reference policy of a rule with a KL penalty to it. */
  readonly reference: PolicyState | null;
  /** The name of the teacher, who is the reference or plays the demonstrations. */
  readonly teacher?: string;
  /** Policy that plays the demonstrations. */
  readonly demonstrator?: PolicyState;
  readonly optimizer: OptimizerState;
  /** The policy before each of the latest updates, of a run whose rollout is behind. */
  readonly past?: readonly PolicyState[];
  /** State of an environment that changes with training, such as a curriculum. */
  readonly envState?: unknown;
  /** State of a step reward that learns, such as iStar's second policy. */
  readonly stepReward?: unknown;
  /** Current weight of an entropy bonus with a target. */
  readonly entropy?: EntropyCoefficient;
}

/** A checkpoint of an earlier version may lack some of them; they then have their defaults. */
export type CheckpointSettings = Partial<TrainSettings>;

/**
 * A checkpoint under current names: one of an earlier version has former ones.
 *
 * @throws {TypeError} if the value is not a checkpoint of this version
 */
export function expectCheckpoint(value: unknown): Checkpoint {
  const { format, version } = (value ?? {}) as Partial<Checkpoint>;
  if (format === "turnwise-checkpoint" && version === 1) return currentCheckpoint(value as Checkpoint);
  throw new TypeError(
    `Cannot resume: the checkpoint must be a turnwise-checkpoint of version 1, got format ${JSON.stringify(format)}, version ${JSON.stringify(version)}.`,
  );
}

/** The keys that a checkpoint had under another name before, and their present names. */
export const formerCheckpointKeys = { optimiser: "optimizer" } as const satisfies Readonly<
  Record<string, keyof Checkpoint>
>;

function currentCheckpoint(checkpoint: Checkpoint): Checkpoint {
  const { recipe, settings } = checkpoint;
  const names: Readonly<Record<string, string>> = formerCheckpointKeys;
  const former = Object.keys(checkpoint).some((key) => Object.hasOwn(names, key));
  const current = {
    recipe: withCurrentNames(recipeSchema, recipe) as Recipe,
    settings: withCurrentNames(settingsSchema, settings) as CheckpointSettings,
  };
  if (!former && current.recipe === recipe && current.settings === settings) return checkpoint;
  const entries = Object.entries(checkpoint).map(([key, value]): [string, unknown] => [
    Object.hasOwn(names, key) ? names[key]! : key,
    value,
  ]);
  return { ...(Object.fromEntries(entries) as unknown as Checkpoint), ...current };
}
