import assert from "node:assert/strict";
import { createRng, enumerateReturn, make, TabularPolicy, toolChainPolicy } from "turnwise";
import {
  estimatorErrors,
  ratioForms,
  reuseOneBatch,
  sampledSpread,
  walkSpread,
} from "turnwise-course/off-policy-stability";
import { leverRecipe, traps } from "turnwise-course/echo-trap";
import { equalWidths } from "turnwise-course/internal/05-off-policy-stability/estimatorError";
import { pooledLogRatio } from "turnwise-course/internal/05-off-policy-stability/ratioForm";

describe("ratios of many tokens", () => {
  it("pools log-ratios into a product, a geometric and an arithmetic mean", () => {
    // Ratios 2 and 8: product 16, geometric 4, arithmetic 5.
    const d = [Math.log(2), Math.log(8)];
    for (const [pooling, ratio] of [
      ["product", 16],
      ["geometric", 4],
      ["arithmetic", 5],
    ] as const) {
      assert.ok(Math.abs(Math.exp(pooledLogRatio(d, pooling)) - ratio) < 1e-12, pooling);
    }
    assert.ok(Math.abs(pooledLogRatio([800, 800], "arithmetic") - 800) < 1e-9); // where exp would overflow
  });

  it("geometric <= arithmetic, and all poolings agree on one token", () => {
    const rng = createRng(4).split("pooling");
    for (let trial = 0; trial < 200; trial++) {
      const d = Array.from({ length: 1 + rng.below(12) }, () => rng.normal());
      assert.ok(pooledLogRatio(d, "geometric") <= pooledLogRatio(d, "arithmetic") + 1e-12);
      const [one] = d;
      for (const pooling of ["product", "geometric", "arithmetic"] as const) {
        assert.ok(Math.abs(pooledLogRatio([one!], pooling) - one!) < 1e-12);
      }
    }
  });

  it("the spread of a random walk grows with the root of its length as a product, and shrinks as a geometric mean", () => {
    assert.ok(Math.abs(walkSpread(16, 0.1, "product").deviation - 0.4) < 1e-12);
    assert.ok(Math.abs(walkSpread(16, 0.1, "geometric").deviation - 0.025) < 1e-12);
    for (const pooling of ["product", "geometric"] as const) {
      for (const n of [1, 3, 12]) {
        const exact = walkSpread(n, 0.3, pooling);
        const sampled = sampledSpread(n, 0.3, pooling, { rng: createRng(n).split(pooling), draws: 4000 });
        // Standard errors: deviation / sqrt(2 x 4000) = 1.1%, and at most .008 for a share.
        assert.ok(Math.abs(sampled.deviation / exact.deviation - 1) < 0.05, `${pooling} ${n}`);
        assert.ok(Math.abs(sampled.outside - exact.outside) < 0.035, `${pooling} ${n}`);
      }
    }
    assert.throws(() => walkSpread(0, 1, "product"), {
      name: "RangeError",
      message: "Cannot compute a spread: n must be an integer >= 1, got 0.",
    });
  });
});

describe("reuse of one batch", () => {
  it("starts on policy, where every ratio is 1 and nothing is clipped, and leaves it step by step", () => {
    const env = make("ToolChain-v0");
    const policy = toolChainPolicy(env.spec, { beta: 3, seed: 1 });
    const { steps } = reuseOneBatch(env, policy, leverRecipe("vanilla", traps.sane), {
      steps: 8,
      rng: createRng(1).split("reuse"),
    });
    assert.equal(steps.length, 9);
    const [first] = steps;
    for (const { deviation, outside } of Object.values(first!.spread)) {
      assert.ok(deviation < 1e-12);
      assert.equal(outside, 0);
    }
    assert.equal(first!.clipBiasNorm, 0);
    const last = steps.at(-1)!;
    assert.ok(last.spread["trajectory, product"]!.deviation > last.spread["turn, product"]!.deviation);
    assert.ok(last.spread["turn, product"]!.deviation > last.spread["token"]!.deviation);
    assert.ok(last.spread["token"]!.deviation > last.spread["turn, geometric"]!.deviation);
    assert.ok(last.clipBiasNorm > 0 && last.clipFraction > 0);
  });
});

describe("estimators of the gradient against the exact one", () => {
  const env = make("LookUp-v0");
  const world = (shift: number) => {
    const behavior = new TabularPolicy(env.spec, { syntaxPrior: 3, seed: 2, initialScale: 0.5 });
    enumerateReturn(env, behavior); // meets every history, so that both tables have all their rows
    const target = behavior.clone();
    const rng = createRng(7).split("shift");
    for (let i = 0; i < target.parameters.length; i++) target.parameters[i]! += shift * rng.normal();
    return { behavior, target, exact: enumerateReturn(env, target).gradient };
  };

  it("on policy all seven are the same estimate, and it has no bias", () => {
    const errors = estimatorErrors({ env, ...world(0), rng: createRng(1).split("on"), batches: 300 });
    assert.equal(errors.length, 2 * ratioForms.length);
    for (const { name, bias, noise, deviation } of errors) {
      assert.ok(Math.abs(deviation - errors[0]!.deviation) < 1e-9, name);
      assert.ok(bias < 4 * noise, `${name}: bias ${bias}, noise ${noise}`);
    }
  });

  it("finds for each ratio the clip that stops as many tokens as the turn's mean does at .2", () => {
    // Two turns of two tokens, advantage 1. Log-ratios .3 and .1, .1 and -.3: the means are .2 and -.1, and only the first turn is
    // stopped: 2 of 4 tokens. The tokens at .3 and .1, .1 have ratios 1.350, 1.105, 1.105: to stop two of four there is no width; up to .105
    // three are stopped, from there to .350 one, which is at most two.
    const d = [0.3, 0.1, 0.1, -0.3];
    const input = {
      shape: [1, 2, 2] as const,
      logProb_ntl: Float64Array.from(d, (x) => -1 + x),
      oldLogProb_ntl: new Float64Array(4).fill(-1),
      mask_ntl: new Float32Array(4).fill(1),
      advantage_ntl: new Float32Array(4).fill(1),
    };
    const widths = equalWidths([input as never]);
    assert.ok(Math.abs(widths.get("token")! - (Math.exp(0.1) - 1)) < 1e-4, String(widths.get("token")));
    // The turn's products are e^.4 = 1.492 and e^-.2: up to .492, the first turn's two tokens are stopped, which is as many, at any width.
    assert.ok(Math.abs(widths.get("turn, product")! - 0.01) < 1e-3, String(widths.get("turn, product")));
  });

  it("off policy the product over the trajectory stays without bias at the largest spread; clipping it brings bias", () => {
    const errors = estimatorErrors({ env, ...world(0.5), rng: createRng(1).split("off"), batches: 600 });
    const of = (name: string) => errors.find((e) => e.name === name)!;
    const product = of("trajectory, product");
    assert.ok(product.bias < 4 * product.noise, `bias ${product.bias}, noise ${product.noise}`);
    for (const name of ["token", "turn, geometric", "trajectory, geometric"]) {
      assert.ok(of(name).deviation < product.deviation, name);
    }
    const clipped = of("trajectory, product, clipped");
    assert.ok(clipped.bias > product.bias + 4 * clipped.noise, `${clipped.bias} against ${product.bias}`);
    assert.ok(clipped.deviation < product.deviation);
  });
});
