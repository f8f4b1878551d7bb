/** A 64-bit hash of numbers by their bits, in two lanes of 32; every NaN counts as one. */
export class Digest {
  #a = 0x811c9dc5;
  #b = 0x01000193;
  readonly #double = new Float64Array(1);
  readonly #words = new Uint32Array(this.#double.buffer);

  add(x: number): void {
    this.#double[0] = x === x ? x : NaN;
    this.#word(x === x ? this.#words[0]! : 0);
    this.#word(x === x ? this.#words[1]! : 0x7ff80000);
  }

  addText(text: string): void {
    for (let i = 0; i < text.length; i++) this.#word(text.charCodeAt(i));
  }

  toString(): string {
    return [this.#a, this.#b].map((lane) => (lane >>> 0).toString(16).padStart(8, "0")).join("");
  }

  #word(word: number): void {
    this.#a = Math.imul(this.#a ^ word, 0x01000193);
    this.#a ^= this.#a >>> 15;
    this.#b = Math.imul(this.#b + word, 0x85ebca6b);
    this.#b ^= this.#b >>> 13;
  }
}
