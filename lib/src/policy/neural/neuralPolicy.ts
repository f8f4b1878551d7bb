import type { EnvSpec } from "../../env/env";
import type { Batch } from "../../batch/batch";
import { forEachTurn } from "../../batch/cells";
import { createRng, type Rng } from "../../base/rng";
import { fixedSnapshot, fixedState, restoreFixed } from "../fixedState";
import {
  inOneBlock,
  type Evaluation,
  type EvaluationGradient,
  type History,
  type ParameterRow,
  type Policy,
  type PolicyState,
  type Sample,
  type SparseGradient,
} from "../policy";
import { logSoftmax, softmaxBackward } from "../softmax";
import { FusedCompute } from "./fusedCompute";
import { fusedNetworkOf } from "./fusedNetworkOf";
import { gru } from "./gru";
import { mlp } from "./mlp";
import {
  addBias,
  addColumnSums,
  addProduct,
  addProductTransposed,
  addTransposedProduct,
  matrix,
} from "./matrix";
import { blockSize, offsets, type Network, type ParameterSpec, type Pass } from "./network";
import type { Compute, NeuralOptions } from "./options";
import { fasterCompute, sizeKey, type ComputeChoice } from "./selfTest";
import { transformer } from "./transformer";

type PolicySpec = Pick<EnvSpec, "vocabulary" | "observationVocabulary" | "maxTokens" | "endToken">;

/** The turns of one evaluation, side by side: contexts and what was written after them. */
interface Turns {
  readonly contexts: readonly (readonly number[])[];
  readonly tokens: readonly (readonly number[])[];
}

/**
 * A neural policy over the tokens so far: logits = h W_out + b_out, value = h_0 . w_value, h from a causal network.
 *
 * Its context is the episode's sequence of tokens: a start token, then observations and turns in order, cut to the latest
 * `window`. Forward and backward are closed form in double precision: at these sizes, TensorFlow.js on the cpu backend is
 * several times slower. While sampling a turn, a transformer keeps its keys and values; the other networks compute the
 * window anew for every token.
 */
export class NeuralPolicy implements Policy {
  readonly name: string;
  readonly parameters: Float64Array;
  readonly #spec: PolicySpec;
  readonly #options: NeuralOptions;
  readonly #network: Network;
  readonly #window: number;
  readonly #blocks: readonly ParameterSpec[];
  readonly #at: (name: string) => number;
  #fused: FusedCompute | undefined;
  #gradient: Float64Array | undefined;
  /** What the self-test found, if `compute` is "auto". */
  readonly computeChoice: ComputeChoice | undefined;

  constructor(spec: PolicySpec, options: NeuralOptions) {
    this.#spec = spec;
    this.#options = options;
    this.#window = options.window ?? (options.kind === "mlp" ? 12 : 64);
    if (!Number.isInteger(this.#window) || this.#window < spec.maxTokens + 1) {
      throw new RangeError(
        `Cannot make a ${options.kind} policy as window must be a whole number above maxTokens (${spec.maxTokens}): current value is ${this.#window}`,
      );
    }
    this.#network = networkOf(this.#tokenCount, options, this.#window);
    this.name = this.#network.name;
    const { width } = this.#network;
    this.#blocks = [
      ...this.#network.parameters,
      { name: "out", shape: [width, spec.vocabulary.length], init: { normal: 0.1 / Math.sqrt(width) } },
      { name: "out-bias", shape: [spec.vocabulary.length], init: { constant: 0 } },
      ...(options.valueHead ? [{ name: "value", shape: [width, 1], init: { constant: 0 } }] : []),
    ];
    this.#at = offsets(this.#blocks);
    this.parameters = new Float64Array(this.parameterTable().reduce((sum, { count }) => sum + count, 0));
    this.#initialise(createRng(options.seed ?? 0).split(this.name));
    this.computeChoice = options.compute === "auto" ? this.#selfTest() : undefined;
    this.#use(this.computeChoice?.compute ?? expectCompute(this.name, options.compute));
  }

  /** Which of the two computations is in use. */
  get compute(): Compute {
    return this.#fused ? "wasm" : "float64";
  }

  /** Names, shapes and counts of the weights, in the order of `parameters`. */
  parameterTable(): ParameterRow[] {
    return this.#blocks.map(({ name, shape }) => ({ name, shape, count: blockSize(shape) }));
  }

