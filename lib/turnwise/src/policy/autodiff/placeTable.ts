import { logSoftmax } from "../softmax";
import type { Graph } from "./graph";
import type { Place } from "./input";

/** Output of the policy at one place. */
export interface KnownPlace {
  readonly place: Place;
  readonly logits: Float64Array;
  readonly logProb: Float64Array;
  /** In nats. */
  readonly entropy: number;
  /** 0 without a value head. */
  readonly value: number;
}

/** Places of one forward pass; more are divided, so that memory stays bounded. */
const AT_ONCE = 2048;
/** A policy that never changes, such as a frozen reference, forgets after a number of places. */
const MOST = 50_000;

/** Every distinct place is computed once for each value of the parameters, many of them in one forward pass. */
export class PlaceTable {
  readonly #graph: Graph;
  readonly #V: number;
  readonly #known = new Map<string, KnownPlace>();
  /** A batch hands the same context over with every evaluation. */
  readonly #keys = new WeakMap<readonly number[], string>();
  /** The parameters for which the table holds. */
  #parameters: Float64Array | undefined;

  constructor(graph: Graph, V: number) {
    this.#graph = graph;
    this.#V = V;
  }

  find(parameters: Float64Array, place: Place): KnownPlace | undefined {
    this.#refresh(parameters);
    return this.#known.get(this.#key(place));
  }

  of(parameters: Float64Array, places: readonly Place[]): KnownPlace[] {
    this.#refresh(parameters);
    const keys = places.map((place) => this.#key(place));
    const missing = new Map<string, Place>();
    keys.forEach((key, i) => {
      if (!this.#known.has(key)) missing.set(key, places[i]!);
    });
    const fresh = [...missing];
    for (let from = 0; from < fresh.length; from += AT_ONCE) {
      this.#compute(parameters, fresh.slice(from, from + AT_ONCE));
    }
    return keys.map((key) => this.#known.get(key)!);
  }

  /** d loss / d parameters, given d loss / d logits and d loss / d value of some known places. */
  gradient(
    parameters: Float64Array,
    sums: ReadonlyMap<KnownPlace, { readonly dLogits: Float64Array; readonly dValue: number }>,
  ): Float64Array {
    const result = new Float64Array(parameters.length);
    const all = [...sums];
    for (let from = 0; from < all.length; from += AT_ONCE) {
      const part = all.slice(from, from + AT_ONCE);
      const dLogits = new Float32Array(part.length * this.#V);
      part.forEach(([, sum], b) => dLogits.set(sum.dLogits, b * this.#V));
      const dValues = Float32Array.from(part, ([, sum]) => sum.dValue);
      const places = part.map(([{ place }]) => place);
      this.#graph.addGradient(parameters, places, dLogits, dValues, result);
    }
    return result;
  }

  #compute(parameters: Float64Array, fresh: readonly (readonly [string, Place])[]): void {
    const V = this.#V;
    const places = fresh.map(([, place]) => place);
    const { logits, values } = this.#graph.forward(parameters, places);
    fresh.forEach(([key, place], b) => {
      const own = Float64Array.from(logits.subarray(b * V, (b + 1) * V));
      const logProb = new Float64Array(V);
      const entropy = logSoftmax(own, 0, V, 1, logProb);
      this.#known.set(key, { place, logits: own, logProb, entropy, value: values?.[b] ?? 0 });
    });
  }

  /** The optimizer writes into the parameters without a word, so they are compared: a thousand take a microsecond. */
  #refresh(parameters: Float64Array): void {
    if (this.#parameters === undefined) {
      this.#graph.expectDependence(parameters);
      this.#parameters = parameters.slice();
      return;
    }
    const before = this.#parameters;
    const same = this.#known.size < MOST && parameters.every((x, i) => x === before[i]);
    if (same) return;
    this.#known.clear();
    before.set(parameters);
  }

  #key({ context, prefix }: Place): string {
    let key = this.#keys.get(context);
    if (key === undefined) this.#keys.set(context, (key = context.join()));
    return prefix.length === 0 ? key : `${key}|${prefix.join()}`;
  }
}
