/** A typed array that grows at its end. */
export class Growing<A extends Float64Array<ArrayBuffer> | Int32Array<ArrayBuffer>> {
  length = 0;
  readonly #make: (length: number) => A;
  #values: A;

  constructor(make: (length: number) => A) {
    this.#make = make;
    this.#values = make(64);
  }

  push(value: number): void {
    if (this.length === this.#values.length) {
      const grown = this.#make(2 * this.length);
      grown.set(this.#values);
      this.#values = grown;
    }
    this.#values[this.length++] = value;
  }

  values(): A {
    return this.#values.slice(0, this.length) as A;
  }
}
