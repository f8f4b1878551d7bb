// Uses internals of turnwise/batch.
import assert from "node:assert/strict";
import {
  type Batch,
  custom,
  recipe,
  surrogateGradient,
  surrogateLoss,
  tokenCredit,
  type Recipe,
  type RecipeName,
  type RecipeOverrides,
  tf,
} from "turnwise";
import { concatBatches, selectTrajectories } from "turnwise/internal/batch/select";
import { corrected } from "turnwise/internal/rule/correction/corrected";
import { gates } from "turnwise/internal/rule/gate/index";
import { besideGate, assertClose, batchOf, onTensors, raggedInput } from "../support";

const { log } = Math;

// Two trajectories: two turns of two tokens, and one turn. Ratios of trainer to rollout engine:
//   first: turn 0: 4, 1/2; turn 1: 1/4, 1/2. Products: 2, 1/8; 1/4 in all. Geometric means: sqrt 2, sqrt 1/8; (1/4)^(1/4).
//   second: turn 0: 1, 8. Product 8, geometric mean sqrt 8.
const ratios = [4, 0.5, 0.25, 0.5, 1, 8, NaN, NaN];
const plain = batchOf({ groupId: ["a", "a"], return_n: [1, 0], turnCount: [2, 1], tokens: 2 });
const rolloutLogProb_ntl = Float64Array.from(ratios, (r) => -1 - log(r));
const batch: Batch = { ...plain, rolloutLogProb_ntl };

const row = (correction: NonNullable<RecipeOverrides["correction"]>): Recipe =>
  recipe("grpo", { correction });
const of = (correction: NonNullable<RecipeOverrides["correction"]>): ReturnType<typeof corrected> =>
  corrected(batch, row(correction), batch.mask_ntl);
const weights = (correction: NonNullable<RecipeOverrides["correction"]>): number[] => [
  ...of(correction).correction_ntl!,
];

