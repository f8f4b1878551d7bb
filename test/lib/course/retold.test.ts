import assert from "node:assert/strict";
import type { Claim } from "turnwise";
import { retold } from "turnwise-course/internal/shared/retold";
import { verdict } from "turnwise/verdict";

const decided = verdict({ equal: 1, of: 1 });
const row: Claim = { claim: "It rises", source: "RAGEN, Fig. 6 [P]", measured: "3 of 4", verdict: decided };

describe("a lesson's ledger", () => {
  it("tells a row of the whole ledger in other words, and leaves its verdict", () => {
    const [told] = retold([row], [{ of: "It rises", claim: "Runs rise", measured: "3" }]);
    assert.deepEqual(told, { claim: "Runs rise", source: "RAGEN, Fig. 6", measured: "3", verdict: decided });
  });

  it("keeps the row's own words where it has no others, without the tag of their evidence", () => {
    assert.deepEqual(retold([row], [{ of: "It rises" }]), [{ ...row, source: "RAGEN, Fig. 6" }]);
  });

  it("refuses a claim that the whole ledger does not state, with the nearest", () => {
    assert.throws(() => retold([row], [{ of: "It rise" }]), {
      name: "RangeError",
      message:
        'Cannot retell a claim: the whole ledger must state it, got "It rise".\nDid you mean "It rises"?',
    });
  });
});
