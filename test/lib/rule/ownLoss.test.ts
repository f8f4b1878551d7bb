import assert from "node:assert/strict";
import {
  make,
  scriptedBatch,
  compareRecipes,
  custom,
  recipe,
  surrogateGradient,
  surrogateLoss,
  tokenCredit,
  type Recipe,
  type RecipeName,
  tf,
} from "turnwise";
import { type SurrogateInput } from "turnwise/internal/rule/index";
import type { LossFunction } from "turnwise/internal/rule/loss/contract";
import { tableCells } from "turnwise/internal/rule/table";
import * as losses from "./losses";
import { assertClose, onTensors, raggedInput } from "./support";

const own = (f: LossFunction, name: RecipeName = "grpo"): Recipe => recipe(name, { loss: custom("mine", f) });

/** Each loss beside the row that computes the same in closed form. */
const pairs: readonly { readonly f: LossFunction; readonly row: Recipe }[] = [
  { f: losses.grpo, row: recipe("grpo") },
  { f: losses.gspo, row: recipe("gspo") },
  { f: losses.sapo, row: recipe("sapo") },
  {
    f: losses.regularized,
    row: recipe("grpo", { regularizer: { klReference: { coef: 0.1, estimator: "k3" }, entropyCoef: 0.02 } }),
  },
];

