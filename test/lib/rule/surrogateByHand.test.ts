import assert from "node:assert/strict";
import { recipe, surrogateGradient, surrogateLoss, tf } from "turnwise";
import { type SurrogateInput } from "turnwise/internal/rule/index";
import { Tally, divergence } from "turnwise/internal/rule/surrogate/tally";
import { assertClose, onTensors, raggedInput } from "./support";

// Two trajectories of two turns of one token, without a shift of the policy: every ratio is 1.
const input = {
  shape: [2, 2, 1] as const,
  logProb_ntl: [-1, -1, -1, -1],
  oldLogProb_ntl: [-1, -1, -1, -1],
  refLogProb_ntl: [-1, -1, -1, -1],
  entropy_ntl: [1, 1, 1, 1],
  mask_ntl: [1, 1, 1, 0],
  advantage_ntl: [2, 4, -3, 9],
} satisfies SurrogateInput;
const plain = recipe("grpo", { gate: "unclipped", aggregate: "tokenMean" });

describe("surrogateGradient, by hand", () => {
  it("is minus the mean advantage at ratio 1, and each token's share of it", () => {
    // Three active tokens: -(2 + 4 - 3) / 3 = -1.
    const { loss, dLogProb_ntl } = surrogateGradient(input, plain);
    assertClose([loss], [-1], 1e-12);
    assertClose(dLogProb_ntl, [-2 / 3, -4 / 3, 1, 0], 1e-12);
  });

  it("takes the turns that it is given, with the weights of the whole batch", () => {
    const first = surrogateGradient(input, plain, [0]);
    assertClose([first.loss], [1 / 3], 1e-12); // -(2 - 3) / 3
    assertClose(first.dLogProb_ntl, [-2 / 3, 0, 1, 0], 1e-12);
    const second = surrogateGradient(input, plain, [1]);
    assertClose([second.loss], [-4 / 3], 1e-12);
    assertClose(second.dLogProb_ntl, [0, -4 / 3, 0, 0], 1e-12);
    const both = surrogateGradient(input, plain, [1, 0]);
    assertClose([both.loss], [-1], 1e-12);
    assertClose([surrogateGradient(input, plain, []).loss], [0], 0);
  });

  it("refuses turns that are not there", () => {
    for (const turn of [-1, 0.5, 2, NaN]) {
      assert.throws(() => surrogateGradient(input, plain, [0, turn]), {
        name: "RangeError",
        message: `Cannot compute the surrogate gradient: turns must be integers from 0 to 1, got ${turn}.`,
      });
    }
  });

  it("takes token weights of a larger batch, and writes into an array that nobody reads any more", () => {
    const spent = new Float64Array(4).fill(7);
    const weighted = { ...input, weight_ntl: [0.1, 0.2, 0.5, 0] };
    // -(.1 * 2 + .2 * 4 - .5 * 3) = .5
    const { loss, dLogProb_ntl } = surrogateGradient(weighted, plain, undefined, spent);
    assertClose([loss], [0.5], 1e-12);
    assert.equal(dLogProb_ntl, spent);
    assertClose(dLogProb_ntl, [-0.2, -0.8, 1.5, 0], 1e-12);
  });

  it("multiplies each trajectory's advantage by its carry, found by its id", () => {
    const carry = new Map([["b", 2]]);
    const carried = { ...input, carry, trajectoryId: ["a", "b"] };
    // -(2 + 4 - 2 * 3) / 3 = 0.
    assertClose([surrogateGradient(carried, plain).loss], [0], 1e-12);
    assert.throws(() => surrogateGradient({ ...input, carry }, plain), {
      name: "TypeError",
      message: "Cannot compute the surrogate gradient: a carry must come with trajectoryId, got none.",
    });
  });

  it("gives the derivative of the clipped-out terms to rows that normalize by it, and to no other", () => {
    const clippingTriggered = { kind: "gradNorm" } as const;
    const clip = { kind: "clip", clipLow: 0.2, clipHigh: 0.2 } as const;
    const moved = {
      ...input,
      oldLogProb_ntl: [-1 - Math.log(1.5), -1 - Math.log(1.5), -1, -1],
    };
    const token = recipe("grpo", { gate: clip, aggregate: "tokenMean", regularizer: { clippingTriggered } });
    // Ratios 1.5, 1.5 and 1: the first two are clipped at 1.2. Weight 1/3, times 2 and 4, times the ratio: 1 and 2.
    const byToken = surrogateGradient(moved, token);
    assertClose(byToken.dClipBias_ntl!, [1, 2, 0, 0], 1e-12);
    assertClose(byToken.dLogProb_ntl, [0, 0, 1, 0], 1e-12);
    // -(1.2 * 2 + 1.2 * 4 - 3) / 3 = -1.4
    assertClose([byToken.loss], [-1.4], 1e-12);
    const row = recipe("grpo", {
      gate: clip,
      aggregate: "tokenMean",
      ratio: { level: "trajectory", pooling: "geometric" },
      regularizer: { clippingTriggered },
    });
    // Mean log-ratio log 1.5 over two tokens: the ratio is 1.5, its slope in each .75, times (2 + 4) / 3 = 1.5 each.
    assertClose(surrogateGradient(moved, row).dClipBias_ntl!, [1.5, 1.5, 0, 0], 1e-12);
    const without = surrogateGradient(moved, recipe("grpo", { gate: clip }));
    assert.ok(!("dClipBias_ntl" in without) && !("dEntropy_ntl" in without));
  });

  it("stops the gradient of a pooled ratio at 20 nats, and counts its tokens as limited", () => {
    const far = { ...input, oldLogProb_ntl: [-50, -1, -1, -1] };
    const of = (pooling: "product" | "geometric" | "arithmetic") =>
      surrogateGradient(
        far,
        recipe("grpo", {
          gate: "unclipped",
          aggregate: "tokenMean",
          ratio: { level: "trajectory", pooling },
        }),
      );
    // Product: 49 nats, limited at 20; two of three tokens.
    const product = of("product");
    assertClose(product.dLogProb_ntl, [0, 0, 1, 0], 1e-12);
    assertClose([product.metrics["policy/fracRatioLimited"]!], [2 / 3], 1e-12);
    assertClose([product.metrics["policy/ratioMax"]!], [Math.exp(20)], 1e-12);
    // Geometric: 24.5 nats, limited, too.
    assertClose(of("geometric").dLogProb_ntl, [0, 0, 1, 0], 1e-12);
    // Arithmetic: the first token is limited, the second, of ratio 1, still has slope 1/2, times (2 + 4) / 3 = 2.
    const arithmetic = of("arithmetic");
    assertClose(arithmetic.dLogProb_ntl, [0, -1, 1, 0], 1e-12);
    assertClose([arithmetic.metrics["policy/fracRatioLimited"]!], [2 / 3], 1e-12);
    assertClose([arithmetic.metrics["policy/ratioMax"]!], [(Math.exp(20) + 1) / 2], 1e-12);
    // Exactly 20 nats are within the limit.
    const at = { ...input, logProb_ntl: [0, -1, -1, -1], oldLogProb_ntl: [-20, -1, -1, -1] };
    const { metrics, dLogProb_ntl } = surrogateGradient(at, plain);
    assert.equal(metrics["policy/fracRatioLimited"], 0);
    assertClose([dLogProb_ntl[0]!], [(-2 / 3) * Math.exp(20)], 1e-12);
    const below = { ...input, logProb_ntl: [-50, -1, -1, -1] };
    assertClose([surrogateGradient(below, plain).metrics["policy/ratioMin"]!], [Math.exp(-20)], 1e-12);
  });

  it("takes an arithmetic mean of ratios as limited where one of its tokens is, however large the mean", () => {
    const row = recipe("grpo", {
      gate: "unclipped",
      ratio: { level: "trajectory", pooling: "arithmetic" },
    });
    const limited = (first: number): number =>
      surrogateGradient({ ...input, oldLogProb_ntl: [-1 - first, -1, -1, -1] }, row).metrics[
        "policy/fracRatioLimited"
      ]!;
    // 5 nats are within the limit, although (exp(5) + 1) / 2 = 74.7 is above 20; -21 nats are not: two of three tokens.
    assertClose([limited(5), limited(-21)], [0, 2 / 3], 1e-12);
  });

  it("leaves a masked cell of a unit at 0, not at -0", () => {
    const mask_ntl = [1, 0, 1, 1];
    const row = recipe("grpo", { gate: "unclipped", ratio: { level: "trajectory", pooling: "geometric" } });
    assert.ok(Object.is(surrogateGradient({ ...input, mask_ntl }, row).dLogProb_ntl[1], 0));
  });

  it("reports no ratio for a row that forms none", () => {
    const { metrics } = surrogateGradient(input, recipe("reinforce"));
    assert.deepEqual(Object.keys(metrics), ["policy/loss", "policy/approxKl", "policy/entropy"]);
  });

  it("charges for a divergence from the reference, from the old policy and for ratios outside the bounds", () => {
    const k2 = { coef: 0.5, estimator: "k2" } as const;
    const moved = { ...input, logProb_ntl: [0, -1, -1, -1], advantage_ntl: [0, 0, 0, 0] };
    const row = (regularizer: object) => recipe("grpo", { aggregate: "tokenMean", regularizer });
    // d = -1 for the first of three tokens: k2 = 1/2, slope 1; the mean is 1/6, half of it 1/12, the slope 1/6.
    for (const name of ["klReference", "klOld"]) {
      const { loss, dLogProb_ntl } = surrogateGradient(moved, row({ [name]: k2 }));
      assertClose([loss], [1 / 12], 1e-12, name);
      assertClose(dLogProb_ntl, [1 / 6, 0, 0, 0], 1e-12, name);
    }
    // The first ratio is e, one of three tokens outside: coefficient 3 * 1/3 = 1.
    const triggered = row({ clippingTriggered: { kind: "klPenalty", lambda: 3, estimator: "k2" } });
    const { loss, dLogProb_ntl } = surrogateGradient(moved, triggered);
    assertClose([loss], [1 / 6], 1e-12);
    assertClose(dLogProb_ntl, [1 / 3, 0, 0, 0], 1e-12);
    const bonus = surrogateGradient({ ...moved, entropy_ntl: [3, 0, 3, 9] }, row({ entropyCoef: 0.5 }));
    assertClose([bonus.loss], [-1], 1e-12); // -.5 * (3 + 0 + 3) / 3
    assertClose(bonus.dEntropy_ntl!, [-1 / 6, -1 / 6, -1 / 6, 0], 1e-12);
  });

  it("names the array of a wrong length, and what the row needs", () => {
    for (const name of [
      "logProb_ntl",
      "oldLogProb_ntl",
      "mask_ntl",
      "advantage_ntl",
      "weight_ntl",
      "entropy_ntl",
      "refLogProb_ntl",
    ]) {
      assert.throws(() => surrogateGradient({ ...input, [name]: [1, 1, 1] }, plain), {
        name: "TypeError",
        message: `Cannot compute the surrogate gradient: ${name} must have 4 (2 x 2 x 1) entries, got 3.`,
      });
    }
    const { entropy_ntl: _, ...without } = input;
    assert.throws(() => surrogateGradient(without, recipe("grpo", { regularizer: { entropyCoef: 0.1 } })), {
      name: "TypeError",
      message:
        "Cannot compute the surrogate gradient: recipe grpo with entropyCoef needs entropy_ntl, got none.",
    });
  });
});

