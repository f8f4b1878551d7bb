import assert from "node:assert/strict";
import fc from "fast-check";
import { recipe, recipeNames, surrogateGradient, surrogateLoss, type Recipe, tf } from "turnwise";
import { gateOf, gates } from "turnwise/internal/rule/gate/index";
import { assertClose, onTensors, raggedInput, withoutLeak, type FullInput } from "./support";

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
          const row = recipe("grpo", { ratio: { level, pooling }, gate, aggregate });
          rows.push({ title: `${level} ${pooling} ${gate} ${aggregate.kind}`, row });
        }
      }
    }
  }
  for (const form of ["trl", "trlCorrected", "verl", "verlStraightThrough", "openRlhf"] as const) {
    const regulariser = {
      klReference: { coef: 0.3, form },
      klOld: { coef: 0.2, form },
      entropyCoef: 0.1,
      clippingTriggered: { kind: "klPenalty", lambda: 2, form },
    } as const;
    for (const gate of ["clip", "dualClip"] as const) {
      rows.push({
        title: `every regulariser, ${form}, ${gate}`,
        row: recipe("grpo", { gate, regulariser }),
      });
    }
  }
  return rows;
}

const gradient = (input: FullInput, row: Recipe, turns?: number[]): Float64Array =>
  surrogateGradient(input, row, turns).dLogProb_ntl;

