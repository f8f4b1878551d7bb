import assert from "node:assert/strict";
import { type Metrics, recipe, surrogateGradient } from "turnwise";
import { assertClose } from "./support";

describe("the metrics of a step", () => {
  // Six one-token trajectories, the last one masked. Ratios 1.5, 1.5, .5, .5, 4; advantages 1, -1, 1, -1, -1.
  const ratio = [1.5, 1.5, 0.5, 0.5, 4];
  const input = {
    shape: [6, 1, 1] as const,
    mask_ntl: [1, 1, 1, 1, 1, 0],
    oldLogProb_ntl: [...ratio.map(() => -2), NaN],
    logProb_ntl: [...ratio.map((r) => Math.log(r) - 2), NaN],
    advantage_ntl: [1, -1, 1, -1, -1, NaN],
    entropy_ntl: [0.5, 1, 1.5, 1, 1, NaN],
    refLogProb_ntl: [-2, -2, -2, -2, -2, NaN],
  };
  const row = recipe("grpo", {
    gate: { kind: "dualClip", dualClip: 3 },
    regularizer: { klReference: { coef: 0, estimator: "k1" } },
  });
  const measured = (): Metrics => surrogateGradient(input, row).metrics;

  it("count each bound's tokens among the active ones", () => {
    const metrics = measured();
    // High: ratio 1.5 with A = 1. Low: ratio .5 with A = -1. Dual: ratio 4 with A = -1, since 4 > 3. Of 5 tokens.
    assertClose(
      ["policy/clipFracHigh", "policy/clipFracLow", "policy/clipFracDual"].map(
        (name) => metrics[name as "policy/clipFracHigh"]!,
      ),
      [0.2, 0.2, 0.2],
      1e-12,
    );
  });

  it("report the extreme ratios, the mean entropy and the divergences", () => {
    const metrics = measured();
    assertClose([metrics["policy/ratioMax"]!, metrics["policy/ratioMin"]!], [4, 0.5], 1e-12);
    assertClose([metrics["policy/entropy"]!], [1], 1e-12);
    // k3 against the old policy, mean of r - 1 - log r: sum of ratios 8, minus 5, minus log(1.5^2 * .5^2 * 4) = log 2.25.
    assertClose([metrics["policy/approxKl"]!], [(3 - Math.log(2.25)) / 5], 1e-12);
    // k1 against the reference: mean of log pi - log ref.
    assertClose([metrics["policy/klReference"]!], [Math.log(2.25) / 5], 1e-12);
    assert.equal(metrics["policy/fracRatioLimited"], 0);
  });

  it("report the share of tokens at the numerical limit of 20 nats, whose gradient ends there", () => {
    const far = { ...input, oldLogProb_ntl: [-2, -2, -2, -2, -30, NaN] };
    const plain = recipe("grpo", { gate: "unclipped" });
    const result = surrogateGradient(far, plain);
    assertClose([result.metrics["policy/fracRatioLimited"]!], [0.2], 1e-12);
    assertClose([result.metrics["policy/ratioMax"]!], [Math.exp(20)], 1e-12);
    assertClose([result.dLogProb_ntl[4]!], [0], 0);
  });

  it("are not computed from a log-prob that is not a number, wherever in the batch it is", () => {
    for (const place of [0, 2, 4]) {
      const logProb_ntl = input.logProb_ntl.map((x, i) => (i === place ? NaN : x));
      assert.throws(() => surrogateGradient({ ...input, logProb_ntl }, recipe("grpo")), {
        name: "RangeError",
        message: /\. logProb_ntl is NaN at trajectory \d, turn \d, token \d/,
      });
    }
  });

  it("sum the policy's loss with its regularizers", () => {
    const entropy = recipe("grpo", { regularizer: { entropyCoef: 0.1 } });
    const without = surrogateGradient(input, recipe("grpo")).loss;
    const withBonus = surrogateGradient(input, entropy);
    assertClose([withBonus.loss], [without - 0.1], 1e-12);
    assertClose(withBonus.dEntropy_ntl!, [-0.02, -0.02, -0.02, -0.02, -0.02, 0], 1e-12);
    assert.equal(withBonus.metrics["policy/loss"], withBonus.loss);
  });
});
