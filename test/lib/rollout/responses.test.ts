// Uses internals of turnwise/monitor.
import assert from "node:assert/strict";
import { createRng } from "turnwise";
import { responseStatistics } from "turnwise/internal/monitor/index";

describe("responseStatistics()", () => {
  it("counts distinct responses, the most frequent one and the information about the task", () => {
    // 8 responses: 4 times x on task a, 4 times y on task b.
    const responses = ["x", "x", "x", "x", "y", "y", "y", "y"];
    const tasks = ["a", "a", "a", "a", "b", "b", "b", "b"];
    const { distinct, topShare, information } = responseStatistics(responses, tasks);
    assert.equal(distinct, 2 / 8);
    assert.equal(topShare, 1 / 2);
    // log 2 + 1/16 each for task, response and pair: I = log 2 + 1/16.
    assert.ok(Math.abs(information - (Math.log(2) + 1 / 16)) < 1e-12, String(information));
  });

  it("says 0 nats for an agent that answers the same whatever it is asked", () => {
    const { topShare, information } = responseStatistics(Array<string>(6).fill("x"), [
      "a",
      "a",
      "a",
      "b",
      "b",
      "b",
    ]);
    assert.equal(topShare, 1);
    assert.equal(information, 0);
  });

  it("does not depend on the order of the rows, and stays within its bounds", () => {
    const rng = createRng(1).split("responses");
    for (let trial = 0; trial < 200; trial++) {
      const N = 2 + rng.below(30);
      const tasks = Array.from({ length: N }, () => `task ${rng.below(4)}`);
      const responses = Array.from({ length: N }, () => `say ${rng.below(5)}`);
      const s = responseStatistics(responses, tasks);
      assert.ok(
        s.distinct > 0 && s.distinct <= 1 && s.topShare >= 1 / N && s.topShare <= 1 && s.information >= 0,
      );
      const order = rng.shuffle(Array.from({ length: N }, (_, i) => i));
      const shuffled = responseStatistics(
        order.map((i) => responses[i]!),
        order.map((i) => tasks[i]!),
      );
      assert.ok(Math.abs(shuffled.information - s.information) < 1e-12);
      assert.equal(shuffled.topShare, s.topShare);
    }
  });

  it("is near 0 for responses that are drawn without regard to the task, where the plug-in estimate is not", () => {
    const rng = createRng(2).split("responses");
    const values = Array.from({ length: 200 }, () => {
      const tasks = Array.from({ length: 64 }, (_, i) => `${i % 8}`);
      return responseStatistics(
        tasks.map(() => `${rng.below(3)}`),
        tasks,
      ).information;
    });
    // The plug-in estimate is too high by about (8 - 1)(3 - 1) / (2 x 64) = .11 nats.
    const mean = values.reduce((a, b) => a + b, 0) / values.length;
    assert.ok(mean < 0.06, String(mean));
  });

  it("refuses lists that do not fit", () => {
    assert.throws(() => responseStatistics(["x"], []), {
      name: "TypeError",
      message: "Cannot compare responses: there must be a task for each, got 1 responses and 0 tasks.",
    });
    assert.throws(() => responseStatistics([], []), {
      name: "RangeError",
      message: "Cannot compare responses: there must be at least one, got none.",
    });
  });
});
