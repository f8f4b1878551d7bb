import { displaySymbol, type MimeBundle } from "../../base/display";
import type { Rng } from "../../base/rng";
import type { Batch } from "../../batch/batch";
import { forEachTurn } from "../../batch/cells";
import type { EnvSpec } from "../../env/env";
import { showPolicy } from "../card";
import { fixedSnapshot, fixedState, restoreFixed } from "../fixedState";
import type {
  EvaluateOptions,
  Evaluation,
  EvaluationGradient,
  History,
  ParameterRow,
  Policy,
  PolicyState,
  Sample,
} from "../policy";
import { tf } from "../../tensor/backend";
import { logSoftmax, softmaxBackward } from "../softmax";
import { Graph, type Heads } from "./graph";
import type { Encoding } from "./input";
import { layOut, type Block, type ParameterInits } from "./parameters";
import { PlaceTable, type KnownPlace } from "./placeTable";

/** An own policy for one environment: the user's functions, with all sizes known. */
export interface Definition extends Heads {
  readonly encoding: Encoding;
  readonly parameters: ParameterInits;
  features?(history: History): readonly number[];
}

type Spec = Pick<EnvSpec, "vocabulary" | "maxTokens" | "endToken">;

/** A context is tried with all of its prefixes at once, where there are at most so many. */
const MOST_PREFIXES = 512;

/** A policy whose gradient is TensorFlow.js's. Softmaxes and what the rule sees of them are in double precision. */
export class AutodiffInstance implements Policy {
  readonly name: string;
  readonly parameters: Float64Array;
  readonly #definition: Definition;
  readonly #spec: Spec;
  readonly #blocks: readonly Block[];
  readonly #graph: Graph;
  readonly #table: PlaceTable;
  #prefixes: readonly (readonly number[])[] | undefined;

  constructor(definition: Definition, spec: Spec, seed: number) {
    const { blocks, values } = layOut(definition.name, definition.parameters, seed);
    this.name = definition.name;
    this.parameters = values;
    this.#definition = definition;
    this.#spec = spec;
    this.#blocks = blocks;
    this.#graph = new Graph(definition, blocks, definition.encoding);
    this.#table = new PlaceTable(this.#graph, definition.encoding.sizes.vocabulary);
  }

  /** TensorFlow.js has kernels of its own, which take the engine's or the processor's exponential. */
  get computeKind(): string {
    return `TensorFlow.js ${tf.getBackend()}`;
  }

  parameterTable(): ParameterRow[] {
    return this.#blocks.map(({ name, shape, count }) => ({ name, shape, count }));
  }

  /** The latest tokens of the episode, or the policy's own features. */
  contextOf(history: History): readonly number[] {
    const { features, encoding } = this.#definition;
    if (features) return this.#ownFeatures(this.#definition.features!(history));
    const tokens = history.observations.flatMap((observation, t) => [
      ...observation.tokens,
      ...(history.actions[t] ?? []),
    ]);
    return tokens.slice(-encoding.sizes.window);
  }

