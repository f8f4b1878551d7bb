import assert from "node:assert/strict";
import { recipe, surrogateGradient, type RecipeOverrides } from "turnwise";
import { entropyThreshold } from "turnwise/internal/rule/regularizer/entropyShare";
import {
  firstCoefficient,
  nextCoefficient,
  paidCoefficient,
} from "turnwise/internal/rule/regularizer/entropyTarget";
import { assertClose, raggedInput } from "./support";

// Four trajectories of one token. A - mean A = [3, 1, -1, -3]; log pi - mean = [1, 3, -1, -3] / 2.
// Covariances: [1.5, 1.5, .5, 4.5]. Ratios are 1 but for the last token's.
const input = {
  shape: [4, 1, 1] as const,
  logProb_ntl: [-1.5, -0.5, -2.5, -3.5],
  oldLogProb_ntl: [-1.5, -0.5, -2.5, -3.5],
  entropy_ntl: [0.4, 0.1, 0.3, 0.2],
  mask_ntl: [1, 1, 1, 1],
  advantage_ntl: [3, 1, -1, -3],
};
/** Weight 1/4 each: at ratio 1 the derivative is -A / 4. */
const plain = [-0.75, -0.25, 0.25, 0.75];
const row = (regularizer: RecipeOverrides["regularizer"], gate: RecipeOverrides["gate"] = "clip") =>
  recipe("grpo", { aggregate: "tokenMean", gate, regularizer: regularizer! });
const clipCov = (share: number, min: number, max: number) =>
  row({ covariance: { kind: "clip", share, min, max } });
const klCov = (share: number, coef = 1) => row({ covariance: { kind: "penalty", share, coef } }, "unclipped");
const slopes = (of: typeof input & { draw_ntl?: number[] }, by: ReturnType<typeof row>): number[] => [
  ...surrogateGradient(of, by).dLogProb_ntl,
];

describe("Clip-Cov", () => {
  it("takes the objective of that many tokens between the bounds, and leaves the denominator alone", () => {
    // Within (1, 2): tokens 0 and 1. A quarter of four tokens is one: the first, as there are no draws.
    const found = surrogateGradient(input, clipCov(0.25, 1, 2));
    assertClose(found.dLogProb_ntl, [0, ...plain.slice(1)], 1e-12);
    assertClose([found.loss], [(-1 + 1 + 3) / 4], 1e-12);
    assert.equal(found.metrics["policy/fracDropped"], 0.25);
    assertClose(slopes(input, clipCov(0.5, 1, 2)), [0, 0, 0.25, 0.75], 1e-12);
    // Never more than there are, and the bounds themselves are outside.
    assertClose(slopes(input, clipCov(1, 1, 2)), [0, 0, 0.25, 0.75], 1e-12);
    assertClose(slopes(input, clipCov(1, 0.5, 1.5)), plain, 1e-12);
  });

  it("takes those of the smallest draws", () => {
    assertClose(
      slopes({ ...input, draw_ntl: [0.9, 0.1, 0.05, 0] }, clipCov(0.25, 1, 2)),
      [-0.75, 0, 0.25, 0.75],
      1e-12,
    );
    assertClose(
      slopes({ ...input, draw_ntl: [0.1, 0.9, 0.05, 0] }, clipCov(0.25, 1, 2)),
      [0, -0.25, 0.25, 0.75],
      1e-12,
    );
  });

  it("takes one token at min, and none with share 0, bit for bit", () => {
    assertClose(slopes(input, clipCov(0.0002, 1, 2)), [0, ...plain.slice(1)], 1e-12);
    for (let seed = 1; seed <= 20; seed++) {
      const some = raggedInput(seed);
      const { metrics: _without, ...without } = surrogateGradient(some, row({}));
      const { metrics: _with, ...with0 } = surrogateGradient(some, clipCov(0, -9, 9));
      assert.deepEqual(with0, without);
    }
  });

  it("passes over a token whose gradient the clip has already taken", () => {
    // The last token has A < 0 and a ratio of e^-1 below .8: it has no slope, and no longer counts as a candidate.
    const moved = { ...input, oldLogProb_ntl: [-1.5, -0.5, -2.5, -2.5] };
    assertClose(slopes(moved, clipCov(0.25, 4, 5)), [-0.75, -0.25, 0.25, 0], 1e-12);
    assert.equal(surrogateGradient(moved, clipCov(0.25, 4, 5)).metrics["policy/fracDropped"], 0);
    assert.equal(surrogateGradient(input, clipCov(0.25, 4, 5)).metrics["policy/fracDropped"], 0.25);
  });

  it("is refused where tokens are clipped together, and beside a whole loss", () => {
    const covariance = "clip";
    assert.throws(() => recipe("gspo", { regularizer: { covariance } }), {
      name: "RangeError",
      message:
        'Cannot make recipe gspo: regularizer.covariance.kind must be "off" with ratio.level "trajectory", whose tokens are clipped together, got "clip".',
    });
  });
});

