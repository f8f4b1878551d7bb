import assert from "node:assert/strict";
import { make, type Env, recipe, createRng, train } from "turnwise";
import { play } from "./battery";

const LAST = 10;
const EPISODES = LAST * 64;

/** Mean and standard error of the return of the agent that writes uniform tokens. */
function randomAgent(env: Env): { mean: number; standardError: number } {
  const rng = createRng(1).split("random agent");
  const totals = Array.from(
    { length: EPISODES },
    (_, seed) => play(env, seed, () => env.actionSpace.sample(rng)).total,
  );
  const mean = totals.reduce((sum, total) => sum + total, 0) / EPISODES;
  const variance = totals.reduce((sum, total) => sum + (total - mean) ** 2, 0) / (EPISODES - 1);
  return { mean, standardError: Math.sqrt(variance / EPISODES) };
}

describe("training in the environments with tools", () => {
  const cases: [id: string, options: object, updates: number][] = [
    ["ApiChain-v0", { reward: "checklist" }, 40],
    ["Calculator-v0", {}, 40],
    ["Codebreaker-v0", {}, 80],
    ["MemoryDesk-v0", {}, 40],
    ["SearchQa-v0", {}, 40],
  ];
  for (const [id, options, updates] of cases) {
    it(`rloo beats the random agent in ${id} with ${JSON.stringify(options)}`, async function () {
      this.timeout(60_000);
      const env = make(id, { ...options });
      const random = randomAgent(env);
      let late = 0;
      const policy = { memory: "turnObservation" } as const;
      for await (const { update, metrics } of train({
        env,
        policy,
        recipe: recipe("rloo"),
        updates,
        seed: 1,
      })) {
        if (update > updates - LAST) late += metrics["reward/mean"]! / LAST;
      }
      const margin = late - random.mean;
      assert.ok(margin > 5 * random.standardError + 0.02, `${late} against ${JSON.stringify(random)}`);
    });
  }
});
