import { show } from "../../base/show";
import { tf } from "../../tensor";
import { inputOf, type Encoding, type Place, type PolicyInput } from "./input";
import { strictly, type Block } from "./parameters";

/** The functions that a user wrote. */
export interface Heads {
  readonly name: string;
  logits(tensors: typeof tf, p: Readonly<Record<string, tf.Tensor>>, x: PolicyInput): tf.Tensor;
  value?(tensors: typeof tf, p: Readonly<Record<string, tf.Tensor>>, x: PolicyInput): tf.Tensor;
}

/** Outputs of the heads for B places. */
export interface Outputs {
  /** [B, V]. */
  readonly logits: Float32Array;
  /** [B]; undefined without a value head. */
  readonly values: Float32Array | undefined;
}

/** The user's forward pass on tensors, and its gradient by TensorFlow.js. Everything that it returns is plain numbers. */
export class Graph {
  readonly #heads: Heads;
  readonly #blocks: readonly Block[];
  readonly #encoding: Encoding;

  constructor(heads: Heads, blocks: readonly Block[], encoding: Encoding) {
    this.#heads = heads;
    this.#blocks = blocks;
    this.#encoding = encoding;
  }

  /**
   * @throws {TypeError} if a head returns something else than a tensor of its shape
   * @throws {RangeError} if an output is not finite
   * @throws {Error} if a tensor outlives the call
   */
  forward(parameters: Float64Array, places: readonly Place[]): Outputs {
    return this.#tidily(() => {
      const p = this.#tensors(parameters);
      const x = inputOf(this.#encoding, places);
      const logits = this.#logits(p, x, places.length);
      const values = this.#values(p, x, places.length);
      const out = { logits: floats(logits), values: values && floats(values) };
      this.#expectFinite("logits", out.logits, places, this.#encoding.sizes.vocabulary);
      if (out.values) this.#expectFinite("value", out.values, places, 1);
      return out;
    });
  }

  /** Adds d loss / d parameters to `into`, given d loss / d logits [B, V] and d loss / d values [B]. */
  addGradient(
    parameters: Float64Array,
    places: readonly Place[],
    dLogits: Float32Array,
    dValues: Float32Array,
    into: Float64Array,
  ): void {
    const B = places.length;
    const gradients = this.#gradients(parameters, (p) => {
      const x = inputOf(this.#encoding, places);
      const logits = this.#logits(p, x, B);
      const values = this.#values(p, x, B);
      const loss = tf.sum(tf.mul(logits, tf.tensor2d(dLogits, [B, this.#encoding.sizes.vocabulary])));
      return values ? tf.add(loss, tf.sum(tf.mul(values, tf.tensor1d(dValues)))) : loss;
    });
    this.#blocks.forEach(({ offset }, i) => {
      gradients[i]?.forEach((d, k) => (into[offset + k]! += d));
    });
  }

  /** @throws {RangeError} if the outputs do not depend on a parameter, so that it could never learn */
  expectDependence(parameters: Float64Array): void {
    const { name, value } = this.#heads;
    const gradients = this.#gradients(parameters, (p) => {
      const x = inputOf(this.#encoding, [
        { context: new Array<number>(this.#encoding.own).fill(0), prefix: [] },
      ]);
      const logits = tf.sum(this.#logits(p, x, 1));
      const values = this.#values(p, x, 1);
      return values ? tf.add(logits, tf.sum(values)) : logits;
    });
    const idle = this.#blocks.filter((_, i) => gradients[i] === undefined).map((block) => block.name);
    if (idle.length === 0) return;
    throw new RangeError(
      `Cannot train policy "${name}": logits${value ? " or value" : ""} must depend on every parameter through ` +
        `tensor operations, but no gradient reaches ${idle.join(", ")}.`,
    );
  }

  /** d f / d each parameter; undefined where f does not depend on one. */
  #gradients(
    parameters: Float64Array,
    f: (p: Readonly<Record<string, tf.Tensor>>) => tf.Tensor,
  ): (Float32Array | undefined)[] {
    return this.#tidily(() => {
      const p = this.#tensors(parameters);
      const list = this.#blocks.map(({ name }) => p[name]!);
      const { grads } = tf.engine().gradients(() => f(p), list, undefined as unknown as tf.Tensor, true) as {
        grads: readonly (tf.Tensor | undefined)[];
      };
      return grads.map((gradient) => gradient && floats(gradient));
    });
  }

  #tidily<X>(f: () => X): X {
    const before = tf.memory().numTensors;
    let result: X;
    tf.tidy(() => void (result = f()));
    const left = tf.memory().numTensors - before;
    if (left <= 0) return result!;
    throw new Error(
      `Cannot compute policy "${this.#heads.name}": no tensor may outlive the call, but ${left} ${left === 1 ? "is" : "are"} kept ` +
        "(by tf.keep or tf.variable in logits or value).",
    );
  }

  #tensors(parameters: Float64Array): Record<string, tf.Tensor> {
    return Object.fromEntries(
      this.#blocks.map(({ name, shape, offset, count }) => [
        name,
        tf.tensor(new Float32Array(parameters.subarray(offset, offset + count)), [...shape]),
      ]),
    );
  }

  #logits(p: Record<string, tf.Tensor>, x: PolicyInput, B: number): tf.Tensor {
    const V = this.#encoding.sizes.vocabulary;
    const { name } = this.#heads;
    const logits: unknown = this.#call("logits", p, x, () =>
      this.#heads.logits(tf, strictly(name, "the logits", p), x),
    );
    this.#expectTensor("logits", logits, `[B, V] = [${B}, ${V}]`, ({ shape }) => {
      return shape.length === 2 && shape[0] === B && shape[1] === V;
    });
    return logits;
  }

  #values(p: Record<string, tf.Tensor>, x: PolicyInput, B: number): tf.Tensor | undefined {
    const { name, value } = this.#heads;
    if (!value) return undefined;
    const values: unknown = this.#call("value", p, x, () =>
      this.#heads.value!(tf, strictly(name, "the value", p), x),
    );
    this.#expectTensor("value", values, `[B] = [${B}] or [B, 1]`, ({ shape }) => {
      return shape[0] === B && (shape.length === 1 || (shape.length === 2 && shape[1] === 1));
    });
    return tf.reshape(values, [B]);
  }

  /** TensorFlow.js tells the shapes that do not fit, but not whose they are. */
  #call(head: "logits" | "value", p: Record<string, tf.Tensor>, x: PolicyInput, f: () => tf.Tensor): unknown {
    try {
      return f();
    } catch (cause) {
      // Anything else is a sentence of ours, an interrupt, or a mistake that says where it is.
      if (!(cause instanceof Error) || cause.name !== "Error") throw cause;
      const shapes = Object.entries({ "x.features": x.features, "x.tokens": x.tokens, ...p }).map(
        ([name, { shape }]) => `${name} [${shape.join(", ")}]`,
      );
      throw new Error(
        `Cannot compute policy "${this.#heads.name}": ${head} must not throw, but it threw "${cause.message}"; ` +
          `the shapes are ${shapes.join(", ")}.`,
        { cause },
      );
    }
  }

  #expectTensor(
    head: "logits" | "value",
    given: unknown,
    wanted: string,
    fits: (tensor: tf.Tensor) => boolean,
  ): asserts given is tf.Tensor {
    if (given instanceof tf.Tensor && fits(given)) return;
    const got =
      given instanceof tf.Tensor
        ? `[${given.shape.join(", ")}]`
        : given instanceof Promise
          ? "a promise (leave out async)"
          : typeof given === "object" && given !== null
            ? "an object"
            : show(given);
    throw new TypeError(
      `Cannot compute policy "${this.#heads.name}": ${head} must return a tensor of shape ${wanted}, got ${got}.`,
    );
  }

  #expectFinite(
    head: "logits" | "value",
    numbers: Float32Array,
    places: readonly Place[],
    width: number,
  ): void {
    const bad = numbers.findIndex((x) => !Number.isFinite(x));
    if (bad < 0) return;
    const { prefix } = places[Math.floor(bad / width)]!;
    const what = head === "logits" ? `the logit of token ${bad % width}` : "the value";
    const hint = numbers[bad] === -Infinity ? "\nTo rule a token out, give it a logit of -1e9." : "";
    throw new RangeError(
      `Cannot compute policy "${this.#heads.name}": ${head} must be finite, but ${what} ` +
        `after [${prefix.join(", ")}] in the turn is ${numbers[bad]}.${hint}`,
    );
  }
}

/** The numbers of a tensor, of which some backends hand out a view. */
function floats(tensor: tf.Tensor): Float32Array {
  return Float32Array.from(tensor.dataSync());
}
