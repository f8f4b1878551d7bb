import { exp } from "../base/elementary/exp";
import { drawsByOne, pick, weigh, type Rng } from "../base/rng";
import { logSoftmax } from "./softmax";

/**
 * The softmaxes of one call, each computed once although the trajectories of a batch meet the same cell many times.
 *
 * The caller identifies a cell by a key, a small whole number. Values have the same bits as if every cell were recomputed.
 */
export class SoftmaxCells {
  /** Scratch space: the logits of the cell that `add` takes. */
  readonly logits: Float64Array;
  readonly #size: number;
  #placeOf: Int32Array;
  readonly #keys: number[] = [];
  readonly #logProbs: Float64Array[] = [];
  readonly #probabilities: Float64Array[] = [];
  readonly #entropies: number[] = [];
  /** Whether the probabilities of a place have been computed. */
  readonly #exponentiated: boolean[] = [];
  /** Weights from which the draws of a place are made, and their sum; below 0 before the first draw. */
  readonly #weights: Float64Array[] = [];
  readonly #totals: number[] = [];
  readonly #dLogits: Float64Array;
  #temperature = 1;

  /** @param keys expected upper limit of keys; more are possible, but cost a reallocation */
  constructor(size: number, keys = 0) {
    this.#size = size;
    this.logits = new Float64Array(size);
    this.#dLogits = new Float64Array(size);
    this.#placeOf = new Int32Array(keys).fill(-1);
  }

  /** Forgets all cells, and sets the temperature that divides the logits of the next ones. */
  forget(temperature: number): void {
    for (const key of this.#keys) this.#placeOf[key] = -1;
    this.#keys.length = 0;
    this.#temperature = temperature;
  }

  /** The place of a key, or -1 if it is new. */
  find(key: number): number {
    return key < this.#placeOf.length ? this.#placeOf[key]! : -1;
  }

  /** Adds the cell whose logits were written to `logits`, and returns its place. */
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
    this.#totals[place] = -1;
    return place;
  }

  /** `rng.categorical(logProb(place))`, whose weights are kept for the next draw. */
  draw(place: number, rng: Rng): number {
    if (!drawsByOne(rng)) return rng.categorical(this.#logProbs[place]!);
    const weights = (this.#weights[place] ??= new Float64Array(this.#size));
    if (this.#totals[place]! < 0) this.#totals[place] = weigh(this.#logProbs[place]!, weights);
    return pick(rng.next() * this.#totals[place]!, weights, this.#size);
  }

  /** A live view, which the next call changes. */
  logProb(place: number): Float64Array {
    return this.#logProbs[place]!;
  }

  /** In nats. */
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
      for (let v = 0; v < size; v++) p[v] = exp(logProb[v]!);
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
