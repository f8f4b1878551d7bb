// Uses internals of turnwise/train.
import assert from "node:assert/strict";
import { recipe, type Recipe, surrogateGradient, surrogateLoss, tf } from "turnwise";
import { uncheckedSurrogate, type SurrogateInput } from "turnwise/internal/rule/index";
import { finiteNorm } from "turnwise/internal/train/finite";
import { assertClose, draws, onTensors, raggedInput, withoutLeak, type FullInput } from "./support";

const V = 4;

interface Whole {
  readonly logProb_ntlv: Float64Array;
  readonly oldLogProb_ntlv: Float64Array;
  readonly refLogProb_ntlv: Float64Array;
}

/** A ragged batch with whole distributions; the token 0 of each cell was sampled. */
function wholeInput(seed: number): FullInput & Whole & { readonly logits: Float64Array } {
  const plain = raggedInput(seed);
  const next = draws(seed + 7);
  const cells = plain.mask_ntl.length;
  const logits = Float64Array.from({ length: cells * V }, () => 3 * next());
  const normal = (x: Float64Array): Float64Array =>
    x.map((one, i) => {
      const row = x.subarray(i - (i % V), i - (i % V) + V);
      return one - Math.log(row.reduce((sum, y) => sum + Math.exp(y), 0));
    });
  const near = (): Float64Array => normal(logits.map((x) => x + next() - 0.5));
  const whole = { logProb_ntlv: normal(logits), oldLogProb_ntlv: near(), refLogProb_ntlv: near() };
  const ofToken = (x_ntlv: Float64Array): Float64Array => plain.advantage_ntl.map((_, i) => x_ntlv[i * V]!);
  return {
    ...plain,
    ...whole,
    logits,
    logProb_ntl: ofToken(whole.logProb_ntlv),
    oldLogProb_ntl: ofToken(whole.oldLogProb_ntlv),
    refLogProb_ntl: ofToken(whole.refLogProb_ntlv),
  };
}

/** d loss / d logits, from what the closed form says of sampled tokens and of logits. */
function inLogits(
  input: ReturnType<typeof wholeInput>,
  row: Recipe,
): { loss: number; dLogits: Float64Array } {
  const { loss, dLogProb_ntl, dLogit_ntlv } = surrogateGradient(input, row);
  const dLogits = dLogit_ntlv!.map((x, i) => {
    const cell = Math.floor(i / V);
    const sampled = i % V === 0 ? 1 : 0;
    return x + dLogProb_ntl[cell]! * (sampled - Math.exp(input.logProb_ntlv[i]!));
  });
  return { loss, dLogits };
}

const rows = (["reverse", "forward"] as const).map((direction) =>
  recipe("grpo", {
    aggregate: "tokenMean",
    regularizer: {
      klReference: { coef: 0.3, direction },
      klOld: { coef: 0.2, direction },
      clippingTriggered: { kind: "klPenalty", lambda: 2, direction },
    },
  }),
);

