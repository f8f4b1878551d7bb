import { power } from "../base/elementary/power";
import { inOneBlock, type SparseGradient } from "../policy/policy";
import type { OptimizerChoice } from "../rule";
import { optimizerChoice } from "../rule/update";
import { group, resolve, type Given } from "../schema";
import { compiledAdam, nativeSquares, type CompiledAdam } from "../tensor/fused/adam";

/** The state of an optimizer as plain JSON data: for Adam, the slots are the running means of g and g^2. */
export interface OptimizerState {
  readonly kind: OptimizerChoice["kind"];
  readonly steps: number;
  readonly slots: readonly ArrayLike<number>[];
}

/** Moves parameters down a gradient, in place. */
export interface Optimizer {
  /**
   * Returns the L2 norm of the whole gradient before clipping; pass it as `norm` if it is known already.
   *
   * `rateScale` multiplies the learning rate of this step; default 1.
   */
  step(
    parameters: Float64Array,
    gradient: Float64Array | SparseGradient,
    norm?: number,
    rateScale?: number,
  ): number;
  /** State on which the next step depends besides the parameters, as JSON data. */
  state(): OptimizerState;
  /** Like `state`, but with typed arrays: cheap enough for every update, and not JSON. */
  snapshot(): OptimizerState;
  /** Goes on from a state. */
  restore(state: OptimizerState): void;
}

const schema = group({ optimizer: optimizerChoice });

/**
 * The optimizer that a rule names, for custom loops: "sgd", "adam", or one of them with its numbers.
 *
 * `step` moves the parameters down the gradient, in place. Parameters may grow between steps; new ones start with slots of 0.
 *
 * @throws {RangeError} if the kind is unknown or a number out of range
 * @throws {TypeError} if a number has another type
 * @example
 * import { createOptimizer } from "turnwise";
 * const parameters = Float64Array.of(1, -2);
 * const sgd = createOptimizer({ kind: "sgd", learningRate: 0.5 });
 * sgd.step(parameters, Float64Array.of(2, 0)); // => 2
 * parameters; // => [0, -2]
 * const adam = createOptimizer({ kind: "adam", learningRate: 0.1 });
 * adam.step(parameters, Float64Array.of(2, 0)); // => 2
 * parameters; // => [-0.10, -2]
 */
export function createOptimizer(given: Given<typeof optimizerChoice>): Optimizer {
  const { optimizer } = resolve(schema, { optimizer: given }, { action: "make an optimizer", owner: "it" });
  return optimizer.kind === "sgd" ? new Sgd(optimizer) : new Adam(optimizer);
}

/** Gradient descent: theta <- theta - learningRate * clip(g). */
class Sgd implements Optimizer {
  #steps = 0;

  constructor(private readonly choice: Extract<OptimizerChoice, { kind: "sgd" }>) {}

  step(
    parameters: Float64Array,
    given: Float64Array | SparseGradient,
    norm = globalNorm(given),
    rateScale = 1,
  ): number {
    const { values, width, blocks } = dense(given);
    const rate = this.choice.learningRate * rateScale * clipScale(norm, this.choice.maxGradNorm);
    for (const from of blocks) {
      for (let i = from; i < from + width; i++) parameters[i]! -= rate * values[i]!;
    }
    this.#steps++;
    return norm;
  }

  state(): OptimizerState {
    return { kind: "sgd", steps: this.#steps, slots: [] };
  }

  snapshot(): OptimizerState {
    return this.state();
  }

  restore(state: OptimizerState): void {
    expectKind(state, "sgd", 0);
    this.#steps = state.steps;
  }
}

/**
 * Adam with bias correction, at step k.
 *
 * ```
 * m <- b1 m + (1 - b1) g,   v <- b2 v + (1 - b2) g^2
 * theta <- theta - learningRate * (m / (1 - b1^k)) / (sqrt(v / (1 - b2^k)) + epsilon)
 * ```
 * Blocks that never had a gradient are skipped: m = v = 0 there, so nothing would change.
 *
 * @see Kingma and Ba, "Adam: A Method for Stochastic Optimization", arXiv 1412.6980, algorithm 1
 */
class Adam implements Optimizer {
  #steps = 0;
  #mean: Float64Array = new Float64Array(0);
  #square: Float64Array = new Float64Array(0);
  /** Number of parameters; the slots may be longer. */
  #length = 0;
  readonly #awake = new AwakeBlocks();
  /** The compiled step for large gradients; null if the engine cannot run it. */
  #fused: CompiledAdam | null | undefined;
  readonly #backup: [Float64Array, Float64Array] = [new Float64Array(0), new Float64Array(0)];

  constructor(private readonly choice: Extract<OptimizerChoice, { kind: "adam" }>) {}

