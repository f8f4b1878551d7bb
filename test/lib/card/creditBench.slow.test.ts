import assert from "node:assert/strict";

import { publishedCredit } from "turnwise/internal/card/publishedCredit";
import { creditBench } from "turnwise/internal/card/creditBench";

describe("AgentCreditBench's processes", function () {
  this.timeout(120_000);

  for (const { what, published, exact, tolerance, ours } of publishedCredit) {
    it(`give the published ${published} ${exact ? "" : "but for sampling "}for: ${what}`, () => {
      const found = ours();
      assert.ok(Math.abs(found - published) <= tolerance, `${found}`);
    });
  }

  it("find one-step GAE with the exact critic to be the advantage itself where nothing is left to chance", () => {
    for (const one of creditBench()) {
      if (one.advantage !== "gae, lambda 0" || one.process === "delayed") continue;
      assert.ok(one.rmse < 1e-9 && one.relativeError < 1e-9, one.process);
      assert.equal(one.signAccuracy, 1);
    }
  });

  it("find leave-one-out and the plain return unbiased, and the mean (G - 1) / G of it", () => {
    for (const one of creditBench()) {
      if (one.advantage === "return" || one.advantage === "leaveOneOut") assert.ok(one.relativeError < 1e-9);
      if (one.advantage === "mean") assert.ok(Math.abs(one.relativeError - 1 / 4) < 1e-9);
    }
  });
});