describe("the correction of a row", () => {
  it("truncates the ratio of a token, of a turn or of a trajectory at C", () => {
    assertClose(weights({ kind: "truncate" }), [2, 0.5, 0.25, 0.5, 1, 2, 0, 0], 1e-12);
    assertClose(weights({ kind: "truncate", level: "turn" }), [2, 2, 1 / 8, 1 / 8, 2, 2, 0, 0], 1e-12);
    assertClose(
      weights({ kind: "truncate", level: "trajectory" }),
      [0.25, 0.25, 0.25, 0.25, 2, 2, 0, 0],
      1e-12,
    );
  });

  it("is the plain importance weight where C is infinite", () => {
    assertClose(weights({ kind: "truncate", high: null }), [4, 0.5, 0.25, 0.5, 1, 8, 0, 0], 1e-12);
    assertClose(
      weights({ kind: "truncate", level: "trajectory", high: null }),
      [0.25, 0.25, 0.25, 0.25, 8, 8, 0, 0],
      1e-12,
    );
  });

  it("limits an infinite C at e^20, as verl does", () => {
    const far = { ...batch, rolloutLogProb_ntl: rolloutLogProb_ntl.map((x) => x - 100) };
    const { correction_ntl } = corrected(far, row({ kind: "truncate", high: null }), batch.mask_ntl);
    assertClose(
      correction_ntl!,
      [1, 1, 1, 1, 1, 1, 0, 0].map((x) => x * Math.exp(20)),
      1e-12,
    );
  });

  it("masks what is outside of the bounds and keeps it in the denominators", () => {
    const { correction_ntl, trained_ntl } = of({ kind: "mask", low: 0.5, high: 5 });
    assertClose(correction_ntl!, [4, 0.5, 0, 0.5, 1, 0, 0, 0], 1e-12);
    assert.deepEqual([...trained_ntl], [1, 1, 1, 1, 1, 1, 0, 0]);
    // TRL's sequence_mask: only an upper bound, on the product.
    assertClose(
      weights({ kind: "mask", level: "trajectory", low: 0, high: 3 }),
      [0.25, 0.25, 0.25, 0.25, 0, 0, 0, 0],
      1e-12,
    );
  });

  it("weighs nothing in bypass, where the ratio of the row does", () => {
    assert.deepEqual(weights({ kind: "mask", oldLogProb: "bypass" }), [1, 1, 0, 1, 1, 0, 0, 0]);
  });

  it("rejects by the geometric mean, whatever the length, and takes the tokens out of the loss", () => {
    // (1/4)^(1/4) = .707 passes; sqrt 8 = 2.83 does not, though its first token agrees.
    const { correction_ntl, trained_ntl } = of({ kind: "reject", low: 0.7, high: 2 });
    assert.deepEqual([...correction_ntl!], [1, 1, 1, 1, 1, 1, 0, 0]);
    assert.deepEqual([...trained_ntl], [1, 1, 1, 1, 0, 0, 0, 0]);
    // By turns: 1.41 passes, .354 and 2.83 do not.
    const turns = of({ kind: "reject", level: "turn", low: 0.7, high: 2 });
    assert.deepEqual([...turns.trained_ntl], [1, 1, 0, 0, 0, 0, 0, 0]);
  });

  it("lets a bound itself pass", () => {
    assertClose(weights({ kind: "mask", low: 0.25, high: 8 }), [4, 0.5, 0.25, 0.5, 1, 8, 0, 0], 1e-12);
  });

  it("corrects nothing where the rollout engine is the trainer, or where the row has none", () => {
    for (const correction of ["none", "truncate", "mask", "reject"] as const) {
      const same = corrected(plain, row(correction), plain.mask_ntl);
      assert.deepEqual(same, { correction_ntl: undefined, trained_ntl: plain.mask_ntl, metrics: {} });
    }
    assert.equal(of("none").correction_ntl, undefined);
    assert.equal(of("none").trained_ntl, batch.mask_ntl);
  });

  it("leaves tokens out that were never part of the loss, but counts them in the ratio", () => {
    const trained_ntl = Uint8Array.from([1, 0, 1, 0, 1, 0, 0, 0]);
    const found = corrected(batch, row({ kind: "reject", low: 0.7, high: 2 }), trained_ntl);
    assert.deepEqual([...found.trained_ntl], [1, 0, 1, 0, 0, 0, 0, 0]);
    assert.deepEqual([...trained_ntl], [1, 0, 1, 0, 1, 0, 0, 0]);
  });

  it("measures the mismatch before it corrects, and what its weights leave", () => {
    const { metrics } = of({ kind: "truncate" });
    const d = [log(4), log(0.5), log(0.25), log(0.5), 0, log(8)];
    const sum = (xs: readonly number[]): number => xs.reduce((a, b) => a + b, 0);
    assertClose([metrics["mismatch/kl"]!], [-log(2) / 6], 1e-12); // the product of all ratios is 1/4 * 8 = 2
    // (3 - log 4) + 2 (-1/2 + log 2) + (-3/4 + log 4) + 0 + (7 - log 8)
    assertClose([metrics["mismatch/approxKl"]!], [(8.25 - log(2)) / 6], 1e-12);
    assertClose([metrics["mismatch/logProbGap"]!], [sum(d.map(Math.abs)) / 6], 1e-12);
    assert.equal(metrics["mismatch/ratioMax"]!.toFixed(9), "8.000000000");
    // 16 + 1/4 + 1/16 + 1/4 + 1 + 64 = 81.5625
    assertClose([metrics["mismatch/chiSquaredToken"]!], [81.5625 / 6 - 1], 1e-12);
    assertClose([metrics["mismatch/chiSquaredTrajectory"]!], [(1 / 16 + 64) / 2 - 1], 1e-12);
    // Weights 2, .5, .25, .5, 1, 2: sum 6.25, squares 9.5625.
    assertClose([metrics["mismatch/fracTruncated"]!], [2 / 6], 1e-12);
    assertClose([metrics["mismatch/fracMasked"]!], [0], 0);
    assertClose([metrics["mismatch/weightMean"]!], [6.25 / 6], 1e-12);
    assertClose([metrics["mismatch/effectiveSampleSize"]!], [6.25 ** 2 / (6 * 9.5625)], 1e-12);
  });

  it("counts masked and rejected tokens alike", () => {
    assertClose([of({ kind: "mask" }).metrics["mismatch/fracMasked"]!], [2 / 6], 1e-12);
    const dropped = of({ kind: "reject", low: 0.7, high: 2 }).metrics;
    assertClose(
      [dropped["mismatch/fracMasked"]!, dropped["mismatch/effectiveSampleSize"]!],
      [1 / 3, 2 / 3],
      1e-12,
    );
    const nothing = of({ kind: "reject" }).metrics;
    assertClose([nothing["mismatch/fracMasked"]!, nothing["mismatch/effectiveSampleSize"]!], [1, 0], 0);
    assert.equal(nothing["mismatch/fracTruncated"], 0);
  });

  it("goes along where rows of a batch are chosen and joined", () => {
    const again = concatBatches([selectTrajectories(batch, [1]), selectTrajectories(batch, [0])]);
    assertClose(
      corrected(again, row("truncate"), again.mask_ntl).correction_ntl!,
      [1, 2, 0, 0, 2, 0.5, 0.25, 0.5],
      1e-12,
    );
  });

  it("is part of what a token's credit is", () => {
    const [unweighted, weighted] = [recipe("rloo"), recipe("rloo", { correction: "truncate" })].map((one) =>
      tokenCredit(batch, one),
    );
    const c = [2, 0.5, 0.25, 0.5, 1, 2, 0, 0];
    assertClose(
      weighted!,
      unweighted!.map((x, i) => x * c[i]!),
      1e-12,
    );
  });
});