  step(
    parameters: Float64Array,
    given: Float64Array | SparseGradient,
    norm = globalNorm(given),
    rateScale = 1,
  ): number {
    const { learningRate, beta1, beta2, epsilon, maxGradNorm } = this.choice;
    const gradient = dense(given);
    const { values, width } = gradient;
    this.#length = Math.max(this.#length, values.length);
    this.#mean = grown(this.#mean, this.#length);
    this.#square = grown(this.#square, this.#length);
    this.#steps++;
    const scale = clipScale(norm, maxGradNorm);
    const rate = (learningRate * rateScale) / (1 - power(beta1, this.#steps));
    const correction = 1 - power(beta2, this.#steps);
    const whole = width === values.length;
    const blocks = whole ? [0] : this.#awake.with(gradient, this.#square, this.#length);
    // Where nothing sleeps, or little, a step over all is the same: 0 stays 0.
    if (values.length >= FUSED_FROM && 2 * blocks.length * width >= values.length) {
      const fused = this.#adopted();
      if (fused) {
        fused.step(parameters, values, { scale, rate, correction, beta1, beta2, epsilon, forgotten });
        if (whole) this.#awake.forget();
        return norm;
      }
    }
    const mean = this.#mean;
    const square = this.#square;
    for (const from of blocks) {
      for (let i = from; i < from + width; i++) {
        const g = scale * values[i]!;
        const before = mean[i]!;
        if (g === 0 && before === 0) {
          square[i]! *= beta2;
          continue;
        }
        const m = beta1 * before + (1 - beta1) * g;
        const v = beta2 * square[i]! + (1 - beta2) * g * g;
        mean[i] = m < forgotten && m > -forgotten ? 0 : m;
        square[i] = v;
        parameters[i]! -= (rate * m) / (Math.sqrt(v / correction) + epsilon);
      }
    }
    return norm;
  }

  /** The compiled step, holding these slots. */
  #adopted(): CompiledAdam | null {
    this.#fused ??= compiledAdam() ?? null;
    if (this.#fused && (this.#mean !== this.#fused.mean || this.#square !== this.#fused.square)) {
      this.#fused.adopt(this.#mean, this.#square);
      this.#mean = this.#fused.mean;
      this.#square = this.#fused.square;
    }
    return this.#fused;
  }

  state(): OptimizerState {
    const slots = [this.#mean, this.#square].map((slot) => Array.from(slot.subarray(0, this.#length)));
    return { kind: "adam", steps: this.#steps, slots };
  }

  snapshot(): OptimizerState {
    const slots = [this.#mean, this.#square].map((slot, i) => {
      if (this.#backup[i]!.length < slot.length) this.#backup[i] = new Float64Array(slot.length);
      this.#backup[i]!.set(slot);
      return this.#backup[i]!.subarray(0, this.#length);
    });
    return { kind: "adam", steps: this.#steps, slots };
  }

  restore(state: OptimizerState): void {
    expectKind(state, "adam", 2);
    this.#steps = state.steps;
    this.#mean = Float64Array.from(state.slots[0]!);
    this.#square = Float64Array.from(state.slots[1]!);
    this.#length = this.#mean.length;
    this.#awake.forget();
  }
}

/** Knows the blocks whose slots are not all 0. */
class AwakeBlocks {
  #width = 0;
  #flags = new Uint8Array(0);
  #blocks: number[] = [];
  #known = false;

  /** The known blocks and those of a gradient, which are known from now on. */
  with({ width, blocks }: SparseGradient, square: Float64Array, length: number): readonly number[] {
    const count = Math.ceil(length / Math.max(1, width));
    if (!this.#known || this.#width !== width) this.#find(width, count, square, length);
    if (this.#flags.length < count) {
      const flags = new Uint8Array(2 * count);
      flags.set(this.#flags);
      this.#flags = flags;
    }
    for (const from of blocks) {
      const block = from / width;
      if (this.#flags[block]) continue;
      this.#flags[block] = 1;
      this.#blocks.push(from);
    }
    return this.#blocks;
  }

  /** To be called when the slots were written from outside. */
  forget(): void {
    this.#known = false;
  }

  #find(width: number, count: number, square: Float64Array, length: number): void {
    this.#width = width;
    this.#flags = new Uint8Array(count);
    this.#blocks = [];
    for (let i = 0; i < length; i++) {
      const block = Math.floor(i / width);
      if (square[i] === 0 || this.#flags[block]) continue;
      this.#flags[block] = 1;
      this.#blocks.push(block * width);
    }
    this.#known = true;
  }
}

/** A gradient as blocks: a dense one becomes one block. */
export function dense(gradient: Float64Array | SparseGradient): SparseGradient {
  return "blocks" in gradient ? gradient : inOneBlock(gradient);
}

/**
 * A mean gradient below this counts as 0. It would move no parameter by more than learningRate * 1e-22, and once
 * gradients have stopped it would decay to subnormal numbers, on which processors are many times slower.
 */
const forgotten = 1e-30;

/** From this many parameters on, the compiled step is worth its call. */
const FUSED_FROM = 512;

/** The L2 norm of the whole gradient. */
export function globalNorm(gradient: Float64Array | SparseGradient): number {
  const { values, width, blocks } = dense(gradient);
  const natively = width === values.length && width >= FUSED_FROM ? nativeSquares(values) : undefined;
  if (natively !== undefined) return Math.sqrt(natively);
  let sum = 0;
  for (const from of blocks) {
    for (let i = from; i < from + width; i++) sum += values[i]! * values[i]!;
  }
  return Math.sqrt(sum);
}

function clipScale(norm: number, limit: number | null): number {
  return limit !== null && norm > limit ? limit / norm : 1;
}

function grown(slots: Float64Array, length: number): Float64Array {
  if (slots.length >= length) return slots;
  const result = new Float64Array(Math.max(length, 2 * slots.length));
  result.set(slots);
  return result;
}

function expectKind(state: OptimizerState, kind: string, slots: number): void {
  if (state.kind === kind && state.slots.length === slots) return;
  throw new TypeError(
    `Cannot restore the optimizer: the state must be of ${kind}, got one of ${state.kind}.`,
  );
}
