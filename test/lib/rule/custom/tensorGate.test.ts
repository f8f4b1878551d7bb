import assert from "node:assert/strict";
import { custom, recipe, surrogateGradient, surrogateLoss, type Recipe, tf } from "turnwise";
import type { TensorGate } from "turnwise/internal/rule/gate/tensorGate";
import { gate as gateAt } from "turnwise/internal/rule/gate/gate";
import { assertClose, onTensors, raggedInput } from "../support";

const row = (f: TensorGate, cells: object = {}): Recipe =>
  recipe("grpo", { gate: custom("mine", f), ...cells });

/** The clip of PPO, as a custom gate. */
const clip: TensorGate = (tf, { ratio, advantage }) =>
  tf.minimum(tf.mul(ratio, advantage), tf.mul(tf.clipByValue(ratio, 0.8, 1.2), advantage));

describe("a gate on tensors", () => {
  it("equals the gate that it is written after, at every level and pooling of the ratio", () => {
    const sapo: TensorGate = (tf, { ratio, advantage }) => {
      const tau = tf.add(1.05, tf.mul(-0.05, tf.step(advantage)));
      return tf.mul(tf.mul(tf.div(4, tau), tf.sigmoid(tf.mul(tau, tf.sub(ratio, 1)))), advantage);
    };
    const pairs = { clip, sapo, unclipped: ((tf, x) => tf.mul(x.ratio, x.advantage)) as TensorGate };
    for (const [name, f] of Object.entries(pairs)) {
      for (const ratio of [
        "token",
        ...(["turn", "trajectory"] as const).flatMap((level) =>
          (["geometric", "product", "arithmetic"] as const).map((pooling) => ({ level, pooling })),
        ),
      ] as const) {
        for (const turns of [undefined, [1]]) {
          const input = raggedInput(11);
          const closed = surrogateGradient(input, recipe("grpo", { gate: name as "clip", ratio }), turns);
          const found = surrogateGradient(input, row(f, { ratio }), turns);
          const what = `${name}, ${JSON.stringify(ratio)}, turns ${String(turns)}`;
          assertClose([found.loss], [closed.loss], 1e-12, what);
          assertClose(found.dLogProb_ntl, closed.dLogProb_ntl, 1e-12, what);
        }
      }
    }
  });

  it("writes CISPO in ten lines, with the gradient that one writes by hand", () => {
    const cispo = recipe("grpo", {
      gate: custom("cispo", (tf, { ratio, advantage, logProb, stopGradient }) => {
        const weight = stopGradient(tf.clipByValue(ratio, 0, 1.2));
        return tf.mul(tf.mul(weight, advantage), logProb);
      }),
      aggregate: "tokenMean",
    });
    const input = raggedInput(4, [4, 3, 3], 1.5);
    const M = input.mask_ntl.reduce((sum, kept) => sum + kept, 0);
    const { dLogProb_ntl } = surrogateGradient(input, cispo);
    const byHand = Array.from(input.mask_ntl, (kept, i) => {
      const ratio = Math.exp(input.logProb_ntl[i]! - input.oldLogProb_ntl[i]!);
      return kept === 0 ? 0 : (-Math.min(ratio, 1.2) * input.advantage_ntl[i]!) / M;
    });
    assertClose(dLogProb_ntl, byHand, 1e-13);
  });

  it("goes through ratio and log pi at once, as far as no stop-gradient stands before them", () => {
    // f = A (r + r sg(r) log pi)  =>  df/dr = A (1 + r log pi), df/dlogpi = A r^2; dr/dlogpi = r
    const row1 = row(
      (tf, { ratio, advantage, logProb, stopGradient }) =>
        tf.mul(advantage, tf.add(ratio, tf.mul(tf.mul(ratio, stopGradient(ratio)), logProb))),
      { aggregate: { kind: "constant", length: 1 } },
    );
    const input = {
      shape: [1, 1, 1],
      logProb_ntl: [-0.5],
      oldLogProb_ntl: [-0.9],
      mask_ntl: [1],
      advantage_ntl: [2],
    } as const;
    const r = Math.exp(0.4);
    const byHand = -2 * ((1 + r * -0.5) * r + r * r);
    assertClose(surrogateGradient(input, row1).dLogProb_ntl, [byHand], 1e-14);
  });

  it("shares the gradient of a unit's log pi among its tokens", () => {
    // One turn of two tokens, geometric: log pi of the unit is their mean, so that each gets half of the slope of both.
    const cells = {
      ratio: { level: "turn", pooling: "geometric" },
      aggregate: { kind: "constant", length: 1 },
    };
    const reinforce = row((tf, { advantage, logProb }) => tf.mul(advantage, logProb), cells);
    const input = {
      shape: [1, 1, 2],
      logProb_ntl: [-1, -3],
      oldLogProb_ntl: [-1, -2],
      mask_ntl: [1, 1],
      advantage_ntl: [1, 3],
    } as const;
    const { loss, dLogProb_ntl } = surrogateGradient(input, reinforce);
    assert.equal(loss, -(1 + 3) * -2);
    assertClose(dLogProb_ntl, [-2, -2], 1e-15);
  });

  it("is the gate of surrogateLoss, too", () => {
    const input = raggedInput(12);
    const batch = onTensors(input);
    const cells = { ratio: { level: "turn", pooling: "product" } };
    const f: TensorGate = (tf, { ratio, advantage, logProb, stopGradient }) =>
      tf.add(
        clip(tf, { ratio, advantage, logProb, stopGradient }),
        tf.mul(stopGradient(ratio), tf.mul(logProb, advantage)),
      );
    const { value, grad } = tf.valueAndGrad(
      (x: tf.Tensor) => surrogateLoss({ ...batch, logProb_ntl: x as tf.Tensor3D }, row(f, cells)).loss,
    )(batch.logProb_ntl);
    const expected = surrogateGradient(input, row(f, cells));
    assertClose(value.dataSync(), [expected.loss], 1e-5);
    assertClose(grad.dataSync(), expected.dLogProb_ntl, 1e-5);
    tf.dispose([value, grad, ...Object.values(batch)]);
  });

  it("is asked about one token by gate()", () => {
    const clipped = { objective: 2.4, slope: 0, slopeLogProb: 0, clipped: "no" };
    assert.deepEqual(gateAt(row(clip).gate, 1.5, 2), clipped);
  });

  it("does not see masked cells", () => {
    const input = raggedInput(13);
    const spoilt = input.advantage_ntl.map((A, i) => (input.mask_ntl[i] === 1 ? A : NaN));
    const found = surrogateGradient({ ...input, advantage_ntl: spoilt }, row(clip));
    assert.deepEqual(found.dLogProb_ntl, surrogateGradient(input, row(clip)).dLogProb_ntl);
  });

  const refuses = (
    f: TensorGate,
    Kind: typeof TypeError | typeof RangeError,
    message: RegExp | string,
  ): void => {
    const before = tf.memory().numTensors;
    assert.throws(
      () => surrogateGradient(raggedInput(14), row(f)),
      (error: Error) => {
        assert.ok(error instanceof Kind, String(error));
        if (typeof message === "string") assert.equal(error.message, message);
        else assert.match(error.message, message);
        return true;
      },
    );
    assert.equal(tf.memory().numTensors, before);
  };

  it("is refused, by its label, if it gives no number for each token", () => {
    refuses((() => 3) as never, TypeError, 'Cannot apply gate "mine": it must return a tensor, got 3.');
    refuses(
      (tf, x) => tf.mean(x.ratio),
      TypeError,
      /^Cannot apply gate "mine": it must return one number for each token, \[\d+\], got \[\]$/,
    );
    refuses(
      (async (_: unknown, x: { ratio: tf.Tensor }) => Promise.resolve(x.ratio)) as never,
      TypeError,
      'Cannot apply gate "mine": it must return its tensor at once, got a Promise. Leave out async.',
    );
  });

  it("is refused if it throws, with the cause", () => {
    refuses(
      (tf, x) => tf.mul(x.ratio, tf.ones([2, 999])),
      TypeError,
      /^Cannot apply gate "mine": it must not throw, but it threw Error: Operands could not be broadcast together with shapes/,
    );
  });

  it("is refused if nothing that a policy could change moves it", () => {
    refuses(
      (tf, { ratio, advantage, stopGradient }) => tf.mul(stopGradient(ratio), advantage),
      TypeError,
      'Cannot apply gate "mine": it must depend on ratio or logProb outside of stopGradient, or no policy can learn from it, but it depends on neither.',
    );
  });

  it("is refused if a number is not finite, with the token", () => {
    refuses(
      (tf, { ratio, advantage }) => tf.mul(tf.log(tf.sub(ratio, 100)), advantage),
      RangeError,
      /^Cannot apply gate "mine": its objective must be finite, but it is NaN at ratio [\d.]+, advantage -?[\d.]+, log-prob -[\d.]+$/,
    );
    refuses(
      (tf, { ratio, advantage }) => tf.mul(tf.sqrt(tf.mul(ratio, 0)), advantage),
      RangeError,
      /^Cannot apply gate "mine": its derivative in the ratio must be finite, but it is NaN at ratio/,
    );
  });

  it("is refused if a token's objective looks at other tokens", () => {
    refuses(
      (tf, { ratio, advantage }) => tf.mul(ratio, tf.sub(advantage, tf.mean(advantage))),
      RangeError,
      /^Cannot apply gate "mine": its objective of a token must depend on that token alone, but it is -?[\d.e-]+ among \d+ tokens and -?[\d.e-]+ among \d+\. To use several tokens, write a custom loss\.$/,
    );
  });

  it("refuses a knob that its expression makes idle", () => {
    assert.throws(
      () => recipe("grpo", { gate: { kind: "custom", by: custom("mine", clip), through: "logProb" } }),
      {
        name: "RangeError",
        message:
          'Cannot make recipe grpo: gate.through must be left out with gate "mine", an expression on tensors, where stopGradient says it, got "logProb".',
      },
    );
  });
});