describe("KL-Cov", () => {
  // Every token has moved by half a nat, the last two downwards.
  const moved = { ...input, oldLogProb_ntl: [-2, -1, -2, -3] };
  const ratios = [Math.exp(0.5), Math.exp(0.5), Math.exp(-0.5), Math.exp(-0.5)];
  const free = ratios.map((r, i) => (-input.advantage_ntl[i]! * r) / 4);

  it("charges the tokens of the largest covariance for |log r|, with a slope that pulls them back", () => {
    // Half of four tokens: the last (4.5) and the first of the two with 1.5.
    const found = surrogateGradient(moved, klCov(0.5, 2));
    assertClose(found.dLogProb_ntl, [free[0]! + 2 / 4, free[1]!, free[2]!, free[3]! - 2 / 4], 1e-12);
    assertClose(
      [found.loss],
      [ratios.reduce((sum, r, i) => sum - (input.advantage_ntl[i]! * r) / 4, (2 * 2 * 0.5) / 4)],
      1e-12,
    );
    assert.equal(found.metrics["policy/fracPenalized"], 0.5);
  });

  it("charges one token at min, and none with share 0, bit for bit", () => {
    assertClose(slopes(moved, klCov(0.001)), [...free.slice(0, 3), free[3]! - 1 / 4], 1e-12);
    for (let seed = 1; seed <= 20; seed++) {
      const some = raggedInput(seed);
      const { metrics: _without, ...without } = surrogateGradient(some, row({}, "unclipped"));
      const { metrics: _with, ...with0 } = surrogateGradient(some, klCov(0));
      assert.deepEqual(with0, without);
    }
  });

  it("pushes nowhere while the policy has not moved, but for rounding", () => {
    assertClose(slopes(input, klCov(1)), plain, 0);
    const rounded = { ...input, oldLogProb_ntl: input.oldLogProb_ntl.map((x) => x + 2e-16 * Math.abs(x)) };
    assertClose(slopes(rounded, klCov(1)), plain, 1e-12);
  });
});

describe("the share of tokens by entropy", () => {
  it("has the quantile of NumPy and PyTorch as its threshold", () => {
    // Places 0 .. 3: share .5 stands at 1.5, between .2 and .3; share .2 at 2.4.
    assertClose(
      [1, 0.5, 0.2, 0].map((share) => entropyThreshold([0.4, 0.1, 0.3, 0.2], share)),
      [0.1, 0.25, 0.34, 0.4],
      1e-15,
    );
  });

  it("leaves the objective to the tokens at or above it, and the denominator to all", () => {
    assertClose(slopes(input, row({ entropyShare: 0.5 })), [-0.75, 0, 0.25, 0], 1e-12);
    assertClose(slopes(input, row({ entropyShare: 0 })), [-0.75, 0, 0, 0], 1e-12);
    // All of them tie at the threshold: all take part.
    assertClose(slopes({ ...input, entropy_ntl: [1, 1, 1, 1] }, row({ entropyShare: 0.2 })), plain, 1e-12);
  });

  it("charges a divergence and pays entropy for every token", () => {
    const regularizer = {
      entropyShare: 0,
      entropyCoef: 0.4,
      klReference: { coef: 1, estimator: "k3" },
    } as const;
    const found = surrogateGradient(
      { ...input, refLogProb_ntl: [-1.5, -0.5, -2.5, -3.5 + Math.log(2)] },
      row(regularizer),
    );
    // k3's slope is 1 - ref / pi: -1 on the last token; weight 1/4.
    assertClose(found.dLogProb_ntl, [-0.75, 0, 0, -0.25], 1e-12);
    assertClose(found.dEntropy_ntl!, [-0.1, -0.1, -0.1, -0.1], 1e-12);
  });

  it("is the row without it at 1, bit for bit: DAPO", () => {
    const all = recipe("highEntropy", { regularizer: { entropyShare: 1 } });
    const dapo = recipe("dapo", { reward: { overlong: null } });
    assert.deepEqual({ ...all, name: "" }, { ...dapo, name: "" });
  });

  it("asks for entropies", () => {
    const { entropy_ntl: _, ...without } = input;
    assert.throws(() => surrogateGradient(without, row({ entropyShare: 0.5 })), {
      name: "TypeError",
      message:
        "Cannot compute the surrogate gradient: recipe grpo with entropyShare needs entropy_ntl, got none.",
    });
  });
});

describe("an entropy bonus with a target", () => {
  const goal = { target: 0.5, step: 0.1, min: 0, max: 0.25 };

  it("grows below the target, shrinks above it, stays within its bounds, and is paid only below", () => {
    const seen = [0.4, 0.3, 0.2, 0.6, 0.5, 0.9, 0.1];
    let state = firstCoefficient(0);
    const paid = seen.map((entropy) => {
      state = nextCoefficient(goal, state, entropy);
      return [state.coef, paidCoefficient(state)];
    });
    // .1, .2, .3 -> .25; .6 is above: .15, unpaid; .5 is not below: .05; -.05 -> 0; and up again.
    const expected = [
      [0.1, 0.1],
      [0.2, 0.2],
      [0.25, 0.25],
      [0.15, 0],
      [0.05, 0],
      [0, 0],
      [0.1, 0.1],
    ];
    assertClose(paid.flat(), expected.flat(), 1e-12);
  });

  it("takes the weight that it is given for the row's own", () => {
    const steered = row({ entropyTarget: goal, entropyCoef: 0.1 });
    const own = surrogateGradient(input, steered);
    const given = surrogateGradient({ ...input, entropyCoef: 0.2 }, steered);
    // H sums to 1, weight 1/4.
    assertClose([own.loss - given.loss], [0.1 / 4], 1e-12);
    assertClose(given.dEntropy_ntl!, [-0.05, -0.05, -0.05, -0.05], 1e-12);
    assert.equal(surrogateGradient({ ...input, entropyCoef: 0 }, steered).dEntropy_ntl, undefined);
  });

  it("has bounds in their order", () => {
    assert.throws(() => row({ entropyTarget: { min: 0.5, max: 0.25 } }), {
      name: "RangeError",
      message:
        "Cannot make recipe grpo: regularizer.entropyTarget.max must be >= min, which is 0.5, got 0.25.",
    });
  });
});
