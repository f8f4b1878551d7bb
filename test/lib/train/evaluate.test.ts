import assert from "node:assert/strict";
import { createRng, type Env } from "turnwise";
import { evaluatePolicy } from "turnwise/internal/train/evaluate";
import { assertClose } from "../rule/support";
import { scriptedEnv, TurnPolicy } from "./scripted";

const evaluate = (env: Env): ReturnType<typeof evaluatePolicy> =>
  evaluatePolicy(env, new TurnPolicy([0, 0]), { episodes: 3, greedy: false, rng: createRng(1) });

describe("evaluatePolicy()", () => {
  it("gives the mean return, its standard error and the number of turns", () => {
    // Returns 1, 2, 6: mean 3, squares 4 + 1 + 9, over 2 and over 3. Turns 1, 2, 2.
    const metrics = evaluate(scriptedEnv([[1], [0, 2], [3, 3]], 2));
    assert.deepEqual(Object.keys(metrics), ["eval/return", "eval/standardError", "eval/turns"]);
    assertClose(Object.values(metrics), [3, Math.sqrt(14 / 2 / 3), 5 / 3], 1e-12);
  });

  it("gives success and the true score where the environment reports them", () => {
    const metrics = evaluate(
      scriptedEnv([[1], [1], [1]], 1, (k) => ({ success: k === 0, trueScore: k / 2 })),
    );
    assertClose([metrics["eval/success"]!, metrics["eval/trueScore"]!], [1 / 3, (0 + 0.5 + 1) / 3], 1e-12);
  });

  it("puts back the state of an environment that has one, and asks nothing of one that has none", () => {
    let restored: unknown = "nothing";
    const env = scriptedEnv([[1], [1], [1]], 1);
    env.restore = (state) => (restored = state);
    evaluate(env);
    assert.equal(restored, "nothing");
    const other = scriptedEnv([[1], [1], [1]], 1);
    other.restore = env.restore;
    other.state = () => 7;
    evaluate(other);
    assert.equal(restored, 7);
  });

  it("leaves the policy alone", () => {
    const policy = new TurnPolicy([0, 0]);
    evaluatePolicy(scriptedEnv([[1]], 1), policy, { episodes: 1, greedy: false, rng: createRng(1) });
    assert.equal(policy.asked.length, 0);
  });
});
