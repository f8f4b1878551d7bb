import assert from "node:assert/strict";
import { createPolicy, enumerateReturn, GameEnv, type Game, type Policy } from "turnwise";
import { afterASlip } from "turnwise-course/internal/teachers/afterASlip";
import { boundaryOf } from "turnwise-course/internal/teachers/boundaryRun";
import { distilRun } from "turnwise-course/internal/teachers/distilRun";
import { oldCalibrationRun } from "turnwise-course/internal/teachers/oldReferenceRun";
import { calibrationRun, samplerRun } from "turnwise-course/internal/teachers/partitionRun";

const seen = { tokens: [2], text: "?" };

/** A hidden side, 0 or 1; after `turns` turns, naming the side in the last one solves the task. */
const sides = (turns: number): Game<{ side: number; turn: number }> => ({
  spec: {
    id: "Sides-v0",
    skill: "guess",
    vocabulary: ["a", "b"],
    observationVocabulary: ["?"],
    maxTurns: turns,
    maxTokens: 1,
    options: {},
  },
  start: () =>
    [0, 1].map((side) => ({
      probability: 0.5,
      state: { side, turn: 1 },
      observation: seen,
      reward: 0,
      terminated: false,
      taskId: String(side),
    })),
  transition: ({ side, turn }, [token]) => {
    const last = turn === turns;
    const success = last && token === side;
    return [
      {
        probability: 1,
        state: { side, turn: turn + 1 },
        observation: seen,
        reward: success ? 10 : 0,
        terminated: last,
        info: { success },
      },
    ];
  },
  render: JSON.stringify,
});

/** Says "a" with probability p in every turn. */
function saying(env: GameEnv<never>, p: number): Policy {
  const policy = createPolicy(env.spec);
  const row = Float64Array.from([Math.log(p), Math.log(1 - p)]);
  return Object.assign(Object.create(policy) as Policy, {
    contextOf: ({ actions }: { actions: readonly unknown[] }) => `turn ${actions.length}`,
    nextTokenLogProb: () => row,
  });
}

const close = (a: number, b: number): void => assert.ok(Math.abs(a - b) < 1e-9, `${a} is not ${b}`);

describe("what a policy can do", () => {
  it("is pass@k over the starts, by enumeration, whatever the world pays for a task", () => {
    const env = new GameEnv(sides(1)) as GameEnv<never>;
    // Solved with probability 3/4 where the side is a, 1/4 where it is b.
    const { passAt1, passAt8, passAt64, support } = boundaryOf(env, saying(env, 0.75));
    close(passAt1, 0.5);
    close(passAt8, (1 - 0.25 ** 8 + 1 - 0.75 ** 8) / 2);
    close(passAt64, (1 - 0.25 ** 64 + 1 - 0.75 ** 64) / 2);
    assert.equal(support, 1);
    // Almost never b: one of 64 tries in .062.
    assert.equal(boundaryOf(env, saying(env, 0.999)).support, 0.5);
  });

  it("is asked after a first turn at random, and from then on of the policy", () => {
    const one = new GameEnv(sides(1)) as GameEnv<never>;
    const always = saying(one, 1 - 1e-12);
    close(enumerateReturn(one, afterASlip(one, always), { gradient: false }).J, 5);
    // Of two turns only the second counts, which is the policy's own: 10 x (.9 + .1) / 2.
    const two = new GameEnv(sides(2)) as GameEnv<never>;
    close(enumerateReturn(two, afterASlip(two, saying(two, 0.9)), { gradient: false }).J, 5);
    assert.equal(
      enumerateReturn(two, afterASlip(two, saying(two, 0.9)), { gradient: false }).histories[0]!.turns[0]!
        .probability,
      0.5,
    );
  });
});

describe("the runs of the study of teachers", () => {
  it("take as many episodes for a teacher's turns as for a student's, and the same bits twice", async () => {
    const job = { world: "KeyDoor-v0", seed: 1, updates: 2 } as const;
    for (const arm of ["on-policy distillation", "imitation", "GRPO"] as const) {
      const result = await distilRun({ ...job, arm });
      // Three turns of one token, 64 episodes an update.
      assert.equal(result.steps, 2 * 64 * 3);
      assert.equal(result.tokens, 2 * 64 * 3);
      assert.equal(result.reached, false);
      assert.equal(result.tokensToTarget, result.tokens);
      assert.deepEqual(await distilRun({ ...job, arm }), result);
    }
  });

  it("begin with a fitted Z that is the accuracy, and an exact one that says too much", async () => {
    const [start] = await calibrationRun({ beta: 0.5, seed: 0 });
    close(start!.fittedError, 0);
    close(start!.inverseError, 0);
    close(start!.exactError, 0.5 * start!.divergence);
    assert.ok(start!.exactError > 0.1);
  });

  it("read the accuracy off Z without an error where the target of each update is reached, and off the step that is taken with one", async () => {
    const [start] = await oldCalibrationRun({ beta: 0.5, seed: 0 });
    close(start!.optimumError, 0);
    // A table that begins uniform solves LookUp with two facts by chance: Z = 1 - p + p e^2 is the same for both tasks.
    const p = start!.accuracy;
    close(start!.plainError, 0.5 * Math.log(1 - p + p * Math.exp(2)) - p);
    // The update has moved the policy by less than it would have to.
    assert.ok(start!.stepError > 0.1 && start!.stepError < start!.plainError);
  });

  it("tell how far a sampler's estimates are off", async () => {
    const { error, hardest } = await samplerRun({ arm: "counted", seed: 0 });
    assert.ok(error > 0 && error < 0.3);
    assert.ok(hardest >= -1 && hardest <= 1);
  }).timeout(30_000);
});