describe("surrogateLoss and surrogateGradient", function () {
  this.timeout(60_000);
  const rows = manyRows();

  it("agree in value and gradient for every recipe and every crossing of choices", () => {
    for (const [k, { title, row }] of rows.entries()) {
      const input = raggedInput(100 + k);
      const turns = row.order.kind === "simultaneous" ? undefined : [k % 3];
      const fast = surrogateGradient(input, row, turns);
      const batch = onTensors(input);
      const reference = withoutLeak(() => {
        const { value, grad } = tf.valueAndGrad((x: tf.Tensor) => {
          return surrogateLoss({ ...batch, logProb_ntl: x as tf.Tensor3D }, row, turns).loss;
        })(batch.logProb_ntl);
        const result = { value: value.dataSync()[0]!, grad: grad.dataSync().slice() };
        tf.dispose([value, grad]);
        return result;
      });
      assertClose([fast.loss], [reference.value], 2e-5, `${title}: loss`);
      assertClose(fast.dLogProb_ntl, reference.grad, 2e-5, `${title}: gradient`);
      tf.dispose(Object.values(batch) as tf.Tensor[]);
    }
  });

  it("agree for any ragged batch, recipe and set of turns", () => {
    const cases = fc.record({
      n: fc.integer({ min: 1, max: 4 }),
      t: fc.integer({ min: 1, max: 4 }),
      l: fc.integer({ min: 1, max: 3 }),
      seed: fc.integer({ min: 1, max: 1e6 }),
      spread: fc.constantFrom(0, 0.001, 0.8, 3),
      row: fc.constantFrom(...rows),
      chosen: fc.option(fc.nat()),
    });
    fc.assert(
      fc.property(cases, ({ n, t, l, seed, spread, row: { row }, chosen }) => {
        const input = raggedInput(seed, [n, t, l], spread);
        const batch = onTensors(input);
        // Single precision on both sides, so that no ratio falls on different sides of a clip bound.
        const single = Object.fromEntries(
          Object.entries(input).map(([key, x]) => [
            key,
            x instanceof Float64Array ? Float32Array.from(x) : x,
          ]),
        ) as unknown as FullInput;
        const turns = chosen === null ? undefined : [chosen % t];
        const fast = surrogateGradient(single, row, turns);
        const [loss, grad] = withoutLeak(() => {
          const both = tf.valueAndGrad(
            (x: tf.Tensor) => surrogateLoss({ ...batch, logProb_ntl: x as tf.Tensor3D }, row, turns).loss,
          )(batch.logProb_ntl);
          const read = [both.value.dataSync().slice(), both.grad.dataSync().slice()] as const;
          tf.dispose([both.value, both.grad]);
          return read;
        });
        tf.dispose(Object.values(batch) as tf.Tensor[]);
        assertClose([fast.loss], loss, 5e-5, `${row.name}: loss`);
        assertClose(fast.dLogProb_ntl, grad, 5e-5, `${row.name}: gradient`);
      }),
      { numRuns: 40, seed: 1 },
    );
  });

  it("has the central difference of the loss as its gradient, to 1e-7", () => {
    const h = 1e-5;
    // The gradient of k3+ and of a weighted k2 is meant to be another than that of their values.
    const straight = rows.filter(({ title }) => !title.includes("StraightThrough"));
    for (const [k, { title, row }] of straight.entries()) {
      const input = raggedInput(500 + k);
      const closed = gradient(input, row);
      const throughLogProb = gateOf(row.gate).through === "logProb";
      const numeric = closed.map((_, i) => {
        const at = (step: number): number => {
          const logProb_ntl = input.logProb_ntl.slice();
          const oldLogProb_ntl = Float64Array.from(input.oldLogProb_ntl);
          logProb_ntl[i]! += step;
          // A ratio behind a stop-gradient stays what it is.
          if (throughLogProb) oldLogProb_ntl[i]! += step;
          return surrogateGradient({ ...input, logProb_ntl, oldLogProb_ntl }, row).loss;
        };
        return (at(h) - at(-h)) / (2 * h);
      });
      assertClose(closed, numeric, 1e-7, title);
    }
  });

  it("changes no bit of loss or gradient when masked cells hold NaN or 1e9", () => {
    for (const [k, { title, row }] of rows.entries()) {
      const input = raggedInput(900 + k);
      const clean = surrogateGradient(input, row);
      for (const poison of [NaN, 1e9, -Infinity]) {
        const spoil = (x: ArrayLike<number>): Float64Array =>
          Float64Array.from(x, (v, i) => (input.mask_ntl[i] === 1 ? v : poison));
        const poisoned: FullInput = {
          ...input,
          logProb_ntl: spoil(input.logProb_ntl),
          oldLogProb_ntl: spoil(input.oldLogProb_ntl),
          refLogProb_ntl: spoil(input.refLogProb_ntl),
          entropy_ntl: spoil(input.entropy_ntl),
          advantage_ntl: spoil(input.advantage_ntl),
        };
        assert.deepEqual(surrogateGradient(poisoned, row), clean, `${title}: fast form, ${String(poison)}`);
        const value = (from: FullInput): { loss: Float32Array; grad: Float32Array } => {
          const batch = onTensors(from);
          const both = tf.valueAndGrad(
            (x: tf.Tensor) => surrogateLoss({ ...batch, logProb_ntl: x as tf.Tensor3D }, row).loss,
          )(batch.logProb_ntl);
          const result = {
            loss: both.value.dataSync().slice() as Float32Array,
            grad: both.grad.dataSync().slice() as Float32Array,
          };
          tf.dispose([both.value, both.grad, ...(Object.values(batch) as tf.Tensor[])]);
          return result;
        };
        assert.deepEqual(value(poisoned), value(input), `${title}: tensors, ${String(poison)}`);
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
        "Cannot compute the surrogate gradient as recipe seeUpoAuthors with klReference must get refLogProb_ntl: got none",
    });
    assert.throws(() => surrogateGradient({ ...input, mask_ntl: [1] }, recipe("grpo")), {
      name: "TypeError",
      message:
        "Cannot compute the surrogate gradient as mask_ntl must have 36 (4 x 3 x 3) entries: current length is 1",
    });
    assert.throws(() => surrogateGradient(input, recipe("grpo"), [3]), {
      name: "RangeError",
      message: "Cannot compute the surrogate gradient as turns must be whole numbers from 0 to 2: got 3",
    });
  });
});