describe("the rows that correct", () => {
  it("are the rows that they are laid over where trainer and rollout engine agree", () => {
    const same: readonly (readonly [RecipeName, Recipe])[] = [
      ["tis", recipe("verlGrpo")],
      ["geoRs", recipe("verlGrpo")],
      ["icePop", recipe("grpo")],
      ["mis", recipe("grpo", { aggregate: "tokenMean" })],
    ];
    for (const [name, other] of same) {
      const { correction, name: own, ...cells } = recipe(name);
      const { correction: none, name: theirs, ...others } = other;
      assert.notEqual(correction.kind, none.kind);
      assert.notEqual(own, theirs);
      assert.deepEqual(cells, others);
      // Both engines are one: weights of 1, exactly.
      const agreeing = { ...plain, rolloutLogProb_ntl: plain.oldLogProb_ntl };
      const { correction_ntl, trained_ntl } = corrected(agreeing, recipe(name), plain.mask_ntl);
      assert.deepEqual([...correction_ntl!], [...plain.mask_ntl]);
      assert.deepEqual(trained_ntl, plain.mask_ntl);
    }
  });
});

describe("the weights of a correction in the loss", () => {
  const input = raggedInput(5);
  const c1 = input.advantage_ntl.map((_, i) => (i % 4) / 2);
  const c2 = input.advantage_ntl.map((_, i) => ((i * 7) % 5) / 3);
  const rows = Object.keys(gates).flatMap((kind) => {
    const ratio = gates[kind as keyof typeof gates].needsRatio
      ? (["token", "turn", "trajectory"] as const)
      : (["none"] as const);
    return ratio.flatMap((level) => {
      try {
        return [
          recipe("reinforce", {
            gate: { kind },
            ratio: { level },
            aggregate: "tokenMean",
            ...besideGate(kind),
          } as RecipeOverrides),
        ];
      } catch {
        return []; // a gate that some level does not suit
      }
    });
  });
  const own = recipe("grpo", {
    gate: custom("bent", { objective: ({ ratio, advantage }) => ratio * advantage - advantage ** 2 / 4 }),
  });

  it("multiply what each token earns, under every gate but gamma, which has them in W: the loss is linear in them", () => {
    assert.ok(rows.length > 10);
    // samplerRatio.test.ts has the weights in W.
    for (const one of [...rows.filter(({ gate }) => gate.kind !== "gamma"), own]) {
      const at = (correction_ntl?: ArrayLike<number>): { loss: number; dLogProb_ntl: Float64Array } =>
        surrogateGradient({ ...input, ...(correction_ntl && { correction_ntl }) }, one);
      const name = `${one.gate.kind}, ${one.ratio.level}`;
      const [first, second, both] = [at(c1), at(c2), at(c1.map((x, i) => x + c2[i]!))];
      assertClose([both.loss], [first.loss + second.loss], 1e-10, name);
      assertClose(
        both.dLogProb_ntl,
        first.dLogProb_ntl.map((x, i) => x + second.dLogProb_ntl[i]!),
        1e-10,
        name,
      );
      const ones = new Float64Array(c1.length).fill(1);
      assert.deepEqual(at(ones), at(), name);
    }
  });

  it("are the same as weights on the advantage under the gates that are homogeneous in it, and no others", () => {
    const asAdvantage = (one: Recipe): number =>
      surrogateGradient({ ...input, advantage_ntl: input.advantage_ntl.map((x, i) => x * c1[i]!) }, one).loss;
    for (const kind of ["none", "unclipped", "clip", "dualClip", "sapo"] as const) {
      for (const one of rows.filter(({ gate }) => gate.kind === kind)) {
        const { loss } = surrogateGradient({ ...input, correction_ntl: c1 }, one);
        assertClose([loss], [asAdvantage(one)], 1e-10, kind);
      }
    }
    const { loss } = surrogateGradient({ ...input, correction_ntl: c1 }, own);
    assert.ok(Math.abs(loss - asAdvantage(own)) > 1e-3);
  });

  it("leave regularizers alone, as in verl and TRL", () => {
    const nothing = new Float64Array(c1.length);
    const charged = recipe("grpo", {
      regularizer: { klReference: { coef: 0.3, form: "verl" }, entropyCoef: 0.1 },
    });
    const { loss, dEntropy_ntl } = surrogateGradient({ ...input, correction_ntl: nothing }, charged);
    const full = surrogateGradient(input, charged);
    const earned = surrogateGradient(input, recipe("grpo"));
    assertClose([loss], [full.loss - earned.loss], 1e-12);
    assert.deepEqual(dEntropy_ntl, full.dEntropy_ntl);
  });

  it("weigh the clipped-out terms as well", () => {
    const triggered = recipe("grpo", { regularizer: { clippingTriggered: "gradNorm" } });
    const twos = new Float64Array(c1.length).fill(2);
    const once = surrogateGradient(input, triggered).dClipBias_ntl!;
    const twice = surrogateGradient({ ...input, correction_ntl: twos }, triggered).dClipBias_ntl!;
    assert.ok(once.some((x) => x !== 0));
    assertClose(
      twice,
      once.map((x) => 2 * x),
      1e-12,
    );
  });

  it("come with the advantage in a custom loss", () => {
    const mine = recipe("grpo", {
      loss: custom("mean", (tfs, x) => tfs.neg(x.tokenMean(tfs.mul(x.logProb_ntl, x.advantage_ntl)))),
      correction: "truncate",
    });
    const theirs = recipe("reinforce", { aggregate: "tokenMean" });
    const weighted = { ...input, correction_ntl: c1 };
    const [a, b] = [mine, theirs].map((one) => surrogateGradient(weighted, one));
    assertClose([a!.loss], [b!.loss], 1e-12);
    assertClose(a!.dLogProb_ntl, b!.dLogProb_ntl, 1e-12);
  });

  it("are the same in the loss on tensors", () => {
    const mine = recipe("grpo", {
      loss: custom("mine", (tfs, x) => tfs.neg(x.tokenMean(tfs.mul(x.logProb_ntl, x.advantage_ntl)))),
    });
    for (const one of [recipe("grpo"), recipe("reinforce"), recipe("seeUpo"), recipe("gspo"), mine]) {
      const { loss } = surrogateGradient({ ...input, correction_ntl: c1 }, one);
      const correction_ntl = tf.tensor3d(Float32Array.from(c1), [...input.shape] as [number, number, number]);
      const found = surrogateLoss({ ...onTensors(input), correction_ntl }, one);
      assertClose(found.loss.dataSync(), [loss], 1e-5, one.name);
    }
  });

  it("must fit the shape", () => {
    assert.throws(() => surrogateGradient({ ...input, correction_ntl: [1, 2] }, recipe("grpo")), {
      name: "TypeError",
      message: /^Cannot compute the surrogate gradient: correction_ntl must have/,
    });
  });
});
