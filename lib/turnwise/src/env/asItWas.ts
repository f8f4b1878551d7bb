import type { Env } from "./env";

export const isEnv = (value: unknown): value is Env =>
  typeof value === "object" && value !== null && "reset" in value && "step" in value;

/**
 * Notes what a ready environment remembers of training, such as a curriculum's estimates; the function that it returns gives that
 * back, so that each of several runs begins alike, and an evaluation leaves no trace. Of an environment's id nothing is noted:
 * each run makes its own.
 *
 * @param orElse what helps besides the two functions, as in `register the world and give its id`: an id makes a new environment
 *   for each run, and none for an evaluation within a run
 * @throws {RangeError} if training changes the environment, and it cannot take its state back
 */
export function asItWas(doing: string, env: unknown, orElse: string): () => void {
  if (!isEnv(env)) return () => undefined;
  if (env.state && env.restore) {
    const before = structuredClone(env.state());
    return () => env.restore!(structuredClone(before));
  }
  if (!env.afterUpdate) return () => undefined;
  const missing = [...(env.state ? [] : ["state()"]), ...(env.restore ? [] : ["restore()"])];
  throw new RangeError(
    `Cannot ${doing}: it must find the same environment each time, and ${env.spec.id} changes with training (it has ` +
      `afterUpdate) without ${missing.join(" and ")}. Add ${missing.length === 1 ? "it" : "them"}, or ${orElse}.`,
  );
}
