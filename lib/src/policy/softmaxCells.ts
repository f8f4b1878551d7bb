import { logSoftmax } from "./softmax";

/**
 * The softmaxes of one call, each computed once: trajectories of a batch meet the same cell many times.
 *
 * A cell has a key of the caller's, a small whole number. Values are exactly those that computing every cell anew would give.
 */
export class SoftmaxCells {
  /** Scratch: the logits of the cell that `add` takes in. */
  readonly logits: Float64Array;
  readonly #size: number;
  #placeOf: Int32Array;
  readonly #keys: number[] = [];
  readonly #logProbs: Float64Array[] = [];
  readonly #probabilities: Float64Array[] = [];
  readonly #entropies: number[] = [];
  /** Of which places the probabilities are known. */
  readonly #exponentiated: boolean[] = [];
  readonly #dLogits: Float64Array;
  #temperature = 1;

  /** `keys` may be exceeded; it spares growing. */
  constructor(size: number, keys = 0) {
    this.#size = size;
    this.logits = new Float64Array(size);
    this.#dLogits = new Float64Array(size);
    this.#placeOf = new Int32Array(keys).fill(-1);
  }

  /** Begins anew, at a temperature that divides the logits. */
  forget(temperature: number): void {
    for (const key of this.#keys) this.#placeOf[key] = -1;
    this.#keys.length = 0;
    this.#temperature = temperature;
  }

  /** The place of a key, or -1 if it is new. */
  find(key: number): number {
    return key < this.#placeOf.length ? this.#placeOf[key]! : -1;
  }

  /** Takes in the cell whose logits were written to `logits`, and returns its place. */
  add(key: number): number {
    const place = this.#keys.length;
    this.#keys.push(key);
    if (key >= this.#placeOf.length) {
      const grown = new Int32Array(2 * key + 64).fill(-1);
      grown.set(this.#placeOf);
      this.#placeOf = grown;
    }
    this.#placeOf[key] = place;
    this.#logProbs[place] ??= new Float64Array(this.#size);
    this.#entropies[place] = logSoftmax(
      this.logits,
      0,
      this.#size,
      this.#temperature,
      this.#logProbs[place]!,
    );
    this.#exponentiated[place] = false;
    return place;
  }

  /** Live view: changed by the next call. */
  logProb(place: number): Float64Array {
    return this.#logProbs[place]!;
  }

  /** Nats. */
  entropy(place: number): number {
    return this.#entropies[place]!;
  }

  /**
   * d loss / d logits of a cell; a live view.
   *
   * d logProb[token] / d logit[v] = 1{v = token} - p[v];  d entropy / d logit[v] = -p[v] (logProb[v] + entropy).
   */
  backward(place: number, token: number, dLogProb: number, dEntropy: number): Float64Array {
    const size = this.#size;
    const logProb = this.#logProbs[place]!;
    const p = (this.#probabilities[place] ??= new Float64Array(size));
    if (!this.#exponentiated[place]) {
      for (let v = 0; v < size; v++) p[v] = Math.exp(logProb[v]!);
      this.#exponentiated[place] = true;
    }
    const out = this.#dLogits;
    for (let v = 0; v < size; v++) out[v] = -dLogProb * p[v]!;
    if (dEntropy !== 0) {
      const entropy = this.#entropies[place]!;
      for (let v = 0; v < size; v++) {
        if (p[v]! > 0) out[v]! -= dEntropy * p[v]! * (logProb[v]! + entropy);
      }
    }
    out[token]! += dLogProb;
    return out;
  }
}
