import assert from "node:assert/strict";
import { custom, recipe, surrogateGradient, tf } from "turnwise";
import { type SurrogateInput } from "turnwise/internal/rule/index";
import type { LossFunction, LossInput, Tf } from "turnwise/internal/rule/loss/contract";
import { raggedInput } from "./support";

const [N, T] = [3, 2];
const trajectoryId = ["a/0", "a/1", "b/0"];
const input: SurrogateInput & { readonly trajectoryId: readonly string[] } = {
  ...raggedInput(5, [N, T, 2]),
  trajectoryId,
};

const gradientOf = (f: LossFunction, of: SurrogateInput = input, turns?: number[]): unknown =>
  surrogateGradient(of, recipe("grpo", { loss: custom("mine", f) }), turns);

/** REINFORCE, as something that works. */
const sound = (tf: Tf, x: LossInput): tf.Tensor =>
  tf.neg(x.tokenMean(tf.mul(x.logProb_ntl, x.advantage_ntl)));

/** Only what a caller without types could pass. */
const untyped = (f: (tf: Tf, x: LossInput) => unknown): LossFunction => f as LossFunction;

const refuses = (
  f: LossFunction,
  Kind: typeof RangeError | typeof TypeError,
  message: string,
  of = input,
): Error => {
  let caught: unknown;
  try {
    gradientOf(f, of);
  } catch (error) {
    caught = error;
  }
  assert.ok(caught instanceof Kind, `must throw a ${Kind.name}, but threw ${String(caught)}`);
  assert.equal(caught.message, message);
  return caught;
};

