import assert from "node:assert/strict";
import { carriedAdvantage, carryAfterTurn, recipe, turnSchedule, type Carry } from "turnwise/dist/rule";
import { createRng } from "turnwise/dist/base/rng";
import { assertClose } from "./support";

const seeUpo = recipe("seeUpo");

describe("turnSchedule", () => {
  const rng = createRng(1);

  it("is one set for a simultaneous row, and one set per turn from the last or the first", () => {
    assert.deepEqual(turnSchedule(recipe("grpo"), 3, rng), [[0, 1, 2]]);
    assert.deepEqual(turnSchedule(seeUpo, 3, rng), [[2], [1], [0]]);
    assert.deepEqual(turnSchedule(recipe("seeUpo", { order: "forward" }), 3, rng), [[0], [1], [2]]);
  });

  it("draws every order of three turns equally often when random", () => {
    const row = recipe("seeUpo", { order: "random" });
    const stream = rng.split("orders");
    const counts = new Map<string, number>();
    for (let k = 0; k < 6000; k++) {
      const key = turnSchedule(row, 3, stream).flat().join();
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    assert.equal(counts.size, 6);
    // 1000 expected of each; the standard deviation is sqrt(6000 * 1/6 * 5/6) = 29.
    for (const count of counts.values()) assert.ok(Math.abs(count - 1000) < 4.5 * 29, String(count));
  });

  it("refuses a number of turns that is not whole and positive", () => {
    assert.throws(() => turnSchedule(seeUpo, 0, rng), {
      name: "RangeError",
      message:
        "Cannot schedule turns as their number must be a whole number of at least 1: current value is 0",
    });
  });
});

describe("carryAfterTurn", () => {
  // Two trajectories, two turns of two tokens; b has one active token in turn 1 and none in turn 0.
  const step = {
    shape: [2, 2, 2] as const,
    trajectoryId: ["a", "b"],
    mask_ntl: [1, 1, 1, 1, 0, 0, 1, 0],
    oldLogProb_ntl: [0, 0, 0, 0, 0, 0, 0, 0],
    logProb_ntl: [0.1, 0.2, 0.3, 0.1, NaN, NaN, -0.5, NaN],
    carry: new Map<string, number>(),
  };
  const afterBoth = (row: typeof seeUpo): Carry => {
    const last = carryAfterTurn(row, { ...step, turns: [1] });
    return carryAfterTurn(row, { ...step, turns: [0], carry: last.carry }).carry;
  };

  it("multiplies exact product ratios over the turns updated so far", () => {
    // a: exp(.3 + .1) then exp(.1 + .2); b: exp(-.5), and no turn 0.
    const carry = afterBoth(seeUpo);
    assertClose([carry.get("a")!, carry.get("b")!], [Math.exp(0.7), Math.exp(-0.5)], 1e-12);
  });

  it("takes the mean log-ratio of a turn with geometric pooling", () => {
    const row = recipe("seeUpo", { order: { carry: { pooling: "geometric" } } });
    assertClose([afterBoth(row).get("a")!], [Math.exp(0.2 + 0.15)], 1e-12);
  });

  it("cuts each ratio and the running product to [0.8, 1.2] as the released code does", () => {
    // a: geometric exp(.2) = 1.2214 -> 1.2; exp(.15) = 1.1618, product 1.394 -> 1.2. b: exp(-.5) = .607 -> .8.
    const carry = afterBoth(recipe("seeUpo", { variant: "authors" }));
    assertClose([carry.get("a")!, carry.get("b")!], [1.2, 0.8], 1e-12);
  });

  it("stays 1 with the carry off, in a simultaneous row, and after a step of learning rate 0", () => {
    assert.equal(afterBoth(recipe("seeUpo", { order: { carry: "off" } })).size, 0);
    assert.equal(afterBoth(recipe("grpo")).size, 0);
    const still = carryAfterTurn(seeUpo, { ...step, turns: [0, 1], logProb_ntl: step.oldLogProb_ntl });
    assertClose([...still.carry.values()], [1, 1], 0);
    assert.deepEqual(still.metrics, { "policy/carryMin": 1, "policy/carryMax": 1 });
  });

  it("belongs to the trajectory id, wherever its row stands", () => {
    const swap = (x: readonly number[]): number[] => [...x.slice(4), ...x.slice(0, 4)];
    const swapped = carryAfterTurn(seeUpo, {
      ...step,
      turns: [1],
      trajectoryId: ["b", "a"],
      mask_ntl: swap(step.mask_ntl),
      oldLogProb_ntl: swap(step.oldLogProb_ntl),
      logProb_ntl: swap(step.logProb_ntl),
    });
    const straight = carryAfterTurn(seeUpo, { ...step, turns: [1] });
    assert.equal(swapped.carry.get("a"), straight.carry.get("a"));
    assert.equal(swapped.carry.get("b"), straight.carry.get("b"));
    const advantage = carriedAdvantage([2, 1, 1], [1, 1], ["b", "a"], swapped.carry);
    assertClose(advantage, [Math.exp(-0.5), Math.exp(0.4)], 1e-12);
  });

  it("refuses an id that appears twice", () => {
    assert.throws(() => carryAfterTurn(seeUpo, { ...step, turns: [0], trajectoryId: ["a", "a"] }), {
      name: "RangeError",
      message: "Cannot compute the carry of ratios as trajectoryId must be unique: an id appears twice",
    });
  });
});
