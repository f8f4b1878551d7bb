/**
 * Numbers sequences of whole numbers: the empty one is 0, the others are 1, 2, ... in the order in which they are first met.
 *
 * Sequences are built symbol by symbol, so that histories and responses can be told apart, counted and looked up without
 * becoming text. Symbols are 32-bit whole numbers.
 */
export class Sequences {
  /** For each node, the sequence without its last symbol, and that symbol. */
  #parents = new Int32Array(64);
  #symbols = new Int32Array(64);
  /** A hash table of nodes by (parent, symbol) with open addressing, twice as large as the number of nodes; 0 is free. */
  #slots = new Int32Array(128);
  #count = 1;

  /** Number of sequences met, including the empty one. */
  get count(): number {
    return this.#count;
  }

  /** The number of a sequence plus one symbol. */
  child(node: number, symbol: number): number {
    const slots = this.#slots;
    const last = slots.length - 1;
    for (let at = hash(node, symbol) & last; ; at = (at + 1) & last) {
      const found = slots[at]!;
      if (found === 0) return this.#add(node, symbol, at);
      if (this.#parents[found] === node && this.#symbols[found] === symbol) return found;
    }
  }

  /** The number of a sequence plus several symbols. */
  extend(node: number, symbols: ArrayLike<number>): number {
    let end = node;
    for (let i = 0; i < symbols.length; i++) end = this.child(end, symbols[i]!); // eslint-disable-line @typescript-eslint/prefer-for-of -- ArrayLike
    return end;
  }

  #add(parent: number, symbol: number, slot: number): number {
    const node = this.#count++;
    this.#slots[slot] = node;
    this.#parents[node] = parent;
    this.#symbols[node] = symbol;
    if (this.#count === this.#parents.length) this.#grow();
    return node;
  }

  #grow(): void {
    this.#parents = doubled(this.#parents);
    this.#symbols = doubled(this.#symbols);
    const slots = new Int32Array(2 * this.#parents.length);
    const last = slots.length - 1;
    for (let node = 1; node < this.#count; node++) {
      let at = hash(this.#parents[node]!, this.#symbols[node]!) & last;
      while (slots[at] !== 0) at = (at + 1) & last;
      slots[at] = node;
    }
    this.#slots = slots;
  }
}

function hash(node: number, symbol: number): number {
  const mixed = Math.imul(node, 0x9e3779b1) ^ Math.imul(symbol, 0x85ebca6b);
  return mixed ^ (mixed >>> 15);
}

function doubled(values: Int32Array): Int32Array<ArrayBuffer> {
  const result = new Int32Array(2 * values.length);
  result.set(values);
  return result;
}