describe("a custom loss is refused, by its label", () => {
  it("if it returns no tensor", () => {
    refuses(
      untyped(() => 3),
      TypeError,
      'Cannot compute loss "mine": it must return a tensor, got 3.',
    );
    refuses(
      untyped(() => undefined),
      TypeError,
      'Cannot compute loss "mine": it must return a tensor, got undefined.',
    );
  });

  it("if it returns a promise", () => {
    refuses(
      untyped((tf, x) => Promise.resolve(sound(tf, x))),
      TypeError,
      'Cannot compute loss "mine": it must return its tensor at once, got a Promise. Leave out async.',
    );
  });

  it("if it returns more than one number", () => {
    refuses(
      (tf, x) => tf.mul(x.logProb_ntl, x.advantage_ntl),
      TypeError,
      'Cannot compute loss "mine": it must return one number, such as x.tokenMean(...), got [3, 2, 2].',
    );
    refuses(
      (tf, x) => tf.sum(tf.mul(x.logProb_ntl, x.advantage_ntl), undefined, true),
      TypeError,
      'Cannot compute loss "mine": it must return one number, such as x.tokenMean(...), got [1, 1, 1].',
    );
  });

  it("if shapes do not fit within it, with TensorFlow.js's error as the cause", () => {
    const error = refuses(
      (tf, x) => tf.sum(tf.mul(x.logProb_ntl, tf.ones([5]))),
      TypeError,
      'Cannot compute loss "mine": it must not throw, but it threw Error: Operands could not be broadcast together with shapes 3,2,2 and 5.',
    );
    assert.match((error.cause as Error).message, /Operands could not be broadcast/);
  });

  it("if it throws, with what it threw as the cause", () => {
    const cause = new RangeError("no idea");
    const error = refuses(
      () => {
        throw cause;
      },
      TypeError,
      `Cannot compute loss "mine": it must not throw, but it threw RangeError: no idea`,
    );
    assert.equal(error.cause, cause);
  });

  it("if a derivative is not finite in a kept cell, with trajectory, turn and token", () => {
    const spoilt = {
      ...input,
      advantage_ntl: Float64Array.from(input.advantage_ntl, (A, i) => (i === 4 ? 0 : A)),
    };
    assert.equal(spoilt.mask_ntl[4], 1);
    // The root's slope at 0 is infinite, and the advantage that it is multiplied by is 0.
    const found =
      /^Cannot compute loss "mine": loss and derivatives must be finite, got loss [\d.]+\. Its derivative in logProb_ntl is NaN in trajectory a\/1, turn 0, token 0, where log-prob is -1\.53\d+, old log-prob -1\.56\d+, advantage 0\.$/;
    assert.throws(
      () =>
        gradientOf((tf, x) => x.tokenMean(tf.sqrt(tf.abs(tf.mul(x.logProb_ntl, x.advantage_ntl)))), spoilt),
      { name: "RangeError", message: found },
    );
  });

  it("if a derivative in the values is not finite, with trajectory and turn", () => {
    const values = { ...input, value_nt: [0, 0, 0, 0, 0, 0] };
    assert.throws(
      () => gradientOf((tf, x) => tf.add(sound(tf, x), x.turnMean(tf.sqrt(x.value_nt))), values),
      {
        name: "RangeError",
        message: /\. Its derivative in value_nt is Infinity in trajectory a\/0, turn 0\.$/,
      },
    );
  });

  it("if the loss alone is not finite, with a hint at masked cells", () => {
    refuses(
      (tf, x) => tf.add(sound(tf, x), tf.sum(tf.log(x.mask_ntl))),
      RangeError,
      'Cannot compute loss "mine": loss and derivatives must be finite, got loss -Infinity. ' +
        "All derivatives are finite: masked tokens hold 0, and 0 times infinity is NaN.",
    );
  });

  it("but not where the policy lost its numbers: then the log-prob is named", () => {
    const lost = { ...input, logProb_ntl: Float64Array.from(input.logProb_ntl, () => NaN) };
    assert.throws(() => gradientOf(sound, lost), {
      name: "RangeError",
      message: /^Cannot compute the surrogate gradient: .* got loss NaN\. logProb_ntl is NaN at trajectory /,
    });
  });

  it("if it depends on masked cells: a mean over all cells", () => {
    assert.throws(
      () => gradientOf((tf, x) => tf.neg(tf.mean(tf.mul(x.logProb_ntl, x.advantage_ntl)))),
      (error: Error) => {
        assert.equal(error.name, "RangeError");
        assert.match(
          error.message,
          /^Cannot compute loss "mine": it must not depend on masked positions: they held 0 for a loss of -?[\d.]+, and other numbers for -?[\d.]+; take means and sums under x\.mask_ntl, as x\.tokenMean does$/,
        );
        return true;
      },
    );
  });

  it("if it depends on turns that the step does not update: they are masked", () => {
    // Two trajectories of two turns of one token, all of them sampled: only the turn set masks any.
    const full = { ...raggedInput(6, [2, 2, 1]), mask_ntl: Uint8Array.of(1, 1, 1, 1) };
    const total: LossFunction = (tf, x) => tf.neg(tf.sum(tf.mul(x.logProb_ntl, x.advantage_ntl)));
    assert.doesNotThrow(() => gradientOf(total, full));
    assert.throws(() => gradientOf(total, full, [0]), /must not depend on masked positions/);
  });

  it("if only its derivative depends on masked cells", () => {
    // The loss is 0 at ratio 1 with any masked cells: (r - 1) times the mean over all cells.
    const same = { ...input, oldLogProb_ntl: input.logProb_ntl };
    assert.throws(
      () =>
        gradientOf((tf, x) => {
          const ratio = tf.exp(tf.sub(x.logProb_ntl, x.oldLogProb_ntl));
          return tf.mul(x.tokenMean(tf.sub(ratio, 1)), tf.mean(x.advantage_ntl));
        }, same),
      /^RangeError: Cannot compute loss "mine": it must not depend on masked positions: with other numbers in them, a derivative went from \S+ to \S+$/,
    );
  });

  it("if nothing that a policy could change moves it", () => {
    const depends =
      'Cannot compute loss "mine": it must depend on logProb_ntl or entropy_ntl, or no policy can learn from it, but it depends on ';
    refuses((_, x) => x.tokenMean(x.advantage_ntl), TypeError, `${depends}neither.`);
    refuses(
      (tf, x) => tf.neg(x.tokenMean(tf.mul(x.stopGradient(x.logProb_ntl), x.advantage_ntl))),
      TypeError,
      `${depends}neither.`,
    );
    refuses((tf, x) => x.turnMean(tf.square(x.value_nt)), TypeError, `${depends}value_nt alone.`, {
      ...input,
      value_nt: new Float64Array(N * T),
    });
  });

  it("if it reads values and the policy has none, with what to do", () => {
    for (const name of ["value_nt", "oldValue_nt", "valueTarget_nt"] as const) {
      refuses(
        (tf, x) => tf.add(sound(tf, x), x.turnMean(x[name])),
        TypeError,
        `Cannot compute loss "mine": ${name} must come from a policy with a value head, as policy: { valueHead: true } ` +
          'makes one, and as rules with advantage "gae" have it, but there is none.',
      );
    }
  });

  it("if it reads a reference or entropies that the caller did not give", () => {
    const { refLogProb_ntl: _, entropy_ntl: __, ...rest } = input;
    refuses(
      (tf, x) => x.tokenMean(tf.sub(x.logProb_ntl, x.refLogProb_ntl)),
      TypeError,
      'Cannot compute loss "mine": refLogProb_ntl must come from a reference policy, or the caller\'s refLogProb_ntl, but there is none.',
      rest,
    );
    refuses(
      (_, x) => x.tokenMean(x.entropy_ntl),
      TypeError,
      'Cannot compute loss "mine": entropy_ntl must come from the caller\'s entropy_ntl, but there is none.',
      rest,
    );
  });

  it("if it returns a tensor that it has disposed of, or disposes of its input", () => {
    refuses(
      (tf, x) => {
        const y = sound(tf, x);
        y.dispose();
        return y;
      },
      TypeError,
      `Cannot compute loss "mine": the tensor that it returns must stay alive, but it was disposed.`,
    );
    refuses(
      (tf, x) => {
        const y = sound(tf, x);
        x.oldLogProb_ntl.dispose();
        return y;
      },
      TypeError,
      'Cannot compute loss "mine": it must leave its input alone, but it disposed oldLogProb_ntl.',
    );
  });

  it("if each call leaves tensors behind, but not if the first keeps a constant", () => {
    const before = tf.memory().numTensors;
    const kept: tf.Tensor[] = [];
    refuses(
      (tf, x) => {
        kept.push(tf.keep(tf.scalar(1)));
        return sound(tf, x);
      },
      RangeError,
      `Cannot compute loss "mine": it must keep no tensors: each call leaves 1 more, by tf.keep or tf.variable`,
    );
    let constant: tf.Tensor | undefined;
    assert.doesNotThrow(() =>
      gradientOf((tf, x) => {
        constant ??= tf.keep(tf.scalar(2));
        return tf.mul(constant, sound(tf, x));
      }),
    );
    tf.dispose(kept);
    constant?.dispose();
    assert.equal(tf.memory().numTensors, before);
  });

  it("if it gives another number for the same tensors", () => {
    let calls = 0;
    refuses(
      (tf, x) => tf.add(x.tokenMean(tf.mul(x.logProb_ntl, 0)), ++calls),
      RangeError,
      'Cannot compute loss "mine": it must give the same twice, got 1, then 2.',
    );
  });

  it("without leaving a tensor behind", () => {
    const before = tf.memory().numTensors;
    assert.throws(() => gradientOf((tf, x) => tf.mul(x.logProb_ntl, tf.exp(x.logProb_ntl))));
    assert.throws(() => gradientOf((tf, x) => tf.mean(tf.exp(x.logProb_ntl))));
    assert.throws(() => gradientOf((tf, x) => x.tokenMean(tf.mul(tf.exp(x.logProb_ntl), tf.ones([7])))));
    assert.equal(tf.memory().numTensors, before);
    assert.equal(tf.getBackend(), "cpu");
  });
});