  contextOf(history: History): number[] {
    const tokens = [this.#tokenCount - 1];
    history.observations.forEach((observation, t) => {
      tokens.push(...observation.tokens);
      if (t < history.actions.length) tokens.push(...history.actions[t]!);
    });
    return tokens.slice(-(this.#window - this.#spec.maxTokens + 1));
  }

  sample(
    histories: readonly History[],
    rngs: readonly Rng[],
    options: { temperature?: number } = {},
  ): Sample[] {
    const { maxTokens, endToken = -1, vocabulary } = this.#spec;
    if (this.#fused) {
      const contexts = histories.map((history) => this.contextOf(history));
      return this.#fused.sample(this.parameters, contexts, rngs, options.temperature ?? 1);
    }
    const V = vocabulary.length;
    const samples = histories.map((history) => ({
      tokens: [] as number[],
      logProb: [] as number[],
      context: this.contextOf(history),
    }));
    const out = new Float64Array(V);
    const next = this.#decoder(samples);
    for (let l = 0; l < maxTokens; l++) {
      const live = samples.flatMap((sample, i) => (sample.tokens.at(-1) === endToken && l > 0 ? [] : [i]));
      if (live.length === 0) break;
      const logits = next(live);
      live.forEach((i, row) => {
        logSoftmax(logits, row * V, V, options.temperature ?? 1, out);
        const token = rngs[i]!.categorical(out);
        samples[i]!.tokens.push(token);
        samples[i]!.logProb.push(out[token]!);
      });
    }
    return samples;
  }

  evaluate(batch: Batch, rows?: ArrayLike<number>, turns?: ArrayLike<number>): Evaluation {
    if (this.#fused) return this.#fused.evaluate(this.parameters, batch, rows, turns);
    const [N, T, L] = batch.shape;
    const V = this.#spec.vocabulary.length;
    const { places, data } = turnsOf(batch, rows, turns);
    const logProb_ntl = new Float64Array(N * T * L);
    const entropy_ntl = new Float64Array(N * T * L);
    const value_nt = this.#options.valueHead ? new Float64Array(N * T) : undefined;
    const { logits, pass } = this.#forward(data);
    const out = new Float64Array(V);
    places.forEach((place, i) => {
      if (value_nt) value_nt[place] = this.#value(pass.hidden, i * L);
      for (let l = 0; l < data.tokens[i]!.length; l++) {
        const cell = place * L + l;
        entropy_ntl[cell] = logSoftmax(logits, (i * L + l) * V, V, 1, out);
        logProb_ntl[cell] = out[batch.token_ntl[cell]!]!;
      }
    });
    return { logProb_ntl, entropy_ntl, ...(value_nt && { value_nt }) };
  }

  backward(
    batch: Batch,
    gradient: EvaluationGradient,
    rows?: ArrayLike<number>,
    turns?: ArrayLike<number>,
    evaluation?: Evaluation,
  ): Float64Array {
    if (this.#fused) {
      return this.#fused.backward(this.parameters, batch, gradient, rows, turns, evaluation);
    }
    const L = batch.shape[2];
    const V = this.#spec.vocabulary.length;
    const { width } = this.#network;
    const { places, data } = turnsOf(batch, rows, turns);
    const result = new Float64Array(this.parameters.length);
    const { logits, pass } = this.#forward(data);
    const cells = places.length * L;
    const dLogits = new Float64Array(cells * V);
    const dHidden = new Float64Array(cells * width);
    const out = new Float64Array(V);
    const one = new Float64Array(V);
    places.forEach((place, i) => {
      for (let l = 0; l < data.tokens[i]!.length; l++) {
        const cell = place * L + l;
        const entropy = logSoftmax(logits, (i * L + l) * V, V, 1, out);
        const dEntropy = gradient.dEntropy_ntl?.[cell] ?? 0;
        softmaxBackward(out, V, batch.token_ntl[cell]!, gradient.dLogProb_ntl[cell]!, dEntropy, entropy, one);
        dLogits.set(one, (i * L + l) * V);
      }
      if (!this.#options.valueHead || !gradient.dValue_nt) return;
      const dValue = gradient.dValue_nt[place]!;
      for (let c = 0; c < width; c++) {
        result[this.#at("value") + c]! += dValue * pass.hidden[i * L * width + c]!;
        dHidden[i * L * width + c] = dValue * this.parameters[this.#at("value") + c]!;
      }
    });
    const dOut = matrix(dLogits, cells, V);
    addColumnSums(dOut, result, this.#at("out-bias"));
    addTransposedProduct(matrix(pass.hidden, cells, width), dOut, matrix(result, width, V, this.#at("out")));
    addProductTransposed(
      dOut,
      matrix(this.parameters, width, V, this.#at("out")),
      matrix(dHidden, cells, width),
    );
    pass.backward(dHidden, result);
    return result;
  }

  /** `backward` into an array that the next call overwrites, because allocating one of this size is slow. */
  sparseBackward(
    batch: Batch,
    gradient: EvaluationGradient,
    rows?: ArrayLike<number>,
    turns?: ArrayLike<number>,
    evaluation?: Evaluation,
  ): SparseGradient {
    if (!this.#fused) return inOneBlock(this.backward(batch, gradient, rows, turns, evaluation));
    this.#gradient ??= new Float64Array(this.parameters.length);
    this.#fused.backward(this.parameters, batch, gradient, rows, turns, evaluation, this.#gradient);
    return inOneBlock(this.#gradient);
  }

  nextTokenLogProb(context: unknown, prefix: readonly number[]): Float64Array {
    if (this.#fused) return this.#fused.nextTokenLogProb(this.parameters, context as number[], prefix);
    const V = this.#spec.vocabulary.length;
    const out = new Float64Array(V);
    logSoftmax(this.#nextLogits([[...(context as number[]), ...prefix]], prefix.length), 0, V, 1, out);
    return out;
  }

  clone(): NeuralPolicy {
    const copy = new NeuralPolicy(this.#spec, this.#options);
    copy.parameters.set(this.parameters);
    return copy;
  }

  /** Everything that `restore` takes back: plain data. */
  state(): PolicyState {
    return { ...fixedState(this), ...this.#computed() };
  }

  snapshot(): PolicyState {
    return { ...fixedSnapshot(this), ...this.#computed() };
  }

  /** With "auto" the state says which computation was in use, so that a resumed run gets the same bits. */
  #computed(): Pick<PolicyState, "extra"> {
    return this.#options.compute === "auto" ? { extra: { compute: this.compute } } : {};
  }

  restore(state: PolicyState): void {
    restoreFixed(this, state, this.name);
    const before = (state.extra as { compute?: Compute } | undefined)?.compute;
    if (before && this.#options.compute === "auto") this.#use(before);
  }

  #use(compute: Compute): void {
    if (compute === this.compute) return;
    this.#fused =
      compute === "float64"
        ? undefined
        : new FusedCompute({
            spec: this.#spec,
            window: this.#window,
            network: fusedNetworkOf(this.#tokenCount, this.#options, this.#window, this.#at),
            parameterCount: this.parameters.length,
            valueHead: this.#options.valueHead ?? false,
            at: this.#at,
          });
  }

  #selfTest(): ComputeChoice {
    const { vocabulary, maxTokens } = this.#spec;
    return fasterCompute(
      sizeKey(this.#options, this.#tokenCount, this.#window),
      (one) => new NeuralPolicy(this.#spec, { ...this.#options, compute: one }),
      {
        tokenCount: this.#tokenCount,
        vocabulary: vocabulary.length,
        maxTokens,
        context: this.#window - maxTokens + 1,
      },
    );
  }

  get #tokenCount(): number {
    return this.#spec.vocabulary.length + this.#spec.observationVocabulary.length + 1;
  }

  #initialise(rng: Rng): void {
    let offset = 0;
    for (const { shape, init } of this.#blocks) {
      const count = blockSize(shape);
      for (let i = 0; i < count; i++) {
        this.parameters[offset + i] = "normal" in init ? init.normal * rng.normal() : init.constant;
      }
      offset += count;
    }
  }

  /** Logits [B * L, V] for the places of each turn; those after its end are meaningless. */
  #forward(data: Turns): { logits: Float64Array; pass: Pass } {
    const L = this.#spec.maxTokens;
    const sequences = data.contexts.map((context, i) => {
      const before = [...context, ...data.tokens[i]!.slice(0, L - 1)];
      while (before.length < context.length + L - 1) before.push(0); // padding after a short turn, which nothing before it sees
      return before;
    });
    return this.#run(sequences, L, this.#window - 1);
  }

  /** Logits after what the live samples hold so far, from a cache if the network keeps one. */
  #decoder(
    samples: readonly { readonly context: readonly number[]; readonly tokens: readonly number[] }[],
  ): (live: readonly number[]) => Float64Array {
    const whole = (live: readonly number[]): Float64Array =>
      this.#nextLogits(
        live.map((i) => [...samples[i]!.context, ...samples[i]!.tokens]),
        samples[live[0]!]!.tokens.length,
      );
    if (!this.#network.begin || samples.length === 0) return whole;
    const lastPlace = this.#window - this.#spec.maxTokens;
    const input = { ...aligned(samples.map(({ context }) => context)), wanted: 1, lastPlace };
    const begun = this.#network.begin(this.parameters, input);
    return (live) => {
      const written = samples[live[0]!]!.tokens.length;
      const hidden =
        written === 0
          ? begun.hidden
          : begun.next(
              live,
              live.map((i) => samples[i]!.tokens.at(-1)!),
            );
      return this.#logits(hidden);
    };
  }

  /** Logits after the last token of each sequence, which is `written` tokens into its turn. */
  #nextLogits(sequences: readonly (readonly number[])[], written: number): Float64Array {
    return this.#run(sequences, 1, this.#window - this.#spec.maxTokens + written).logits;
  }

  #run(
    sequences: readonly (readonly number[])[],
    wanted: number,
    lastPlace: number,
  ): { logits: Float64Array; pass: Pass } {
    const pass = this.#network.run(this.parameters, { ...aligned(sequences), wanted, lastPlace });
    return { logits: this.#logits(pass.hidden), pass };
  }

  /** h W_out + b_out. */
  #logits(hidden: Float64Array): Float64Array {
    const V = this.#spec.vocabulary.length;
    const { width } = this.#network;
    const cells = hidden.length / width;
    const logits = new Float64Array(cells * V);
    addBias(this.parameters, this.#at("out-bias"), matrix(logits, cells, V));
    const out = matrix(this.parameters, width, V, this.#at("out"));
    addProduct(matrix(hidden, cells, width), out, matrix(logits, cells, V));
    return logits;
  }

  #value(hidden: Float64Array, row: number): number {
    const { width } = this.#network;
    const from = this.#at("value");
    let sum = 0;
    for (let c = 0; c < width; c++) sum += hidden[row * width + c]! * this.parameters[from + c]!;
    return sum;
  }
}

function expectCompute(name: string, compute: NeuralOptions["compute"] = "float64"): Compute {
  if (compute === "float64" || compute === "wasm") return compute;
  throw new RangeError(
    `Cannot make a ${name} policy as compute must be float64, wasm or auto: current value is "${compute}"`,
  );
}

function networkOf(tokenCount: number, o: NeuralOptions, window: number): Network {
  const width = o.width ?? 32;
  if (o.kind === "mlp") return mlp(tokenCount, { window, width });
  if (o.kind === "gru") return gru(tokenCount, { width });
  const { layers = 1, heads = 2 } = o;
  if (width % heads !== 0) {
    throw new RangeError(
      `Cannot make a transformer policy as width must be a multiple of heads: current values are ${width} and ${heads}`,
    );
  }
  return transformer(tokenCount, { width, layers, heads, window });
}

/** The places n * T + t of the turns that were taken, with their contexts and tokens. */
function turnsOf(
  batch: Batch,
  rows: ArrayLike<number> | undefined,
  turns: ArrayLike<number> | undefined,
): { places: number[]; data: Turns } {
  const [, T, L] = batch.shape;
  const places: number[] = [];
  const contexts: (readonly number[])[] = [];
  const tokens: (readonly number[])[] = [];
  forEachTurn(batch, rows, turns, (n, t) => {
    const first = (n * T + t) * L;
    let count = 0;
    while (count < L && batch.mask_ntl[first + count]) count++;
    places.push(n * T + t);
    contexts.push(batch.context_nt[n]![t] as readonly number[]);
    tokens.push(Array.from(batch.token_ntl.subarray(first, first + count)));
  });
  return { places, data: { contexts, tokens } };
}

/** Pads sequences at the front to one length. */
function aligned(sequences: readonly (readonly number[])[]): {
  batch: number;
  length: number;
  tokens: Int32Array;
} {
  const length = sequences.reduce((most, sequence) => Math.max(most, sequence.length), 0);
  const tokens = new Int32Array(sequences.length * length).fill(-1);
  sequences.forEach((sequence, b) => tokens.set(sequence, (b + 1) * length - sequence.length));
  return { batch: sequences.length, length, tokens };
}
