import assert from "node:assert/strict";
import { custom, recipe, recipeNames, surrogateGradient, surrogateLoss, type Recipe, tf } from "turnwise";
import { gateOf, gates } from "turnwise/internal/rule/gate/index";
import { besideGate, assertClose, onTensors, raggedInput, withoutLeak, type FullInput } from "./support";

/** Every gate that looks at a ratio. */
const crossed = (Object.keys(gates) as (keyof typeof gates)[]).filter((kind) => gates[kind].needsRatio);

/** Every recipe, and rows that cross the choices which no recipe combines. */
function manyRows(): { title: string; row: Recipe }[] {
  const rows = recipeNames.map((name) => ({ title: name as string, row: recipe(name) }));
  for (const level of ["turn", "trajectory"] as const) {
    for (const pooling of ["product", "geometric", "arithmetic"] as const) {
      for (const gate of crossed) {
        for (const aggregate of [
          { kind: "tokenMean", per: "turn" },
          { kind: "turnMean", over: "batch" },
          { kind: "constant", length: "maximum" },
        ] as const) {
          const row = recipe("grpo", { ratio: { level, pooling }, gate, aggregate, ...besideGate(gate) });
          rows.push({ title: `${level} ${pooling} ${gate} ${aggregate.kind}`, row });
        }
      }
    }
  }
  for (const form of ["trl", "trlCorrected", "verl", "verlStraightThrough", "openRlhf"] as const) {
    const regularizer = {
      klReference: { coef: 0.3, form },
      klOld: { coef: 0.2, form },
      entropyCoef: 0.1,
      clippingTriggered: { kind: "klPenalty", lambda: 2, form },
    } as const;
    for (const gate of ["clip", "dualClip"] as const) {
      rows.push({
        title: `every regularizer, ${form}, ${gate}`,
        row: recipe("grpo", { gate, regularizer }),
      });
    }
  }
  return rows;
}

const gradient = (input: FullInput, row: Recipe, turns?: number[]): Float64Array =>
  surrogateGradient(input, row, turns).dLogProb_ntl;

/** Value and gradient of the loss on tensors. */
function ofTensors(
  input: FullInput,
  row: Recipe,
  turns?: readonly number[],
): Record<"loss" | "grad", ArrayLike<number>> {
  const batch = onTensors(input);
  const found = withoutLeak(() => {
    const { value, grad } = tf.valueAndGrad(
      (x: tf.Tensor) => surrogateLoss({ ...batch, logProb_ntl: x as tf.Tensor3D }, row, turns).loss,
    )(batch.logProb_ntl);
    const read = { loss: value.dataSync().slice(), grad: grad.dataSync().slice() };
    tf.dispose([value, grad]);
    return read;
  });
  tf.dispose(Object.values(batch) as tf.Tensor[]);
  return found;
}