describe("an exact KL in a loss", () => {
  it("has one value and one gradient in the logits, in closed form and on tensors", () => {
    for (const [k, row] of rows.entries()) {
      const input = wholeInput(20 + k);
      const closed = inLogits(input, row);
      const shape = [...input.shape, V] as [number, number, number, number];
      const batch = onTensors(input);
      const tensor = (x: Float64Array): tf.Tensor4D => tf.tensor4d(Float32Array.from(x), shape);
      const found = withoutLeak(() => {
        const logits = tensor(input.logits);
        const others = {
          oldLogProb_ntlv: tensor(input.oldLogProb_ntlv),
          refLogProb_ntlv: tensor(input.refLogProb_ntlv),
        };
        const { value, grad } = tf.valueAndGrad((x: tf.Tensor) => {
          const logProb_ntlv = tf.logSoftmax(x) as tf.Tensor4D;
          const logProb_ntl = tf.squeeze(
            tf.slice(logProb_ntlv, [0, 0, 0, 0], [-1, -1, -1, 1]),
            [3],
          ) as tf.Tensor3D;
          return surrogateLoss({ ...batch, ...others, logProb_ntlv, logProb_ntl }, row).loss;
        })(logits);
        const read = { loss: value.dataSync()[0]!, dLogits: grad.dataSync().slice() };
        tf.dispose([value, grad, logits, ...Object.values(others)]);
        return read;
      });
      tf.dispose(Object.values(batch) as tf.Tensor[]);
      assertClose([closed.loss], [found.loss], 2e-6, "loss");
      assertClose(closed.dLogits, found.dLogits, 2e-6, "gradient");
    }
  });

  it("has the central difference of the loss as its gradient in the logits", () => {
    for (const [k, row] of rows.entries()) {
      const input = wholeInput(40 + k);
      const { dLogits } = inLogits(input, row);
      const at = (j: number, by: number): number => {
        const moved = input.logits.map((x, i) => (i === j ? x + by : x));
        const cell = j - (j % V);
        const total = Math.log(moved.subarray(cell, cell + V).reduce((sum, x) => sum + Math.exp(x), 0));
        const logProb_ntlv = input.logProb_ntlv.map((x, i) => (i - (i % V) === cell ? moved[i]! - total : x));
        const logProb_ntl = input.logProb_ntl.map((_, i) => logProb_ntlv[i * V]!);
        return surrogateGradient({ ...input, logProb_ntlv, logProb_ntl }, row).loss;
      };
      const h = 1e-5;
      const numeric = dLogits.map((_, j) => (at(j, h) - at(j, -h)) / (2 * h));
      assertClose(dLogits, numeric, 1e-8);
    }
  });

  it("changes no bit when masked cells hold NaN, and gives them no derivative", () => {
    for (const row of rows) {
      const input = wholeInput(3);
      const clean = surrogateGradient(input, row);
      const spoil = (x_ntlv: Float64Array): Float64Array =>
        x_ntlv.map((x, i) => (input.mask_ntl[Math.floor(i / V)] === 1 ? x : NaN));
      const spoilt = surrogateGradient(
        {
          ...input,
          logProb_ntlv: spoil(input.logProb_ntlv),
          oldLogProb_ntlv: spoil(input.oldLogProb_ntlv),
          refLogProb_ntlv: spoil(input.refLogProb_ntlv),
        },
        row,
      );
      assert.deepEqual(spoilt, clean);
      clean.dLogit_ntlv!.forEach((x, i) => {
        if (input.mask_ntl[Math.floor(i / V)] !== 1) assert.equal(x, 0);
      });
    }
  });

  it("is reported as it is: the mean of the divergence over the contexts", () => {
    const input = wholeInput(5);
    const { metrics } = surrogateGradient(input, rows[0]!);
    let [reference, old, count] = [0, 0, 0];
    input.mask_ntl.forEach((mask, cell) => {
      if (mask !== 1) return;
      count++;
      for (let i = cell * V; i < (cell + 1) * V; i++) {
        const p = Math.exp(input.logProb_ntlv[i]!);
        reference += p * (input.logProb_ntlv[i]! - input.refLogProb_ntlv[i]!);
        old += p * (input.logProb_ntlv[i]! - input.oldLogProb_ntlv[i]!);
      }
    });
    assertClose(
      [metrics["policy/klReference"]!, metrics["policy/klOld"]!],
      [reference / count, old / count],
      1e-12,
    );
  });

  it("says what is missing, what does not fit and where it is infinite", () => {
    const input = wholeInput(1);
    const row = recipe("grpo", { regularizer: { klOld: { coef: 0.1 } } });
    const refuses = (change: object, name: string, message: string): void => {
      assert.throws(
        () => surrogateGradient({ ...input, trajectoryId: ["a", "b", "c", "d"], ...change }, row),
        {
          name,
          message: `Cannot compute the surrogate gradient: ${message}`,
        },
      );
    };
    const must = "recipe grpo with the exact KL of klOld needs";
    refuses({ logProb_ntlv: undefined }, "TypeError", `${must} logProb_ntlv, got none.`);
    refuses({ oldLogProb_ntlv: undefined }, "TypeError", `${must} oldLogProb_ntlv, got none.`);
    refuses(
      { oldLogProb_ntlv: new Float64Array(V) },
      "TypeError",
      "logProb_ntlv and oldLogProb_ntlv must both have one number for every token of the vocabulary in each of 36 cells, but they have 144 and 4.",
    );
    // Every trajectory's first token is active.
    const ruledOut = input.oldLogProb_ntlv.map((x, i) => (i === 1 ? -Infinity : x));
    refuses(
      { oldLogProb_ntlv: ruledOut },
      "RangeError",
      "the divergence of regularizer.klOld must be finite, but it is Infinity at trajectory a, turn 0, token 0, where one policy rules out a token that the other may choose.",
    );
  });
});

