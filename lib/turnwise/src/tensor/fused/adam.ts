import "#fused/embed";
import type { Addon } from "./native/addon";
import { arrayKernels, PAGE, pageAfter } from "./native/arrayKernels";
import { wasmModule, type Exports, type Memory } from "./wasmKernels";

/** The parameters of a step: `scale` multiplies the gradient, `correction` is 1 - beta2^k. */
export interface AdamStep {
  readonly scale: number;
  readonly rate: number;
  readonly correction: number;
  readonly beta1: number;
  readonly beta2: number;
  readonly epsilon: number;
  readonly forgotten: number;
}

/** A compiled step of Adam, which gives the same bits as the loop in JavaScript. */
export interface CompiledAdam {
  /** The present slots; `adopt` takes over the arrays of others. */
  readonly mean: Float64Array;
  readonly square: Float64Array;
  /** Takes over slots of equal length, or copies of them. */
  adopt(mean: Float64Array, square: Float64Array): void;
  /** Changes as many parameters in place as the gradient is long, which is at most as many as were adopted. */
  step(parameters: Float64Array, gradient: Float64Array, o: AdamStep): void;
}

/** Undefined if the engine has no WebAssembly SIMD. */
export function compiledAdam(): CompiledAdam | undefined {
  const instance = wasmModule();
  if (typeof instance === "string") return undefined;
  const adamOn = arrayKernels()?.adamOn;
  return adamOn ? new NativeAdam(adamOn) : new WasmAdam(instance());
}

/** The sum of the squares natively, with the bits of a loop; undefined where there are no native kernels. */
export function nativeSquares(values: Float64Array): number | undefined {
  return arrayKernels()?.squaresOf(values);
}

const numbersOf = (o: AdamStep): number[] => [
  ...[o.scale, o.rate, o.correction, o.beta1, o.beta2, o.epsilon, o.forgotten],
];

/** Works on all arrays where they are. */
class NativeAdam implements CompiledAdam {
  mean: Float64Array = new Float64Array(0);
  square: Float64Array = new Float64Array(0);

  constructor(private readonly adamOn: Addon["adamOn"]) {}

  adopt(mean: Float64Array, square: Float64Array): void {
    this.mean = mean;
    this.square = square;
  }

  step(parameters: Float64Array, gradient: Float64Array, o: AdamStep): void {
    this.adamOn(parameters, gradient, this.mean, this.square, ...numbersOf(o));
  }
}

/** The two slots live in its memory, so that only parameters and gradient are copied. */
class WasmAdam implements CompiledAdam {
  mean: Float64Array = new Float64Array(0);
  square: Float64Array = new Float64Array(0);
  readonly #adam: Exports["adam"];
  readonly #memory: Memory;
  /** Start of the arrays, at a page. */
  readonly #base: number;
  /** Number of parameters there is room for; even. */
  #capacity = 0;

  constructor({ exports, memory }: { exports: Exports; memory: Memory }) {
    this.#adam = exports.adam;
    this.#memory = memory;
    this.#base = pageAfter(exports);
  }

  adopt(mean: Float64Array, square: Float64Array): void {
    const values = [mean.slice(), square.slice()] as const;
    const memory = this.#memory;
    if (mean.length > this.#capacity) {
      this.#capacity = 2 * Math.ceil(mean.length / 2);
      const missing = Math.ceil((this.#base + 32 * this.#capacity - memory.buffer.byteLength) / PAGE);
      if (missing > 0) memory.grow(missing);
      new Uint8Array(memory.buffer, this.#base).fill(0);
    }
    this.mean = this.#view(2, mean.length);
    this.square = this.#view(3, square.length);
    this.mean.set(values[0]);
    this.square.set(values[1]);
  }

  step(parameters: Float64Array, gradient: Float64Array, o: AdamStep): void {
    const count = gradient.length;
    const x = this.#view(0, count);
    x.set(parameters.subarray(0, count));
    this.#view(1, count).set(gradient);
    const [from, g, mean, square] = [0, 1, 2, 3].map((i) => this.#at(i)) as [number, number, number, number];
    this.#adam(...([from, g, mean, square, 2 * Math.ceil(count / 2)] as const), ...numbersOf(o));
    parameters.set(x);
  }

  #at(i: number): number {
    return this.#base + 8 * i * this.#capacity;
  }

  #view(i: number, length: number): Float64Array<SharedArrayBuffer> {
    return new Float64Array(this.#memory.buffer, this.#at(i), length);
  }
}
