import assert from "node:assert/strict";
import {
  createRng,
  make,
  optimalReturn,
  registeredIds,
  score,
  type Action,
  type Env,
  type Observation,
} from "turnwise";
import { randomReturn } from "turnwise/exact";

const EPISODES = 400;

type Agent = (seen: { observations: readonly Observation[]; actions: readonly Action[] }) => Action;

/** Mean and standard error of the return over the first seeds. */
function played(env: Env, agent: Agent): { mean: number; standardError: number } {
  const totals = Array.from({ length: EPISODES }, (_, seed) => {
    const observations = [env.reset({ seed })[0]];
    const actions: Action[] = [];
    for (let total = 0; ;) {
      const action = agent({ observations, actions });
      const [observation, reward, terminated, truncated] = env.step(action);
      observations.push(observation);
      actions.push(action);
      total += reward;
      if (terminated || truncated) return total;
    }
  });
  const mean = totals.reduce((sum, x) => sum + x, 0) / EPISODES;
  const variance = totals.reduce((sum, x) => sum + (x - mean) ** 2, 0) / (EPISODES - 1);
  return { mean, standardError: Math.sqrt(variance / EPISODES) };
}

describe("random and optimal agents that play", () => {
  for (const id of registeredIds()) {
    it(`${id}: get what enumeration says, which is score 0 and score 1`, function () {
      this.timeout(30_000);
      const env = make(id);
      const rng = createRng(3).split("random agent");
      const { J, act } = optimalReturn(env);
      const reference = { random: randomReturn(env), optimal: J };
      const random = played(env, () => env.actionSpace.sample(rng));
      const best = played(env, act);
      const range = J - reference.random;
      // The random agent writes uniform tokens; 4.5 standard errors, and 1% of the range where 400 episodes show no spread.
      for (const [{ mean, standardError }, exact, points] of [
        [random, reference.random, 0],
        [best, J, 1],
      ] as const) {
        const error = 4.5 * standardError + 0.01 * range;
        assert.ok(Math.abs(mean - exact) < error, `${mean} +- ${standardError} against ${exact}`);
        assert.ok(Math.abs(score(mean, reference) - points) <= error / range);
      }
    });
  }
});
