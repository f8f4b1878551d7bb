import assert from "node:assert/strict";
import { registeredIds, recipe, recipeNames, type RecipeName, train } from "turnwise";

/** One update with each recipe, in which every metric is finite. */
export async function trainsOn(env: string, names: readonly RecipeName[]): Promise<void> {
  for (const name of names) {
    for await (const { metrics } of train({
      env,
      recipe: name,
      updates: 1,
      groups: 3,
      groupSize: 3,
      seed: 2,
    })) {
      for (const [metric, value] of Object.entries(metrics)) {
        assert.ok(Number.isFinite(value), `${name}: ${metric} is ${String(value)}`);
      }
    }
  }
}

/** The values of the choices of a recipe that depend on how many turns, tokens and groups a world gives, and whether it has a critic. */
export const choiceValues = (name: RecipeName): readonly string[] => valuesOf.get(name)!;
const valuesOf = new Map(
  recipeNames.map((name) => {
    const { aggregate, scale, filter, order, ratio, forks, correction, advantage } = recipe(name);
    const kinds = Object.entries({ aggregate, scale, filter, order, forks, correction });
    return [
      name,
      [
        ...kinds.map(([field, { kind }]) => `${field} ${kind}`),
        `ratio ${ratio.level}`,
        `critic ${"valueCoef" in advantage ? "yes" : "no"}`,
      ],
    ];
  }),
);

/**
 * For each registered environment the fewest recipes, chosen one by one, that have all values among them, and more
 * until every recipe is tried on three environments.
 */
export function pairs(): ReadonlyMap<string, readonly RecipeName[]> {
  const times = new Map(recipeNames.map((name) => [name, 0]));
  const worlds = registeredIds();
  const chosen = new Map<string, RecipeName[]>(worlds.map((env) => [env, []]));
  const take = (env: string, name: RecipeName): void => {
    chosen.get(env)!.push(name);
    times.set(name, times.get(name)! + 1);
  };
  for (const env of worlds) {
    const open = new Set(recipeNames.flatMap(choiceValues));
    while (open.size > 0) {
      const gains = recipeNames.map((name) => ({
        name,
        gain: choiceValues(name).filter((value) => open.has(value)).length,
        times: times.get(name)!,
      }));
      // Of those that have as many new values, the one that was tried least.
      const { name } = gains.reduce((best, one) =>
        one.gain > best.gain || (one.gain === best.gain && one.times < best.times) ? one : best,
      );
      take(env, name);
      for (const value of choiceValues(name)) open.delete(value);
    }
  }
  let next = 0;
  for (const name of recipeNames) {
    while (times.get(name)! < 3) {
      const env = worlds[next++ % worlds.length]!;
      if (!chosen.get(env)!.includes(name)) take(env, name);
    }
  }
  return chosen;
}
