import { checkBranches } from "./check/branches";
import { checkContract } from "./check/contract";
import { checkEnumeration } from "./check/enumeration";
import { checkTools } from "./check/tools";
import { isEnumerable, type Env } from "./env";

/**
 * Plays random episodes and throws at the first promise of the contract that the environment breaks, with the likely cause.
 *
 * It checks spaces, the order of calls, determinism under a seed, the shared start of a group, episode lengths, finite
 * rewards, and that actions are left as they are. An enumerable environment must also list probabilities that sum to 1,
 * have a pure `transition`, do in `reset` and `step` only what it lists, as often as it says, and return what
 * `returnBounds` allows. Where `spec.tools` declares tools, the world must understand their calls and no other turn. Where there are branches, each must stand where the original stands, go on as it could, and leave
 * it alone.
 *
 * @throws {EnvContractError} if a promise is broken
 * @see Gymnasium, gymnasium/utils/env_checker.py, https://github.com/Farama-Foundation/Gymnasium
 * @example
 * import { checkEnv, make } from "turnwise";
 *
 * checkEnv(make("Tiger-v0", { continues: true }));
 */
export function checkEnv(env: Env): void {
  checkContract(env);
  checkTools(env);
  if (isEnumerable(env)) checkEnumeration(env);
  checkBranches(env);
}
