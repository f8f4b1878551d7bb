import type { RecipeNameInput, Recipe } from "turnwise/internal/rule/index";
import type { FrameworkFlags, ReadConfig } from "./contract";
import { flagsOf, readConfig, type FlagOptions } from "./convert";
import { expectKnown } from "turnwise/internal/base/expect";
import { expectTrainer, understand, type UnderstandOptions } from "./understand";
import { parseConfig } from "./source/parse";
import type { FlagValues } from "./given";
import { openRlhf } from "./openRlhf";
import { trl } from "./trl";
import { verl } from "./verl";

/**
 * A rule as arguments of TRL's `GRPOConfig`, or `RLOOConfig` where that says more of it.
 *
 * @throws {RangeError} if the name is unknown, or a group has fewer than 2 members
 * @see trl 1.16.0 on PyPI: trainer/grpo_config.py, trainer/grpo_trainer.py, trainer/rloo_trainer.py
 * @example
 * import { toTrl } from "turnwise-practice";
 * toTrl("drGrpo").flags.loss_type; // => "dr_grpo"
 * toTrl("grpo").unsupported.map(({ field }) => field); // => ["scale.epsilon"]
 */
export const toTrl = (of: RecipeNameInput | Recipe, options?: FlagOptions): FrameworkFlags =>
  flagsOf(trl, of, options);

/**
 * A rule as hydra overrides of verl's `ppo_trainer`.
 *
 * Its clip is always a dual one: a plain clip is written as one at 1e9, which no ratio meets, as log-ratios end at 20 nats there.
 *
 * @throws {RangeError} if the name is unknown, or a group has fewer than 2 members
 * @see verl 0.9.1 on PyPI: trainer/config/ppo_trainer.yaml, trainer/config/algorithm.py, workers/config/actor.py, trainer/ppo/core_algos.py
 * @example
 * import { toVerl } from "turnwise-practice";
 * toVerl("verlGrpo").unsupported; // => []
 */
export const toVerl = (of: RecipeNameInput | Recipe, options?: FlagOptions): FrameworkFlags =>
  flagsOf(verl, of, options);

/**
 * A rule as flags of OpenRLHF's `openrlhf.cli.train_ppo_ray`.
 *
 * @throws {RangeError} if the name is unknown, or a group has fewer than 2 members
 * @see openrlhf 0.11.2 on PyPI: cli/train_ppo_ray.py, trainer/ppo_utils/experience_maker.py, models/loss.py
 * @example
 * import { toOpenRlhf } from "turnwise-practice";
 * toOpenRlhf("loop").unsupported; // => []
 */
export const toOpenRlhf = (of: RecipeNameInput | Recipe, options?: FlagOptions): FrameworkFlags =>
  flagsOf(openRlhf, of, options);

/**
 * The rule that a configuration of TRL computes, its defaults included: the arguments of a `GRPOConfig` or `RLOOConfig`, or their
 * JSON. One that has `normalize_advantages` or `reward_clip_range` is an `RLOOConfig`.
 *
 * @throws {TypeError} if it is no object, or a value has another type
 * @throws {RangeError} if a word is none of TRL's
 * @example
 * import { fromTrl } from "turnwise-practice";
 * const { recipe, unused } = fromTrl({ loss_type: "dr_grpo", scale_rewards: "none", output_dir: "out" });
 * recipe.name; // => "drGrpo"
 * unused; // => ["output_dir"]
 */
export const fromTrl = (config: string | FlagValues): ReadConfig => readConfig(trl, config);

/**
 * The rule that overrides of verl's `ppo_trainer` compute, its defaults included; by dotted names, or nested as it prints them.
 *
 * @throws {TypeError} if it is no object, or a value has another type
 * @throws {RangeError} if a word is none of verl's, or none that a rule has
 */
export const fromVerl = (config: string | FlagValues): ReadConfig => readConfig(verl, config);

/**
 * The rule that flags of OpenRLHF's `train_ppo_ray` compute, its defaults included; by dotted names, or nested as it prints them.
 *
 * @throws {TypeError} if it is no object, or a value has another type
 * @throws {RangeError} if a word is none of OpenRLHF's, or none that a rule has
 */
export const fromOpenRlhf = (config: string | FlagValues): ReadConfig => readConfig(openRlhf, config);

/** Options of reading a configuration. */
export type ReadFlagsOptions = UnderstandOptions;

/**
 * The rule that a configuration computes, its defaults included: as JSON, YAML, TOML, a launch script or the arguments of a
 * `GRPOConfig`. Its trainer is recognized: TRL, verl, OpenRLHF, SkyRL or prime-rl.
 *
 * @param text the configuration itself
 * @throws {TypeError} if it is in none of these forms, or a value has another type
 * @throws {RangeError} if its names are no trainer's, or a word is none that a row has
 * @example
 * import { readFlags } from "turnwise-practice";
 * const { recipe, framework } = await readFlags("num_generations: 8\nloss_type: dr_grpo\nscale_rewards: none\n");
 * [framework, recipe.name]; // => ["TRL", "drGrpo"]
 */
export async function readFlags(text: string, options: ReadFlagsOptions = {}): Promise<ReadConfig> {
  expectKnown("read a configuration", options, ["for", "release"]);
  if (options.for !== undefined) expectTrainer(options.for);
  const { source, trainer, version } = understand(await parseConfig(text), options);
  return readConfig({ ...trainer, version }, source.flags as FlagValues, source.unresolved);
}
