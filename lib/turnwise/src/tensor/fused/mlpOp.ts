import { tf } from "../backend";
import { fusedArena } from "./engine";
import { fusedMlp, tokensInSight } from "./mlp";
import { FusedModel } from "./model";
import type { Sequences } from "./network";

/** The sizes of an MLP policy's network. */
export interface MlpOpShape {
  /** Number of tokens that can be seen; ids begin at 0. */
  readonly tokenCount: number;
  /** Number of tokens that can be chosen, which are the first ones. */
  readonly vocabularySize: number;
  /** Number of latest tokens in sight. */
  readonly window: number;
  readonly width: number;
}

type Block = "embedding" | "bias1" | "weight2" | "bias2" | "out" | "outBias";

/**
 * The MLP policy on TensorFlow.js tensors, written twice. It computes the log-probs of chosen tokens in nats,
 *
 *   h1 = tanh(sum_i E_i[token_i] + b1), h2 = tanh(h1 W2 + b2), log softmax(h2 W_out + b_out)[chosen]
 *
 * where token_i is the i-th latest token. `plain` is the readable expression of about twenty operations, `fused` a single
 * operation with a gradient of its own. Weights are one flat tensor: E, b1, W2, b2, W_out, b_out. Both throw a `RangeError`
 * if a context is empty or a token does not exist.
 */
export class MlpOp {
  readonly parameterCount: number;
  readonly #offset: Readonly<Record<Block, number>>;
  readonly #size: Readonly<Record<Block, readonly number[]>>;

  constructor(private readonly shape: MlpOpShape) {
    const { tokenCount, vocabularySize, window, width } = shape;
    this.#size = {
      embedding: [window * tokenCount, width],
      bias1: [width],
      weight2: [width, width],
      bias2: [width],
      out: [width, vocabularySize],
      outBias: [vocabularySize],
    };
    let next = 0;
    const offset: Partial<Record<Block, number>> = {};
    for (const [name, size] of Object.entries(this.#size) as [Block, readonly number[]][]) {
      offset[name] = next;
      next += tf.util.sizeFromShape([...size]);
    }
    this.#offset = offset as Record<Block, number>;
    this.parameterCount = next;
  }

  /** From weights [parameterCount] and a context and a chosen token per row to log-probs [rows]. */
  plain(
    weights: tf.Tensor1D,
    contexts: readonly (readonly number[])[],
    chosen: readonly number[],
  ): tf.Tensor1D {
    const { window, width, vocabularySize } = this.shape;
    const rows = this.#rows(contexts, chosen);
    const block = (name: Block): tf.Tensor => {
      const size = [...this.#size[name]];
      return tf.reshape(tf.slice(weights, this.#offset[name], tf.util.sizeFromShape(size)), size);
    };
    return tf.tidy(() => {
      const table = tf.concat([block("embedding"), tf.zeros([1, width])]);
      const inSight = tf.gather(
        table,
        tf.tensor1d(
          rows.map((row) => (row < 0 ? table.shape[0]! - 1 : row)),
          "int32",
        ),
      );
      const sum = tf.sum(tf.reshape(inSight, [contexts.length, window, width]), 1);
      const h1 = tf.tanh(tf.add(sum, block("bias1"))) as tf.Tensor2D;
      const h2 = tf.tanh(
        tf.add(tf.matMul(h1, block("weight2") as tf.Tensor2D), block("bias2")),
      ) as tf.Tensor2D;
      const logits = tf.add(tf.matMul(h2, block("out") as tf.Tensor2D), block("outBias"));
      const taken = tf.oneHot(tf.tensor1d([...chosen], "int32"), vocabularySize);
      return tf.sum(tf.mul(tf.logSoftmax(logits), taken), 1);
    });
  }

  /** The same as one operation on the fused kernels. */
  fused(
    weights: tf.Tensor1D,
    contexts: readonly (readonly number[])[],
    chosen: readonly number[],
  ): tf.Tensor1D {
    this.#rows(contexts, chosen);
    const { shape } = this;
    const at = (name: Block): number => this.#offset[name];
    const model = new FusedModel(fusedArena(), fusedMlp({ ...shape, at }), {
      vocabularySize: shape.vocabularySize,
      parameterCount: this.parameterCount,
      out: at("out"),
      outBias: at("outBias"),
    });
    const input = sequencesOf(contexts);
    const tokens = Int32Array.from(chosen);
    const op = tf.customGrad((...inputs) => {
      const own = Float64Array.from((inputs[0] as tf.Tensor1D).dataSync());
      const { logProb } = model.evaluate(own, input, tokens);
      return {
        value: tf.tensor1d(Float32Array.from(logProb)),
        gradFunc: (dOut: tf.Tensor) => {
          const logProbSlope = Float64Array.from(dOut.dataSync());
          // Another network may have used the memory in the meantime.
          if (!model.remembers) model.evaluate(own, input, tokens);
          return tf.tensor1d(Float32Array.from(model.backward({ logProb: logProbSlope })));
        },
      };
    });
    return op(weights) as tf.Tensor1D;
  }

  #rows(contexts: readonly (readonly number[])[], chosen: readonly number[]): Int32Array {
    const { tokenCount, vocabularySize } = this.shape;
    const wrong =
      contexts.find(
        (context) => context.length === 0 || context.some((token) => !(token >= 0 && token < tokenCount)),
      ) ??
      (chosen.every((token) => token >= 0 && token < vocabularySize) && chosen.length === contexts.length
        ? undefined
        : chosen);
    if (wrong) {
      throw new RangeError(
        `Cannot evaluate the MLP: contexts must be of tokens below ${tokenCount} and each have one chosen token below ${vocabularySize}, got [${wrong.join(", ")}].`,
      );
    }
    return tokensInSight(sequencesOf(contexts), this.shape);
  }
}

function sequencesOf(contexts: readonly (readonly number[])[]): Sequences {
  const count = contexts.length;
  const start = new Int32Array(count + 1);
  contexts.forEach((context, b) => (start[b + 1] = start[b]! + context.length));
  return {
    count,
    tokens: Int32Array.from(contexts.flat()),
    start,
    wanted: new Int32Array(count).fill(1),
    firstPlace: new Int32Array(count),
  };
}
