import assert from "node:assert/strict";
import { recipe, createRng } from "turnwise";
import { carriedAdvantage, carryAfterTurn, turnSchedule, type Carry } from "turnwise/internal/rule/index";
import { turnsInOrder } from "turnwise/internal/rule/order/turnSchedule";
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
    for (const turns of [0, -1, 1.5]) {
      assert.throws(() => turnSchedule(seeUpo, turns, rng), {
        name: "RangeError",
        message: `Cannot schedule turns: their number must be an integer of at least 1, got ${turns}.`,
      });
    }
    assert.deepEqual(turnSchedule(seeUpo, 1, rng), [[0]]);
  });

  it("needs a generator for a random order only", () => {
    assert.deepEqual(turnsInOrder("reverse", 2), [[1], [0]]);
    assert.throws(() => turnsInOrder("random", 2), {
      name: "TypeError",
      message: "Cannot draw a random order: a generator must be given, got none.",
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

  it("reports the least and the largest carry", () => {
    // a: exp(.3 + .1), b: exp(-.5).
    const { metrics } = carryAfterTurn(seeUpo, { ...step, turns: [1] });
    assertClose(
      [metrics["policy/carryMin"]!, metrics["policy/carryMax"]!],
      [Math.exp(-0.5), Math.exp(0.4)],
      1e-12,
    );
  });

  it("refuses arrays that do not fit the shape", () => {
    const refuses = (name: string, wanted: string): void => {
      assert.throws(() => carryAfterTurn(seeUpo, { ...step, turns: [0], [name]: [1, 1, 1] }), {
        name: "TypeError",
        message: `Cannot compute the carry of ratios: ${name} must have ${wanted} entries, got 3.`,
      });
    };
    refuses("trajectoryId", "2 (2)");
    for (const name of ["mask_ntl", "logProb_ntl", "oldLogProb_ntl"]) refuses(name, "8 (2 x 2 x 2)");
    const carried = (advantage: number[], ids: string[]) => (): unknown =>
      carriedAdvantage([2, 1, 2], advantage, ids, new Map());
    assert.throws(carried([1], ["a", "b"]), {
      message: "Cannot compute carried advantages: advantage_ntl must have 4 (2 x 1 x 2) entries, got 1.",
    });
    assert.throws(carried([1, 1, 1, 1], ["a"]), {
      message: "Cannot compute carried advantages: trajectoryId must have 2 (2) entries, got 1.",
    });
  });

  it("multiplies all tokens of a trajectory, and leaves one that has no carry", () => {
    const carry = new Map([["b", 3]]);
    assertClose(carriedAdvantage([2, 1, 2], [1, 2, 3, 4], ["a", "b"], carry), [1, 2, 9, 12], 0);
    // Three turns of two tokens: six cells of each trajectory.
    const twelve = Array.from({ length: 12 }, () => 1);
    assertClose(
      carriedAdvantage([2, 3, 2], twelve, ["b", "a"], carry),
      twelve.map((_, i) => (i < 6 ? 3 : 1)),
      0,
    );
  });

  it("refuses an id that appears twice", () => {
    assert.throws(() => carryAfterTurn(seeUpo, { ...step, turns: [0], trajectoryId: ["a", "a"] }), {
      name: "RangeError",
      message: "Cannot compute the carry of ratios: trajectoryId must be unique, but an id appears twice.",
    });
  });
});