describe("surrogateLoss", () => {
  it("is surrogateGradient as one operation of TensorFlow.js, for every recipe and for some turns", () => {
    for (const [k, name] of recipeNames.entries()) {
      const row = recipe(name);
      const input = raggedInput(100 + k);
      const turns = row.order.kind === "simultaneous" ? undefined : [k % 3];
      const { loss, dLogProb_ntl } = surrogateGradient(input, row, turns);
      const found = ofTensors(input, row, turns);
      assertClose(found.loss, [loss], 1e-6, `${name}: loss`);
      assertClose(found.grad, dLogProb_ntl, 1e-5, `${name}: gradient`);
    }
  });

  it("has a gradient in the entropies and in what comes before and after it", () => {
    const row = recipe("grpo", { regularizer: { entropyCoef: 0.1 }, aggregate: "tokenMean" });
    const input = raggedInput(5);
    const tokens = input.mask_ntl.reduce((sum, one) => sum + one, 0);
    const batch = onTensors(input);
    // f(h) = loss(2 h)^2, so df / dh = 2 loss x 2 d loss / d entropy, which is -.1 / tokens.
    const { value, grad } = tf.valueAndGrad((half: tf.Tensor) => {
      const { loss } = surrogateLoss({ ...batch, entropy_ntl: tf.mul(half, 2) as tf.Tensor3D }, row);
      return tf.square(loss);
    })(tf.div(batch.entropy_ntl!, 2));
    const { loss } = surrogateGradient(input, row);
    assertClose(value.dataSync(), [loss ** 2], 1e-5);
    const expected = Float64Array.from(input.mask_ntl, (mask) => (mask * 2 * loss * 2 * -0.1) / tokens);
    assertClose(grad.dataSync(), expected, 1e-6);
    tf.dispose([value, grad, ...(Object.values(batch) as tf.Tensor[])]);
  });

  it("takes functions of numbers instead of ratio, gate, aggregate and regularizer", () => {
    const row = recipe("grpo", {
      ratio: { by: custom.ratio("mean", (d) => Math.exp(d.reduce((sum, x) => sum + x, 0) / d.length)) },
      gate: custom.gate("line", { objective: ({ ratio, advantage }) => ratio * advantage }),
      aggregate: custom.aggregate("by token", ({ tokens }) => 1 / tokens),
      regularizer: {
        custom: custom.regularizer("spring", ({ logProb, oldLogProb }) => (logProb - oldLogProb) ** 2),
      },
    });
    const input = raggedInput(6);
    const { loss, dLogProb_ntl } = surrogateGradient(input, row);
    const found = ofTensors(input, row);
    assertClose(found.loss, [loss], 1e-5);
    assertClose(found.grad, dLogProb_ntl, 1e-5);
  });

  it("knows a trajectory that a teacher played by its tokens, and refuses one that is half of each", () => {
    const input = raggedInput(8, [2, 1, 2]);
    const whole = { ...input, mask_ntl: Uint8Array.from([1, 1, 1, 0]) };
    const lossOf = (shown: readonly number[]): number => {
      const batch = { ...onTensors(whole), demonstration_ntl: tf.tensor3d([...shown], [2, 1, 2]) };
      const loss = tf.tidy(() => surrogateLoss(batch, recipe("rlPlus")).loss.dataSync()[0]!);
      tf.dispose(Object.values(batch));
      return loss;
    };
    // The mask of the last token is 0: nothing is known of it.
    for (const shown of [
      [0, 0, 1, 0],
      [0, 0, 1, 1],
    ]) {
      const { loss } = surrogateGradient({ ...whole, demonstration_n: [0, 1] }, recipe("rlPlus"));
      assertClose([lossOf(shown)], [loss], 1e-6);
    }
    assert.throws(() => lossOf([0, 1, 1, 1]), {
      name: "RangeError",
      message:
        "Cannot compute the surrogate loss: demonstration_ntl must be the same for all sampled tokens of a trajectory, but " +
        "it is 1 for 1 of the 2 tokens of trajectory 0.",
    });
  });

  it("changes no bit when masked cells hold NaN", () => {
    for (const name of ["grpo", "seeUpo", "rlPlus", "vespo", "at2po"] as const) {
      const input = raggedInput(9);
      assert.deepEqual(
        ofTensors(poisonedWith(NaN, input), recipe(name)),
        ofTensors(input, recipe(name)),
        name,
      );
    }
  });
});

/** The same batch, with something else in its masked cells. */
function poisonedWith(poison: number, input: FullInput): FullInput {
  const spoil = (x: ArrayLike<number>): Float64Array =>
    Float64Array.from(x, (v, i) => (input.mask_ntl[i] === 1 ? v : poison));
  return {
    ...input,
    logProb_ntl: spoil(input.logProb_ntl),
    oldLogProb_ntl: spoil(input.oldLogProb_ntl),
    refLogProb_ntl: spoil(input.refLogProb_ntl),
    entropy_ntl: spoil(input.entropy_ntl),
    advantage_ntl: spoil(input.advantage_ntl),
  };
}

