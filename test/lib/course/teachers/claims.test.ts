import assert from "node:assert/strict";
import { claims } from "turnwise-course";

describe("the ledger of teachers", () => {
  it("says what the stored runs decide", () => {
    assert.deepEqual(
      claims.teachers.map(({ claim, verdict }) => [claim, verdict.text]),
      [
        [
          "Exposure bias: after a random first turn, on-policy distillation earns more than imitation with as many tokens",
          "holds if world = TMaze-v0 of {LookUp-v0, KeyDoor-v0, TMaze-v0}",
        ],
        ["Without the slip, too, it earns more than imitation with as many tokens", "refuted"],
        [
          "It comes to a score of .8 within 60 updates more often than GRPO",
          "holds if world = LookUp-v0 of {LookUp-v0, KeyDoor-v0, TMaze-v0}",
        ],
        ["Where both come there, it needs fewer tokens", "refuted"],
        [
          "Rewards alone shrink what a policy can do at all: pass@64 of GRPO falls below that before training",
          "holds if world = LookUp, six facts of {LookUp; LookUp, six facts; TMaze, five steps}",
        ],
        [
          "RL-PLUS keeps more of it: its pass@64 is above GRPO's",
          "holds if world = LookUp, six facts of {LookUp; LookUp, six facts; TMaze, five steps}",
        ],
        [
          "It is the demonstrations that do it, not the other cells of its row",
          "holds if world = LookUp, six facts of {LookUp; LookUp, six facts; TMaze, five steps}",
        ],
        [
          "beta log Z is the accuracy of the policy, on the way to the optimum as well (reference: the frozen start)",
          "holds if beta = .5, update = 20; or beta = .5, update = 80 (2 of 6 settings)",
        ],
        ["So is the Z that trajectory balance fits", "holds if update = 0 of {0, 20, 80}"],
        [
          "A curriculum drawn by the fitted Z learns the hardest level sooner than one that counts successes",
          "refuted",
        ],
        ["It learns it sooner than one that draws all levels alike", "refuted"],
        [
          "With the policy that samples as the reference, beta log Z - beta KL(pi_old || pi_theta) is its accuracy, pi_theta being at its optimum",
          "holds",
        ],
        ["It is so too where pi_theta is the policy after one update", "refuted"],
        [
          "With the policy that samples as the reference, a curriculum drawn by the fitted Z learns the hardest level sooner than one that counts successes",
          "refuted",
        ],
      ],
    );
  });

  it("needs no more than the stored tables, and tells the figures of each claim", () => {
    for (const { measured, source } of claims.teachers) {
      assert.match(measured, /\d/);
      assert.match(source, /\[[PSD]\]/);
    }
  });
});