describe("Tally", () => {
  const add = (tally: Tally, ...ratios: number[]): Tally => {
    for (const ratio of ratios) tally.add(ratio, false, 0);
    return tally;
  };
  const clip = { kind: "clip", clipLow: 0.25, clipHigh: 0.5 } as const;
  const counting = recipe("grpo", { gate: clip, regularizer: { clippingTriggered: "klPenalty" } });

  it("says nothing before the first token", () => {
    assert.deepEqual(new Tally(counting).metrics(), {});
    assert.equal(new Tally(counting).fractionOutside(), 0);
  });

  it("counts ratios beyond the bounds, for the term that asks for them", () => {
    // Outside [.75, 1.5]: .7 and 1.6, of four.
    assert.equal(add(new Tally(counting), 0.75, 1.5, 0.7, 1.6).fractionOutside(), 0.5);
    assert.equal(add(new Tally(recipe("grpo", { gate: clip })), 0.1, 9).fractionOutside(), 0);
  });

  it("shows a ratio that is not a number", () => {
    const metrics = add(new Tally(counting), 1, NaN).metrics();
    assert.deepEqual([metrics["policy/ratioMax"], metrics["policy/ratioMin"]], [NaN, NaN]);
  });
});

describe("divergence", () => {
  it("is measured over active tokens alone, and only as far as there is something to measure", () => {
    const { entropy_ntl: _, ...without } = input;
    assert.deepEqual(divergence(without, [0, 0, 0, 0]), {});
    assert.deepEqual(divergence(without, [1, 1, 0, 0]), { "policy/approxKl": 0 });
    const moved = { ...input, logProb_ntl: [0, -1, -1, 5], entropy_ntl: [1, 2, 6, 99] };
    const measured = divergence(moved, input.mask_ntl);
    // d = 1, 0, 0: (e - 1 - 1) / 3; mean entropy 9 / 3.
    assert.deepEqual(Object.keys(measured), ["policy/approxKl", "policy/entropy"]);
    assertClose(Object.values(measured), [(Math.E - 2) / 3, 3], 1e-12);
    const row = recipe("grpo", { regularizer: { klReference: { coef: 1, estimator: "k2" } } });
    // k2 of the first token 1/2, of three tokens.
    assertClose([surrogateGradient(moved, row).metrics["policy/klReference"]!], [1 / 6], 1e-12);
  });
});

