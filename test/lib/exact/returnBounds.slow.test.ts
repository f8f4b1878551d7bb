// Uses internals of turnwise/env.
import assert from "node:assert/strict";
import { make, optimalReturn, type Env, type EnumerableEnv } from "turnwise";
import { randomReturn } from "turnwise/exact";
import { apiChainTasks } from "turnwise/internal/env/index";

/** The same environment, of which nothing is known beforehand. */
function unbounded(id: string, options: object): Env {
  const env = make(id, { ...options }) as EnumerableEnv;
  delete env.returnBounds;
  return env;
}

const near = (actual: number, expected: number): void =>
  assert.ok(Math.abs(actual - expected) < 1e-12, `${actual} is not ${expected}`);

describe("returnBounds", () => {
  const cases: [id: string, options: object][] = [
    ["ApiChain-v0", { tasks: apiChainTasks(1, 4), turnLimit: 4 }],
    ["ApiChain-v0", { tasks: apiChainTasks(1, 4), turnLimit: 4, turnCost: 0.1 }],
    ["ApiChain-v0", { tasks: apiChainTasks(2, 16), turnLimit: 3 }],
    ["ApiChain-v0", { tasks: apiChainTasks(1, 4), turnLimit: 3, reward: "checklist" }],
    ["Calculator-v0", { taskCount: 8, thinkCost: 0.1 }],
    ["Codebreaker-v0", { turnLimit: 3 }],
    ["Codebreaker-v0", { turnLimit: 3, turnCost: 0.3 }],
    ["MemoryDesk-v0", { taskCount: 8, turnLimit: 4 }],
    ["SearchQa-v0", { taskCount: 8, turnLimit: 4 }],
  ];
  for (const [id, options] of cases) {
    const { tasks, ...shown } = options as { tasks?: unknown };
    it(`change no value of ${id} with ${JSON.stringify(shown)}${tasks ? " and few tasks" : ""}, and no state is solved twice`, () => {
      const bounded = optimalReturn(make(id, { ...options }));
      const plain = optimalReturn(unbounded(id, options), { maxBeliefs: 1_000_000 });
      near(bounded.J, plain.J);
      assert.ok(bounded.beliefs <= plain.beliefs, `${bounded.beliefs} beliefs against ${plain.beliefs}`);
      near(randomReturn(make(id, { ...options })), randomReturn(unbounded(id, options)));
    });
  }

  it("an optimal agent still acts where nothing is to be won any more", () => {
    const env = make("ApiChain-v0", { tasks: apiChainTasks(1, 4) }) as EnumerableEnv;
    const { act } = optimalReturn(env);
    const [observation] = env.reset({ seed: 0 });
    const block = ["BLOCK", "ann"].map((word) => env.spec.vocabulary.indexOf(word));
    const [after] = env.step([...block, env.spec.endToken!]);
    assert.ok(
      env.actionSpace.contains(
        act({ observations: [observation, after], actions: [[...block, env.spec.endToken!]] }),
      ),
    );
  });

  it("say nothing under a shorter time limit, where they would be those of the longer episode", () => {
    const env = make("SearchQa-v0", { maxTurns: 2 }) as EnumerableEnv;
    assert.equal(env.returnBounds!(env.start()[0]!.state), undefined);
  });
});
