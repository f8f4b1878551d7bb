import type { Kernels, Pointer } from "./kernels";

/**
 * The memory of one set of kernels, allocated from front to back and freed all at once: a forward pass begins with `reset`,
 * and what it writes lives until the next forward pass of any network.
 */
export class Arena {
  #top: Pointer;
  #generation = 0;
  #float32: Float32Array = new Float32Array(0);
  #float64: Float64Array = new Float64Array(0);
  #int32: Int32Array = new Int32Array(0);

  constructor(readonly kernels: Kernels) {
    this.#top = kernels.base;
  }

  /** Counts the resets: what was allocated is still there while this stays the same. */
  get generation(): number {
    return this.#generation;
  }

  /** Size in bytes, which is the most that any pass has needed. */
  get bytes(): number {
    return this.kernels.buffer.byteLength;
  }

  reset(): void {
    this.kernels.settle();
    this.#top = this.kernels.base;
    this.#generation++;
  }

  /** Frees what `work` allocates. */
  scoped<X>(work: () => X): X {
    const top = this.#top;
    try {
      return work();
    } finally {
      this.#top = top;
    }
  }

  /** Room for 32-bit floats, uninitialized. */
  floats(count: number): Pointer {
    return this.#allocate(4 * count);
  }

  zeros(count: number): Pointer {
    const at = this.floats(count);
    this.kernels.clear(at, count);
    return at;
  }

  /** Room for 64-bit floats. */
  doubles(count: number): Pointer {
    return this.#allocate(8 * count);
  }

  integers(values: ArrayLike<number>): Pointer {
    const at = this.#allocate(4 * values.length);
    this.int32.set(values, at / 4);
    return at;
  }

  putFloats(values: ArrayLike<number>): Pointer {
    const at = this.floats(values.length);
    if (values instanceof Float64Array && this.kernels.put) {
      this.kernels.put(values, at);
    } else if (values instanceof Float64Array) {
      this.scoped(() => this.kernels.demote(this.putDoubles(values), at, values.length));
    } else this.float32.set(values, at / 4);
    return at;
  }

  putDoubles(values: ArrayLike<number>): Pointer {
    const at = this.doubles(values.length);
    this.float64.set(values, at / 8);
    return at;
  }

  /** Copies 32-bit floats out, into `out` if given. */
  getFloats(at: Pointer, count: number, out: Float64Array = new Float64Array(count)): Float64Array {
    if (this.kernels.get) {
      this.kernels.get(at, out.length === count ? out : out.subarray(0, count));
      return out;
    }
    this.scoped(() => {
      const wide = this.doubles(count);
      this.kernels.promote(at, wide, count);
      out.set(this.float64.subarray(wide / 8, wide / 8 + count));
    });
    return out;
  }

  /** Copies 64-bit floats out. */
  getDoubles(at: Pointer, count: number): Float64Array {
    return this.float64.slice(at / 8, at / 8 + count);
  }

  get float32(): Float32Array {
    if (this.#float32.buffer !== this.kernels.buffer) this.#float32 = new Float32Array(this.kernels.buffer);
    return this.#float32;
  }

  get float64(): Float64Array {
    if (this.#float64.buffer !== this.kernels.buffer) this.#float64 = new Float64Array(this.kernels.buffer);
    return this.#float64;
  }

  get int32(): Int32Array {
    if (this.#int32.buffer !== this.kernels.buffer) this.#int32 = new Int32Array(this.kernels.buffer);
    return this.#int32;
  }

  #allocate(bytes: number): Pointer {
    const at = this.#top;
    this.#top = at + Math.ceil(bytes / 16) * 16;
    this.kernels.reserve(this.#top);
    return at;
  }
}