  sample(
    histories: readonly History[],
    rngs: readonly Rng[],
    { temperature = 1 }: { temperature?: number } = {},
  ): Sample[] {
    const { maxTokens, endToken = -1, vocabulary } = this.#spec;
    const V = vocabulary.length;
    const samples = histories.map((history) => ({
      context: this.contextOf(history),
      tokens: [] as number[],
      logProb: [] as number[],
    }));
    const out = new Float64Array(V);
    for (let l = 0; l < maxTokens; l++) {
      const live = [...samples.keys()].filter((i) => l === 0 || samples[i]!.tokens.at(-1) !== endToken);
      const known = this.#table.of(
        this.parameters,
        live.map((i) => ({ context: samples[i]!.context, prefix: samples[i]!.tokens.slice() })),
      );
      live.forEach((i, k) => {
        logSoftmax(known[k]!.logits, 0, V, temperature, out);
        const token = rngs[i]!.categorical(out);
        samples[i]!.tokens.push(token);
        samples[i]!.logProb.push(out[token]!);
      });
    }
    return samples;
  }

  evaluate(
    batch: Batch,
    rows?: ArrayLike<number>,
    turns?: ArrayLike<number>,
    _spent?: Evaluation,
    options?: EvaluateOptions,
  ): Evaluation {
    const [N, T, L] = batch.shape;
    const V = this.#spec.vocabulary.length;
    const logProb_ntl = new Float64Array(N * T * L);
    const entropy_ntl = new Float64Array(N * T * L);
    const logProb_ntlv = options?.distributions ? new Float64Array(N * T * L * V) : undefined;
    const value_nt = this.#definition.value ? new Float64Array(N * T) : undefined;
    const { cells, known } = this.#cells(batch, rows, turns);
    known.forEach((place, k) => {
      const cell = cells[k]!;
      if (value_nt && cell % L === 0) value_nt[cell / L] = place.value;
      if (!batch.mask_ntl[cell]) return;
      logProb_ntl[cell] = place.logProb[batch.token_ntl[cell]!]!;
      entropy_ntl[cell] = place.entropy;
      logProb_ntlv?.set(place.logProb, cell * V);
    });
    return {
      logProb_ntl,
      entropy_ntl,
      ...(logProb_ntlv && { logProb_ntlv }),
      ...(value_nt && { value_nt }),
    };
  }

  backward(
    batch: Batch,
    { dLogProb_ntl, dEntropy_ntl, dLogit_ntlv, dValue_nt }: EvaluationGradient,
    rows?: ArrayLike<number>,
    turns?: ArrayLike<number>,
  ): Float64Array {
    const L = batch.shape[2];
    const V = this.#spec.vocabulary.length;
    const { cells, known } = this.#cells(batch, rows, turns);
    const sums = new Map<KnownPlace, { readonly dLogits: Float64Array; dValue: number }>();
    const one = new Float64Array(V);
    known.forEach((place, k) => {
      const cell = cells[k]!;
      const sampled = batch.mask_ntl[cell] === 1;
      const dLogProb = sampled ? dLogProb_ntl[cell]! : 0;
      const dEntropy = sampled ? (dEntropy_ntl?.[cell] ?? 0) : 0;
      const dValue = this.#definition.value && cell % L === 0 ? (dValue_nt?.[cell / L] ?? 0) : 0;
      const dLogit = sampled ? dLogit_ntlv : undefined;
      if (dLogProb === 0 && dEntropy === 0 && dValue === 0 && dLogit === undefined) return;
      let sum = sums.get(place);
      if (!sum) sums.set(place, (sum = { dLogits: new Float64Array(V), dValue: 0 }));
      sum.dValue += dValue;
      if (!sampled) return;
      softmaxBackward(place.logProb, V, batch.token_ntl[cell]!, dLogProb, dEntropy, place.entropy, one);
      for (let v = 0; v < V; v++) sum.dLogits[v]! += one[v]! + (dLogit?.[cell * V + v] ?? 0);
    });
    return this.#table.gradient(this.parameters, sums);
  }

  nextTokenLogProb(context: unknown, prefix: readonly number[]): Float64Array {
    const one = { context: context as readonly number[], prefix };
    const known = this.#table.find(this.parameters, one);
    if (known) return known.logProb.slice();
    // An enumeration will ask for every prefix: all of them cost little more than one.
    const all = this.#allPrefixes().map((other) => ({ context: one.context, prefix: other }));
    return this.#table.of(this.parameters, [one, ...all])[0]!.logProb.slice();
  }

  /** MIME bundle that a notebook displays for this object. */
  [displaySymbol](): MimeBundle {
    return showPolicy(this);
  }

  clone(): AutodiffInstance {
    const copy = new AutodiffInstance(this.#definition, this.#spec, 0);
    copy.parameters.set(this.parameters);
    return copy;
  }

  /** Everything that `restore` takes back: plain data. */
  state(): PolicyState {
    return fixedState(this);
  }

  snapshot(): PolicyState {
    return fixedSnapshot(this);
  }

  restore(state: PolicyState): void {
    restoreFixed(this, state, `"${this.name}"`);
  }

  /** The cells with mask 1 of the given turns, and the first cell of each turn, where its value is read. */
  #cells(
    batch: Batch,
    rows: ArrayLike<number> | undefined,
    turns: ArrayLike<number> | undefined,
  ): { cells: readonly number[]; known: readonly KnownPlace[] } {
    const [, T, L] = batch.shape;
    const cells: number[] = [];
    const places: { context: readonly number[]; prefix: readonly number[] }[] = [];
    forEachTurn(batch, rows, turns, (n, t) => {
      const first = (n * T + t) * L;
      const context = batch.context_nt[n]![t] as readonly number[];
      for (let l = 0; l < L && (batch.mask_ntl[first + l] || l === 0); l++) {
        cells.push(first + l);
        places.push({ context, prefix: Array.from(batch.token_ntl.subarray(first, first + l)) });
      }
    });
    return { cells, known: this.#table.of(this.parameters, places) };
  }

  #ownFeatures(given: readonly number[]): readonly number[] {
    const { own } = this.#definition.encoding;
    if (Array.isArray(given) && given.length === own && given.every(Number.isFinite)) return given;
    throw new TypeError(
      `Cannot use policy "${this.name}": features must return ${own} finite numbers for every history, ` +
        `got ${JSON.stringify(given)}.`,
    );
  }

  #allPrefixes(): readonly (readonly number[])[] {
    if (this.#prefixes) return this.#prefixes;
    const { maxTokens, endToken, vocabulary } = this.#spec;
    let layer: (readonly number[])[] = [[]];
    const all = [...layer];
    for (let l = 1; l < maxTokens && all.length <= MOST_PREFIXES; l++) {
      layer = layer.flatMap((prefix) =>
        [...vocabulary.keys()].filter((v) => v !== endToken).map((v) => [...prefix, v]),
      );
      all.push(...layer);
    }
    return (this.#prefixes = all.length <= MOST_PREFIXES ? all : []);
  }
}