describe("surrogateLoss", () => {
  it("refuses tensors that do not fit, and a row whose input is missing", () => {
    tf.tidy(() => {
      const batch = onTensors(raggedInput(1, [2, 2, 1]));
      const refuses = (change: object, message: string, row = plain): void => {
        assert.throws(() => surrogateLoss({ ...batch, ...change }, row), {
          name: "TypeError",
          message: `Cannot compute the surrogate loss: ${message}`,
        });
      };
      refuses({ logProb_ntl: tf.zeros([4]) }, "logProb_ntl must have 3 axes, got [4].");
      for (const name of ["oldLogProb_ntl", "mask_ntl", "advantage_ntl", "refLogProb_ntl", "entropy_ntl"]) {
        const message = `${name} must have shape [2, 2, 1], got [2, 1, 2].`;
        refuses({ [name]: tf.zeros([2, 1, 2]) }, message);
      }
      refuses(
        { refLogProb_ntl: undefined },
        "recipe grpo with klReference needs refLogProb_ntl, got none.",
        recipe("grpo", { regularizer: { klReference: { coef: 0.1, form: "trl" } } }),
      );
      refuses(
        { entropy_ntl: undefined },
        "recipe grpo with entropyCoef needs entropy_ntl, got none.",
        recipe("grpo", { regularizer: { entropyCoef: 0.1 } }),
      );
    });
  });

  it("looks at the arrays by token alone, whatever else a batch holds", () => {
    tf.tidy(() => {
      const batch = { ...onTensors(raggedInput(1, [2, 2, 1])), trajectoryId: ["a", "b"] };
      assert.ok(Number.isFinite(surrogateLoss(batch, plain).metrics["policy/loss"]));
    });
  });

  it("reports the metrics of the closed form, and its own loss", () => {
    tf.tidy(() => {
      const data = raggedInput(3, [2, 2, 1]);
      const { loss, metrics } = surrogateLoss(onTensors(data), plain, [0]);
      const closed = surrogateGradient(data, plain, [0]).metrics;
      assert.deepEqual(Object.keys(metrics).sort(), Object.keys(closed).sort());
      for (const [name, value] of Object.entries(closed)) {
        assertClose([metrics[name as "policy/loss"]!], [value], 1e-5, name);
      }
      assert.equal(metrics["policy/loss"], loss.dataSync()[0]);
    });
  });

  it("charges by the fraction of ratios outside the bounds", () => {
    tf.tidy(() => {
      const at = (x: readonly number[]): tf.Tensor3D => tf.tensor3d([...x], [2, 2, 1]);
      const moved = {
        logProb_ntl: at([0, -1, -3, -1]),
        oldLogProb_ntl: at(input.oldLogProb_ntl),
        mask_ntl: at([1, 1, 1, 0]),
        advantage_ntl: at([0, 0, 0, 0]),
      };
      const clippingTriggered = { kind: "klPenalty", lambda: 3, estimator: "k2" } as const;
      const row = recipe("grpo", { aggregate: "tokenMean", regularizer: { clippingTriggered } });
      // Ratios e and e^-2 are outside, two of three: coefficient 2. k2 = 1/2, 0 and 2, mean 5/6.
      assertClose(surrogateLoss(moved, row).loss.dataSync(), [5 / 3], 1e-6);
    });
  });
});
