import assert from "node:assert/strict";
import type { Batch, Metrics } from "turnwise";
import { rolloutMetrics } from "turnwise/internal/train/records";
import { batchOf } from "../rule/support";

/** Four trajectories of one or two turns of two tokens, all of which the policy wrote. */
const bare = batchOf({
  groupId: ["0:a", "0:a", "1:b", "1:b"],
  return_n: [1, 2, 3, 6],
  turnCount: [1, 2, 1, 2],
  tokens: 2,
});
const withInfo = (...info: Record<string, unknown>[][]): Batch => ({ ...bare, info_nt: info });
const plain = [[{}], [{}, {}], [{}], [{}, {}]];

describe("rolloutMetrics()", () => {
  it("takes a trajectory without turns for one that reports nothing", () => {
    const metrics = rolloutMetrics(withInfo([], [{}, { success: true }], [{}], [{}, {}]));
    assert.equal(metrics["success/mean"], 1 / 4);
    assert.equal(metrics["reward/trueScore"], undefined);
  });

  it("averages rewards, turns and tokens over trajectories", () => {
    const metrics = rolloutMetrics(bare);
    assert.equal(metrics["reward/mean"], 3);
    assert.equal(metrics["turns/mean"], 1.5);
    assert.equal(metrics["tokens/mean"], 3);
  });

  it("counts tool calls and calls that could not be parsed, per trajectory, and nothing where turns have no report", () => {
    const metrics = rolloutMetrics(
      withInfo(
        [{ call: "tool" }],
        [{ call: "tool" }, { call: "answer" }],
        [{ call: "malformed" }],
        [{ call: "tool" }, { call: "move" }],
      ),
    );
    assert.equal(metrics["tools/calls"], 3 / 4);
    assert.equal(metrics["tools/malformed"], 1 / 4);
    assert.equal(rolloutMetrics(bare)["tools/calls"], undefined);
    // A world that says otherwise what its turns were has counted nothing; one that has no tools says so.
    for (const info of [{}, { action: "search" }, { call: { name: "search" } }, { success: true }]) {
      const other = rolloutMetrics(withInfo([info], [info, info], [info], [info, info]));
      assert.ok(!("tools/calls" in other) && !("tools/malformed" in other), JSON.stringify(info));
    }
    const moves = rolloutMetrics(withInfo([{ call: "move" }], [{}, {}], [{}], [{}, {}]));
    assert.deepEqual([moves["tools/calls"], moves["tools/malformed"]], [0, 0]);
  });

  it("takes success from the last turn, and only where an environment judges it", () => {
    const metrics = rolloutMetrics(
      withInfo([{ success: true }], [{ success: true }, { success: false }], [{ success: false }], [{}, {}]),
    );
    assert.equal(metrics["success/mean"], 1 / 4);
    const early = rolloutMetrics(withInfo([{}], [{ success: true }, {}], [{}], [{}, {}]));
    assert.equal(early["success/mean"], undefined);
  });

  it("averages the true score if every trajectory ends with one", () => {
    const scores = (...all: (number | undefined)[]): Metrics =>
      rolloutMetrics(
        withInfo(
          [{ trueScore: all[0] }],
          [{}, { trueScore: all[1] }],
          [{ trueScore: all[2] }],
          [{}, { trueScore: all[3] }],
        ),
      );
    assert.equal(scores(0, 1, 1, 0)["reward/trueScore"], 1 / 2);
    assert.equal(scores(0, 1, 1, undefined)["reward/trueScore"], undefined);
    assert.equal(rolloutMetrics(withInfo(...plain))["reward/trueScore"], undefined);
  });

  it("tells responses apart by tokens and turns, and tasks by what follows the group's number", () => {
    // Turn by turn: [0 0], [0 0][0 0], [0 0], [0 0][0 1]. Three different ones, the first twice.
    const token_ntl = new Int32Array(16);
    token_ntl[15] = 1;
    const metrics = rolloutMetrics({ ...bare, token_ntl });
    assert.equal(metrics["response/distinct"], 3 / 4);
    assert.equal(metrics["response/topShare"], 2 / 4);
    // One task in both groups: nothing to tell of it.
    const one = rolloutMetrics({ ...bare, token_ntl, groupId: ["9:a", "9:a", "10:a", "10:a"] });
    assert.equal(one["response/mutualInformation"], 0);
  });

  it("does not look at tokens that the policy did not write", () => {
    const mask_ntl = Uint8Array.from(bare.mask_ntl);
    const token_ntl = new Int32Array(16);
    // The second cell of the first and of the third trajectory is a tool's: 7 and 8.
    for (const [cell, token] of [
      [1, 7],
      [9, 8],
    ] as const) {
      mask_ntl[cell] = 0;
      token_ntl[cell] = token;
    }
    const metrics = rolloutMetrics({ ...bare, mask_ntl, token_ntl });
    assert.equal(metrics["response/distinct"], 2 / 4);
    assert.equal(metrics["tokens/mean"], 10 / 4);
  });

  it("measures information between task and response", () => {
    // Task a is always answered 0 0, task b always 1 1: H = ln 2 each, and ln 2 together, each with (2 - 1) / (2 * 4) more.
    const same = batchOf({ groupId: ["0:a", "0:a", "1:b", "1:b"], return_n: [0, 0, 0, 0], tokens: 2 });
    const token_ntl = Int32Array.of(0, 0, 0, 0, 1, 1, 1, 1);
    const { "response/mutualInformation": information } = rolloutMetrics({ ...same, token_ntl });
    assert.ok(Math.abs(information! - (Math.log(2) + 1 / 8)) < 1e-12, String(information));
  });
});
