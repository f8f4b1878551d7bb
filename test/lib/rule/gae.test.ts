import assert from "node:assert/strict";
import { gae } from "turnwise";
import { assertClose } from "./support";

describe("gae", () => {
  it("agrees with arithmetic by hand over three steps", () => {
    // gamma 0.5, lambda 0.5; r = 1, 0, 2; V = 1, 2, 4, 8; the episode ends with step 2.
    // delta_2 = 2 - 4 = -2;             A_2 = -2
    // delta_1 = 0 + .5 * 4 - 2 = 0;     A_1 = 0 + .25 * -2 = -.5
    // delta_0 = 1 + .5 * 2 - 1 = 1;     A_0 = 1 + .25 * -.5 = .875
    const o = { reward_nt: [[1, 0, 2]], value_nt: [[1, 2, 4, 8]], gamma: 0.5, lambda: 0.5 };
    const { advantage_nt, return_nt } = gae({ ...o, done_nt: [[0, 0, 1]] });
    assertClose(advantage_nt[0]!, [0.875, -0.5, -2], 1e-12);
    assertClose(return_nt[0]!, [1.875, 1.5, 2], 1e-12);
  });

  it("bootstraps from the last value when the episode did not end", () => {
    // delta_2 = 2 + .5 * 8 - 4 = 2; A_1 = 0 + .25 * 2 = .5; A_0 = 1 + .25 * .5 = 1.125
    const { advantage_nt } = gae({
      reward_nt: [[1, 0, 2]],
      value_nt: [[1, 2, 4, 8]],
      done_nt: [[0, 0, 0]],
      gamma: 0.5,
      lambda: 0.5,
    });
    assertClose(advantage_nt[0]!, [1.125, 0.5, 2], 1e-12);
  });

  it("lets nothing flow back across an end in the middle of a row", () => {
    const row = (tail: number): number[] =>
      gae({
        reward_nt: [[1, 0, tail]],
        value_nt: [[1, 2, tail, tail]],
        done_nt: [[0, 1, 1]],
        gamma: 1,
        lambda: 1,
      }).advantage_nt[0]!;
    assertClose(row(5).slice(0, 2), row(-700).slice(0, 2), 0);
  });

  it("is the discounted return minus the value at lambda 1, and the one-step error at lambda 0", () => {
    const o = { reward_nt: [[1, 2, 3]], value_nt: [[0.5, 0.25, 0.125, 0]], done_nt: [[0, 0, 1]], gamma: 0.9 };
    // Returns: 3; 2 + 2.7 = 4.7; 1 + 4.23 = 5.23.
    assertClose(gae({ ...o, lambda: 1 }).return_nt[0]!, [5.23, 4.7, 3], 1e-12);
    // 1 + .225 - .5; 2 + .1125 - .25; 3 - .125
    assertClose(gae({ ...o, lambda: 0 }).advantage_nt[0]!, [0.725, 1.8625, 2.875], 1e-12);
  });

  it("refuses shapes that do not fit and factors outside [0, 1]", () => {
    const o = { reward_nt: [[1]], value_nt: [[1, 2]], done_nt: [[1]], gamma: 1, lambda: 1 };
    assert.throws(() => gae({ ...o, value_nt: [[1]] }), {
      name: "TypeError",
      message:
        "Cannot compute GAE: row 0 must have one value more than rewards, and as many dones, got 1 rewards, 1 values, 1 dones.",
    });
    assert.throws(() => gae({ ...o, done_nt: [] }), {
      name: "TypeError",
      message:
        "Cannot compute GAE: reward_nt, value_nt and done_nt must have equally many rows, got 1, 1, 0.",
    });
    assert.throws(() => gae({ ...o, value_nt: [] }), {
      name: "TypeError",
      message:
        "Cannot compute GAE: reward_nt, value_nt and done_nt must have equally many rows, got 1, 0, 1.",
    });
    assert.throws(() => gae({ ...o, done_nt: [[]] }), {
      name: "TypeError",
      message:
        "Cannot compute GAE: row 0 must have one value more than rewards, and as many dones, got 1 rewards, 2 values, 0 dones.",
    });
    assert.throws(() => gae({ ...o, value_nt: [[1, NaN]] }), {
      name: "RangeError",
      message: "Cannot compute GAE: value_nt[0] must be finite, but entry 1 is NaN.",
    });
    assert.throws(() => gae({ ...o, lambda: -0.5 }), {
      name: "RangeError",
      message: "Cannot compute GAE: lambda must be from 0 to 1, got -0.5.",
    });
    assert.throws(() => gae({ ...o, gamma: 1.5 }), {
      name: "RangeError",
      message: "Cannot compute GAE: gamma must be from 0 to 1, got 1.5.",
    });
    assert.throws(() => gae({ ...o, reward_nt: [[NaN]] }), {
      name: "RangeError",
      message: "Cannot compute GAE: reward_nt[0] must be finite, but entry 0 is NaN.",
    });
  });
});