describe("log-ratios of 1e4 nats", () => {
  const far = (by: (i: number) => number): SurrogateInput & { trajectoryId: string[] } => {
    const input = wholeInput(9);
    const move = (x_ntlv: Float64Array): Float64Array =>
      x_ntlv.map((x, i) => (i % V === 0 ? Math.min(0, x + by(Math.floor(i / V))) : x));
    return {
      ...input,
      trajectoryId: ["a", "b", "c", "d"],
      logProb_ntl: input.logProb_ntl.map((x, i) => x + by(i)),
      logProb_ntlv: move(input.logProb_ntlv),
    };
  };
  const shifts = [() => 1e4, () => -1e4, (i: number) => (i % 2 === 0 ? 1e4 : -1e4)];
  const ratios = [
    { level: "token" },
    ...(["turn", "trajectory"] as const).flatMap((level) =>
      (["geometric", "product", "arithmetic"] as const).map((pooling) => ({ level, pooling })),
    ),
  ] as const;
  const penalties = [
    null,
    { estimator: "exact" },
    { estimator: "exact", direction: "forward" },
    { form: "verl" },
    { form: "verlStraightThrough" },
    { form: "openRlhf" },
    { estimator: "k2" },
    { form: "trlCorrected" },
    { estimator: "k1", correction: "importanceWeighted" },
    { estimator: "k2", correction: "importanceWeighted" },
    { estimator: "k3", correction: "importanceWeighted", clamp: {} },
    { estimator: "k3+", correction: "importanceWeighted", clamp: {} },
  ] as const;
  const unlimited = [{ form: "trl" }, { estimator: "k3+" }] as const;

  for (const gate of ["unclipped", "clip", "dualClip", "sapo"] as const) {
    it(`leave loss and gradient finite with gate ${gate}, every ratio and every penalty that has a limit`, () => {
      for (const ratio of ratios) {
        for (const penalty of penalties) {
          const cell = penalty && { coef: 0.1, ...penalty };
          const regularizer = { klReference: cell, klOld: cell };
          const row = recipe("grpo", { gate, ratio, regularizer });
          for (const shift of shifts) {
            const { loss, dLogProb_ntl, dLogit_ntlv, metrics } = surrogateGradient(far(shift), row);
            const all = [loss, ...dLogProb_ntl, ...(dLogit_ntlv ?? []), ...Object.values(metrics)];
            assert.ok(all.every(Number.isFinite), JSON.stringify({ ratio, penalty }));
          }
        }
      }
    });
  }

  it("end an estimate without a limit in an error that names the token and what to do", () => {
    for (const penalty of unlimited) {
      const row = recipe("grpo", { regularizer: { klReference: { coef: 0.1, ...penalty } } });
      const input = far((i) => (i === 0 ? -1e4 : 0));
      const { loss, dLogProb_ntl } = uncheckedSurrogate(input, row);
      const gradient = { values: dLogProb_ntl, width: dLogProb_ntl.length, blocks: [0] };
      assert.throws(
        () => finiteNorm({ index: 3, loss, gradient, input, turns: [0, 1, 2] }),
        /update 3 has loss .*; worst token: trajectory a, turn 0, token 0, log-prob -1000\d\.\d+, old -.*, reference -.*, advantage .*; an estimate of a KL by k3 has no limit there: give it a clamp, or estimator: "exact"\.$/,
        JSON.stringify(penalty),
      );
    }
  });

  it("name a token that has no chance under either policy", () => {
    const input = { ...far(() => 0), refLogProb_ntl: undefined };
    const nothing = (x: ArrayLike<number>): Float64Array =>
      Float64Array.from(x, (one, i) => (i === 0 ? -Infinity : one));
    const { refLogProb_ntl: _, ...spoilt } = {
      ...input,
      logProb_ntl: nothing(input.logProb_ntl),
      oldLogProb_ntl: nothing(input.oldLogProb_ntl),
    };
    const { loss, dLogProb_ntl } = uncheckedSurrogate(spoilt, recipe("grpo"));
    const gradient = { values: dLogProb_ntl, width: dLogProb_ntl.length, blocks: [0] };
    assert.throws(
      () => finiteNorm({ index: 3, loss, gradient, input: spoilt, turns: [0, 1, 2] }),
      /worst token: trajectory a, turn 0, token 0, log-prob -Infinity, old -Infinity, advantage .*; a token that was sampled must have a probability above 0\.$/,
    );
  });
});
