// Uses internals of turnwise-course.
import assert from "node:assert/strict";
import { judgeRatios, wornBatch } from "turnwise-course/off-policy-stability";
import type { EstimatorError } from "turnwise-course/internal/05-off-policy-stability/estimatorError";
import { claimOf, storedLedger } from "./storedLedger";

describe("lesson 05, off-policy stability: estimators judged by the exact gradient", function () {
  this.timeout(60_000);
  let judged: readonly EstimatorError[];
  const judge = (name: string): EstimatorError => judged.find((one) => one.name === name)!;

  before(() => {
    judged = judgeRatios(wornBatch({ steps: 16 }));
  });

  it("gives the claim on a turn's mean ratio its figure", () => {
    const { measured } = claimOf(storedLedger("05-off-policy-stability"), "A turn's mean ratio estimates");
    const less = (judge("token, clipped").bias - judge("turn, geometric, clipped").bias).toFixed(2);
    assert.ok(measured.includes(less), `${less} in: ${measured}`);
  });

  it("says that most of the gap between a turn's mean and a token goes where their clips stop equally many", () => {
    const gap = (end: string): number => judge(`token${end}`).bias - judge(`turn, geometric${end}`).bias;
    assert.ok(gap(", clipped as rarely") < gap(", clipped") / 2);
    const noise = judge("token, clipped as rarely").noise;
    assert.ok(gap(", clipped as rarely") < 2 * noise, String(gap(", clipped as rarely")));
    // The width that stops as many tokens is found again, to within the tokens of twenty batches.
    const [found, given] = [", clipped as rarely", ", clipped"].map(
      (end) => judge(`turn, geometric${end}`).bias,
    );
    assert.ok(Math.abs(found! - given!) < 1e-3, `${found} and ${given}`);
  });

  it("says which bias the clip adds, and that one batch is off by about twice the gradient", () => {
    assert.ok(judge("turn, geometric, clipped").bias < judge("token, clipped").bias / 2);
    for (const name of ["token, clipped", "turn, product, clipped", "trajectory, product, clipped"])
      assert.ok(Math.abs(judge(name).bias - 0.75) < 0.12, name);
    for (const name of ["token", "turn, geometric", "turn, product"])
      assert.ok(Math.abs(judge(name).bias - 0.2) < 0.05, name);
    for (const name of ["token", "turn, geometric", "turn, product", "trajectory, product"])
      assert.ok(judge(name).deviation > 1.7 && judge(name).deviation < 2.5, name);
    assert.ok(judge("trajectory, product").bias < judge("trajectory, product").noise);
  });
});