describe("a custom loss", () => {
  it("has value and derivative of the row that it is written after, to twelve digits", () => {
    for (const [k, { f, row }] of pairs.entries()) {
      for (const turns of [undefined, [0], [1, 2]]) {
        for (let seed = 0; seed < 5; seed++) {
          const input = raggedInput(10 * k + seed);
          const closed = surrogateGradient(input, row, turns);
          const found = surrogateGradient(input, own(f), turns);
          const what = `${row.name}, turns ${String(turns)}, seed ${seed}`;
          assertClose([found.loss], [closed.loss], 1e-12, what);
          assertClose(found.dLogProb_ntl, closed.dLogProb_ntl, 1e-12, what);
          if (closed.dEntropy_ntl) assertClose(found.dEntropy_ntl!, closed.dEntropy_ntl, 1e-12, what);
          for (const name of ["policy/loss", "policy/approxKl", "policy/entropy"] as const) {
            assertClose([found.metrics[name]!], [closed.metrics[name]!], 1e-12, `${what}, ${name}`);
          }
        }
      }
    }
  });

  it("may hold NaN in masked cells of every array", () => {
    const input = raggedInput(7);
    const spoil = (x: ArrayLike<number>): number[] =>
      Array.from(x, (v, i) => (input.mask_ntl[i] === 1 ? v : NaN));
    const spoilt: SurrogateInput = {
      ...input,
      logProb_ntl: spoil(input.logProb_ntl),
      oldLogProb_ntl: spoil(input.oldLogProb_ntl),
      refLogProb_ntl: spoil(input.refLogProb_ntl),
      entropy_ntl: spoil(input.entropy_ntl),
      advantage_ntl: spoil(input.advantage_ntl),
    };
    for (const { f } of pairs) {
      const [clean, dirty] = [surrogateGradient(input, own(f)), surrogateGradient(spoilt, own(f))];
      assert.equal(dirty.loss, clean.loss);
      assert.deepEqual(dirty.dLogProb_ntl, clean.dLogProb_ntl);
    }
  });

  it("drops what its derivative is in masked cells", () => {
    const input = { ...raggedInput(8, [3, 2, 2]), value_nt: [1, 2, 3, 4, 5, 6] };
    const turns = [0, 1, 2].flatMap((n) => [0, 1].map((t) => 2 * n + t));
    const taken = turns.map((nt) => input.mask_ntl[2 * nt]! + input.mask_ntl[2 * nt + 1]! > 0);
    assert.ok(taken.includes(false) && input.mask_ntl.includes(0));
    // Masked cells hold 0, where the slope of a root is infinite, and infinity times the mask's 0 is NaN.
    const row = own((tf, x) => {
      const token = tf.mul(x.mask_ntl, tf.sqrt(tf.neg(x.logProb_ntl)));
      return tf.add(tf.sum(token), tf.sum(tf.mul(x.turnMask_nt, tf.sqrt(x.value_nt))));
    });
    const { dLogProb_ntl, dValue_nt } = surrogateGradient(input, row);
    const byHand = input.logProb_ntl.map((x, i) => (input.mask_ntl[i] === 0 ? 0 : -0.5 / Math.sqrt(-x)));
    assertClose(dLogProb_ntl, byHand, 1e-14);
    assertClose(
      dValue_nt!,
      turns.map((nt) => (taken[nt] ? 0.5 / Math.sqrt(input.value_nt[nt]!) : 0)),
      1e-14,
    );
  });

  it("has a derivative that finite differences confirm, in log-probs, entropies and values", () => {
    const input = { ...raggedInput(3, [3, 2, 2]), value_nt: [0.1, 0.4, -0.2, 0.3, 0.5, 0.2] };
    const row = own((tf, x) => {
      const policy = losses.cispo(tf, x);
      const surprise = tf.mul(x.entropy_ntl, tf.square(x.logProb_ntl));
      return tf.add(tf.add(policy, x.sequenceMean(surprise)), x.turnMean(tf.pow(tf.add(x.value_nt, 1), 3)));
    });
    const { dEntropy_ntl, dValue_nt } = surrogateGradient(input, row);
    const h = 1e-5;
    const central = (name: "entropy_ntl" | "value_nt", i: number): number => {
      const at = (shift: number): number => {
        const moved = Array.from(input[name], (x, k) => (k === i ? x + shift : x));
        return surrogateGradient({ ...input, [name]: moved }, row).loss;
      };
      return (at(h) - at(-h)) / (2 * h);
    };
    const cells = [...input.mask_ntl.keys()];
    assertClose(
      dEntropy_ntl!,
      cells.map((i) => central("entropy_ntl", i)),
      1e-8,
    );
    assertClose(
      dValue_nt!,
      input.value_nt.map((_, i) => central("value_nt", i)),
      1e-8,
    );
  });

  it("with a stop-gradient is CISPO: - w A / M for each token, w = min(ratio, 1.2)", () => {
    const input = raggedInput(4, [4, 3, 3], 1.5);
    const { loss, dLogProb_ntl } = surrogateGradient(input, own(losses.cispo));
    let [M, expected] = [0, 0];
    for (const kept of input.mask_ntl) M += kept;
    const byHand = Array.from(input.mask_ntl, (kept, i) => {
      if (kept === 0) return 0;
      const weight = Math.min(Math.exp(input.logProb_ntl[i]! - input.oldLogProb_ntl[i]!), 1.2);
      expected -= (weight * input.advantage_ntl[i]! * input.logProb_ntl[i]!) / M;
      return -(weight * input.advantage_ntl[i]!) / M;
    });
    assertClose([loss], [expected], 1e-13);
    assertClose(dLogProb_ntl, byHand, 1e-13);
  });

  it("gets means whose denominators count all turns, so that the steps of an order add up to the simultaneous one", () => {
    const input = raggedInput(9);
    for (const f of [losses.grpo, losses.cispo]) {
      const parts = [0, 1, 2].map((t) => surrogateGradient(input, own(f), [t]).loss);
      assertClose([parts[0]! + parts[1]! + parts[2]!], [surrogateGradient(input, own(f)).loss], 1e-12);
    }
  });

  it("gets helpers that do what a sum by hand does", () => {
    // Two trajectories: one of tokens 1 and 2 (two turns), one of token 4.
    const input: SurrogateInput = {
      shape: [2, 2, 1],
      logProb_ntl: [-1, -2, -4, 9],
      oldLogProb_ntl: [-1, -2, -4, 9],
      mask_ntl: [1, 1, 1, 0],
      advantage_ntl: [1, 1, 1, 9],
      value_nt: [3, 6, 12, 99],
    };
    const lossOf = (f: LossFunction, turns?: number[]): number =>
      surrogateGradient(input, own(f), turns).loss;
    assertClose([lossOf((_, x) => x.tokenMean(x.logProb_ntl))], [-7 / 3], 1e-15);
    assertClose([lossOf((_, x) => x.tokenMean(x.logProb_ntl), [1])], [-2 / 3], 1e-15);
    assert.equal(
      lossOf((_, x) => x.sequenceMean(x.logProb_ntl)),
      (-1.5 - 4) / 2,
    );
    assert.equal(
      lossOf((tf, x) => tf.sum(x.maskedMean(x.logProb_ntl, x.mask_ntl, [1, 2]))),
      -1.5 - 4,
    );
    const withValues =
      (f: LossFunction): LossFunction =>
      (tf, x) =>
        tf.add(f(tf, x), tf.sum(tf.mul(0, x.logProb_ntl)));
    assert.equal(lossOf(withValues((_, x) => x.turnMean(x.value_nt))), 7);
    assert.equal(
      lossOf(
        withValues((_, x) => x.turnMean(x.value_nt)),
        [1],
      ),
      6,
    );
    // 1 / x is infinite where the advantage of a masked cell is 0; a mean under the mask does not see it.
    assert.equal(lossOf(withValues((tf, x) => x.tokenMean(tf.div(1, x.advantage_ntl)))), 1);
  });

  it("is the loss of surrogateLoss, too, on tensors that somebody else differentiates", () => {
    for (const [k, { f, row }] of pairs.entries()) {
      const input = raggedInput(30 + k);
      const batch = onTensors(input);
      const { loss, metrics } = surrogateLoss(batch, own(f));
      const expected = surrogateGradient(input, row);
      assertClose(loss.dataSync(), [expected.loss], 1e-5);
      assert.equal(metrics["policy/loss"], loss.dataSync()[0]);
      const gradient = tf.grad(
        (x) => surrogateLoss({ ...batch, logProb_ntl: x as tf.Tensor3D }, own(f)).loss,
      );
      const found = gradient(batch.logProb_ntl);
      assertClose(found.dataSync(), expected.dLogProb_ntl, 1e-5);
      tf.dispose([loss, found, ...Object.values(batch)]);
    }
  });

  it("has a credit for each token, as the rows of the table have", () => {
    const env = make("LookUp-v0");
    const batch = scriptedBatch(env, [
      [["ANSWER", "0"]],
      [
        ["LOOKUP", "0"],
        ["ANSWER", "3"],
      ],
    ]);
    assertClose(tokenCredit(batch, own(losses.grpo)), tokenCredit(batch, recipe("grpo")), 1e-14);
  });

  it("gets the values that tokenCredit is given, and is refused where it needs more", () => {
    const env = make("LookUp-v0");
    const batch = scriptedBatch(env, [
      [["ANSWER", "0"]],
      [
        ["LOOKUP", "0"],
        ["ANSWER", "3"],
      ],
    ]);
    const f: LossFunction = (tf, x) => tf.add(losses.grpo(tf, x), x.turnMean(tf.square(x.value_nt)));
    assertClose(tokenCredit(batch, own(f), new Float64Array(4)), tokenCredit(batch, recipe("grpo")), 1e-14);
    assert.throws(
      () => tokenCredit(batch, own(f)),
      /^TypeError: Cannot compute loss "mine": value_nt must come from/,
    );
  });

  it("shows in the printed row, and where rows are compared", () => {
    const cells = tableCells(own(losses.cispo));
    assert.ok(cells.includes("loss mine"), cells.join(" | "));
    const { differences } = compareRecipes("grpo", own(losses.cispo));
    assert.deepEqual(
      differences.filter(({ field }) => field.startsWith("loss")),
      [{ field: "loss", values: ["off", "mine"] }],
    );
  });
});