describe("a row with a whole loss", () => {
  const loss = custom("mine", sound);

  it("starts its ratio, gate, aggregate and regularizers from idle", () => {
    const row = recipe("dapo", { loss });
    assert.equal(row.loss, loss);
    assert.deepEqual(
      [row.ratio, row.gate, row.aggregate],
      [{ level: "none" }, { kind: "none" }, { kind: "tokenMean", per: "batch" }],
    );
    assert.deepEqual(
      [row.advantage.kind, row.scale.kind, row.filter.kind],
      ["mean", "group", "zeroVariance"],
    );
  });

  it("refuses what would compose a loss beside it", () => {
    const refuse = (cells: object, path: string, value: string): void => {
      assert.throws(() => recipe("grpo", { loss, ...cells }), {
        name: "RangeError",
        message: `Cannot make recipe grpo: ${path} must be left out with loss "mine", which takes its place, got ${value}.`,
      });
    };
    refuse({ ratio: "token" }, "ratio.level", '"token"');
    refuse({ gate: "clip" }, "gate.kind", '"clip"');
    refuse({ aggregate: "turnMean" }, "aggregate.kind", '"turnMean"');
    refuse({ aggregate: { per: "turn" } }, "aggregate.per", '"turn"');
    refuse({ regularizer: { entropyCoef: 0.1 } }, "regularizer.entropyCoef", "0.1");
    refuse(
      { regularizer: { clippingTriggered: "gradNorm" } },
      "regularizer.clippingTriggered.kind",
      '"gradNorm"',
    );
  });

  it("begins another row, and gets the parts of the table's row back when it gives its loss up", () => {
    const row = recipe("grpo", { loss, scale: "none" });
    const other = recipe(row, { update: { epochs: 1 } });
    assert.deepEqual([other.loss, other.gate.kind, other.update.epochs], [loss, "none", 1]);
    assert.throws(() => recipe(row, { gate: "clip" }), /gate\.kind must be left out with loss "mine"/);
    assert.deepEqual(recipe(row, { loss: null }), recipe("grpo", { scale: "none" }));
    assert.deepEqual(
      recipe(row, { loss: null, gate: "sapo" }),
      recipe("grpo", { scale: "none", gate: "sapo" }),
    );
  });

  it("refuses anything else than a function with a label", () => {
    assert.throws(() => recipe("grpo", { loss: sound as never }), {
      name: "TypeError",
      message: /^Cannot make recipe grpo: loss must be a function with a label, custom\("mine", f\)/,
    });
  });
});