describe("surrogateGradient", function () {
  this.timeout(60_000);
  const rows = manyRows();

  it("has the central difference of the loss as its gradient, to 1e-7", () => {
    const h = 1e-5;
    // The gradient of k3+ and of a weighted k2 is meant to be another than that of their values.
    const straight = rows.filter(({ title }) => !title.includes("StraightThrough"));
    for (const [k, { title, row }] of straight.entries()) {
      const input = raggedInput(500 + k);
      const closed = gradient(input, row);
      const throughLogProb = gateOf(row.gate).through === "logProb";
      const slope = (i: number, of: Recipe, held: boolean, advantage_ntl = input.advantage_ntl): number => {
        const at = (step: number): number => {
          const logProb_ntl = input.logProb_ntl.slice();
          const oldLogProb_ntl = Float64Array.from(input.oldLogProb_ntl);
          logProb_ntl[i]! += step;
          // A ratio behind a stop-gradient stays what it is.
          if (held) oldLogProb_ntl[i]! += step;
          return surrogateGradient({ ...input, logProb_ntl, oldLogProb_ntl, advantage_ntl }, of).loss;
        };
        return (at(h) - at(-h)) / (2 * h);
      };
      const { klOld } = row.regularizer;
      const numeric = closed.map((_, i) => {
        if (!throughLogProb || klOld === null) return slope(i, row, throughLogProb);
        // What the policy is charged for its distance from the old one has no stop-gradient: it is taken by itself.
        const uncharged = { ...row, regularizer: { ...row.regularizer, klOld: null } };
        const nothing = new Float64Array(input.advantage_ntl.length);
        return (
          slope(i, uncharged, true) + slope(i, row, false, nothing) - slope(i, uncharged, false, nothing)
        );
      });
      assertClose(closed, numeric, 1e-7, title);
    }
  });

  it("changes no bit of loss or gradient when masked cells hold NaN or 1e9", () => {
    for (const [k, { title, row }] of rows.entries()) {
      const input = raggedInput(900 + k);
      const clean = surrogateGradient(input, row);
      for (const poison of [NaN, 1e9, -Infinity]) {
        const found = surrogateGradient(poisonedWith(poison, input), row);
        assert.deepEqual(found, clean, `${title}: ${String(poison)}`);
      }
    }
  });

  it("gives one and the same gradient at ratio 1 for every level and pooling", () => {
    const input = raggedInput(7, [4, 3, 3], 0);
    const token = gradient(input, recipe("grpo"));
    for (const level of ["turn", "trajectory"] as const) {
      for (const pooling of ["product", "geometric", "arithmetic"] as const) {
        // A ratio of a unit spreads its gradient over the unit, so advantages must be equal within it.
        const advantage_ntl = input.advantage_ntl.map((_, i) => Math.floor(i / 9) - 1.5);
        const even = { ...input, advantage_ntl };
        const expected = gradient(even, recipe("grpo", { aggregate: "tokenMean" }));
        const row = recipe("grpo", { ratio: { level, pooling }, aggregate: "tokenMean" });
        assertClose(gradient(even, row), expected, 1e-12, `${level} ${pooling}`);
      }
    }
    assert.ok(token.some((x) => x !== 0));
  });

  it("visits the same terms turn by turn as all at once", () => {
    for (const aggregate of [
      "tokenMean",
      { kind: "sequenceMeanTokenMean", per: "turn" },
      "turnMean",
      "constant",
    ] as const) {
      const row = recipe("grpo", { aggregate, ratio: "turn" });
      const input = raggedInput(11);
      const whole = surrogateGradient(input, row);
      const parts = [0, 1, 2].map((t) => surrogateGradient(input, row, [t]));
      assertClose([parts.reduce((sum, part) => sum + part.loss, 0)], [whole.loss], 1e-12);
      const summed = whole.dLogProb_ntl.map((_, i) => parts.reduce((sum, p) => sum + p.dLogProb_ntl[i]!, 0));
      assertClose(summed, whole.dLogProb_ntl, 1e-12);
    }
  });

  it("names the input that a row needs and did not get", () => {
    const { refLogProb_ntl: _, ...input } = raggedInput(1);
    const row = recipe("seeUpo", { variant: "authors" });
    assert.throws(() => surrogateGradient(input, row), {
      name: "TypeError",
      message:
        "Cannot compute the surrogate gradient: recipe seeUpoAuthors with klReference needs refLogProb_ntl, got none.",
    });
    assert.throws(() => surrogateGradient({ ...input, mask_ntl: [1] }, recipe("grpo")), {
      name: "TypeError",
      message: "Cannot compute the surrogate gradient: mask_ntl must have 36 (4 x 3 x 3) entries, got 1.",
    });
    assert.throws(() => surrogateGradient(input, recipe("grpo"), [3]), {
      name: "RangeError",
      message: "Cannot compute the surrogate gradient: turns must be integers from 0 to 2, got 3.",
    });
  });
});
