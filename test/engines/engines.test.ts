import assert from "node:assert/strict";
import { digests, type Digests } from "./digests.js";
import { read, renew, runsOf } from "./stored.js";

/** Arguments for each function that training uses; the tests with other engines ask for ten times as many. */
const count = 1e6;

describe("this engine, on a million arguments and twenty chaotic runs", function () {
  this.timeout(240_000);
  let own: Digests;

  before(async () => {
    own = await digests(count);
    if (process.env.TURNWISE_RENEW) renew(own, count);
  });

  it("computes the stored values of every function, bit by bit", () => {
    assert.deepEqual(own.functions, read().functions[count]);
  });

  it("trains as stored, bit by bit", () => {
    const runs = runsOf(own);
    assert.deepEqual(
      runs,
      read().runs,
      "should the rule or the worlds have changed: TURNWISE_RENEW=1 npm test -- test/engines",
    );
    assert.equal(new Set(Object.values(runs)).size, 20);
  });
});
