import assert from "node:assert/strict";
import { orderAblation, orderArms } from "turnwise-course/update-order-ablation";
import { orderRecipe } from "turnwise-course/internal/03-update-order-ablation/orderAblation";

describe("orderAblation()", () => {
  it("gives every arm the same denominator and ratio, and sequential ones a clipped carry, of products where the released code has geometric means", () => {
    for (const arm of orderArms) {
      const { aggregate, ratio, update } = orderRecipe(arm);
      assert.deepEqual(aggregate, { kind: "tokenMean", per: "turn" }, arm);
      assert.deepEqual(ratio, { level: "turn", pooling: "geometric" }, arm);
      // 4 turns x 4 steps = 16 steps at once.
      const expected = arm === "simultaneous, equal steps" ? 16 : 4;
      assert.equal(update.epochs * update.minibatches, expected, arm);
    }
    const { order } = orderRecipe("forward");
    assert.deepEqual(order, {
      kind: "forward",
      oldLogProb: "recomputed",
      carry: { kind: "clipped", pooling: "product", low: 0.8, high: 1.2 },
      steps: "each",
    });
    assert.equal(orderRecipe("simultaneous, 4 steps").order.kind, "simultaneous");
  });

  it("repeats a run bit for bit, and counts samples and steps", async () => {
    const run = (): ReturnType<typeof orderAblation> =>
      orderAblation("simultaneous, 4 steps", { seed: 3, updates: 20, world: "KeyDoor-v0" });
    const first = await run();
    assert.deepEqual(await run(), first);
    // 20 updates x 64 trajectories; 20 x 4 steps.
    assert.deepEqual([first.samples, first.optimizerSteps], [1280, 80]);
  }).timeout(20_000);

  it("refuses runs too short to average", async () => {
    await assert.rejects(orderAblation("reverse", { seed: 0, updates: 5 }), {
      name: "RangeError",
      message: "Cannot run the order ablation: updates must be an integer >= 20, got 5.",
    });
  });
});
