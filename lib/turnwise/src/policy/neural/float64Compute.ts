import type { Rng } from "../../base/rng";
import type { Batch } from "../../batch/batch";
import { forEachTurn } from "../../batch/cells";
import type { EnvSpec } from "../../env/env";
import type { EvaluateOptions, Evaluation, EvaluationGradient, Sample } from "../policy";
import { logSoftmax, softmaxBackward } from "../softmax";
import {
  addBias,
  addColumnSums,
  addProduct,
  addProductTransposed,
  addTransposedProduct,
  matrix,
} from "./matrix";
import type { Network, Pass } from "./network";
import type { NeuralCompute } from "./neuralCompute";

/** The turns of one evaluation, side by side: contexts and what was written after them. */
interface Turns {
  readonly contexts: readonly (readonly number[])[];
  readonly tokens: readonly (readonly number[])[];
}

export interface Float64ComputeOptions {
  readonly spec: Pick<EnvSpec, "vocabulary" | "maxTokens" | "endToken">;
  readonly window: number;
  readonly network: Network;
  readonly valueHead: boolean;
  /** Offset of a block of weights. */
  at(name: string): number;
}

/**
 * A neural policy in double precision, in closed form.
 *
 * At these sizes TensorFlow.js on the cpu backend is several times slower. While sampling a turn, a transformer keeps its
 * keys and values; the other networks recompute the window for every token.
 */
export class Float64Compute implements NeuralCompute {
  readonly #o: Float64ComputeOptions;

  constructor(o: Float64ComputeOptions) {
    this.#o = o;
  }

  sample(
    parameters: Float64Array,
    contexts: readonly (readonly number[])[],
    rngs: readonly Rng[],
    temperature: number,
  ): Sample[] {
    const { maxTokens, endToken = -1, vocabulary } = this.#o.spec;
    const V = vocabulary.length;
    const samples = contexts.map((context) => ({
      tokens: [] as number[],
      logProb: [] as number[],
      context,
    }));
    const out = new Float64Array(V);
    const next = this.#decoder(parameters, samples);
    for (let l = 0; l < maxTokens; l++) {
      const live = samples.flatMap((sample, i) => (sample.tokens.at(-1) === endToken && l > 0 ? [] : [i]));
      if (live.length === 0) break;
      const logits = next(live);
      live.forEach((i, row) => {
        logSoftmax(logits, row * V, V, temperature, out);
        const token = rngs[i]!.categorical(out);
        samples[i]!.tokens.push(token);
        samples[i]!.logProb.push(out[token]!);
      });
    }
    return samples;
  }

  evaluate(
    parameters: Float64Array,
    batch: Batch,
    rows?: ArrayLike<number>,
    turns?: ArrayLike<number>,
    options?: EvaluateOptions,
  ): Evaluation {
    const [N, T, L] = batch.shape;
    const V = this.#o.spec.vocabulary.length;
    const { places, data } = turnsOf(batch, rows, turns);
    const logProb_ntl = new Float64Array(N * T * L);
    const entropy_ntl = new Float64Array(N * T * L);
    const logProb_ntlv = options?.distributions ? new Float64Array(N * T * L * V) : undefined;
    const value_nt = this.#o.valueHead ? new Float64Array(N * T) : undefined;
    const { logits, pass } = this.#forward(parameters, data);
    const out = new Float64Array(V);
    places.forEach((place, i) => {
      if (value_nt) value_nt[place] = this.#value(parameters, pass.hidden, i * L);
      for (let l = 0; l < data.tokens[i]!.length; l++) {
        const cell = place * L + l;
        entropy_ntl[cell] = logSoftmax(logits, (i * L + l) * V, V, 1, out);
        logProb_ntl[cell] = out[batch.token_ntl[cell]!]!;
        logProb_ntlv?.set(out, cell * V);
      }
    });
    return {
      logProb_ntl,
      entropy_ntl,
      ...(logProb_ntlv && { logProb_ntlv }),
      ...(value_nt && { value_nt }),
    };
  }

  backward(
    parameters: Float64Array,
    batch: Batch,
    gradient: EvaluationGradient,
    rows?: ArrayLike<number>,
    turns?: ArrayLike<number>,
    _evaluation?: Evaluation,
    out?: Float64Array,
  ): Float64Array {
    const L = batch.shape[2];
    const V = this.#o.spec.vocabulary.length;
    const { width } = this.#o.network;
    const { places, data } = turnsOf(batch, rows, turns);
    const result = out?.fill(0) ?? new Float64Array(parameters.length);
    const { logits, pass } = this.#forward(parameters, data);
    const cells = places.length * L;
    const dLogits = new Float64Array(cells * V);
    const dHidden = new Float64Array(cells * width);
    const logProb = new Float64Array(V);
    const one = new Float64Array(V);
    places.forEach((place, i) => {
      for (let l = 0; l < data.tokens[i]!.length; l++) {
        const cell = place * L + l;
        const entropy = logSoftmax(logits, (i * L + l) * V, V, 1, logProb);
        const dEntropy = gradient.dEntropy_ntl?.[cell] ?? 0;
        softmaxBackward(
          logProb,
          V,
          batch.token_ntl[cell]!,
          gradient.dLogProb_ntl[cell]!,
          dEntropy,
          entropy,
          one,
        );
        const dense = gradient.dLogit_ntlv;
        if (dense) for (let v = 0; v < V; v++) one[v]! += dense[cell * V + v]!;
        dLogits.set(one, (i * L + l) * V);
      }
      if (!this.#o.valueHead || !gradient.dValue_nt) return;
      const dValue = gradient.dValue_nt[place]!;
      for (let c = 0; c < width; c++) {
        result[this.#o.at("value") + c]! += dValue * pass.hidden[i * L * width + c]!;
        dHidden[i * L * width + c] = dValue * parameters[this.#o.at("value") + c]!;
      }
    });
    const dOut = matrix(dLogits, cells, V);
    addColumnSums(dOut, result, this.#o.at("out-bias"));
    addTransposedProduct(
      matrix(pass.hidden, cells, width),
      dOut,
      matrix(result, width, V, this.#o.at("out")),
    );
    addProductTransposed(
      dOut,
      matrix(parameters, width, V, this.#o.at("out")),
      matrix(dHidden, cells, width),
    );
    pass.backward(dHidden, result);
    return result;
  }

  nextTokenLogProb(
    parameters: Float64Array,
    context: readonly number[],
    prefix: readonly number[],
  ): Float64Array {
    const V = this.#o.spec.vocabulary.length;
    const out = new Float64Array(V);
    logSoftmax(this.#nextLogits(parameters, [[...context, ...prefix]], prefix.length), 0, V, 1, out);
    return out;
  }

  /** Logits [B * L, V] for the places of each turn; those after its end are meaningless. */
  #forward(parameters: Float64Array, data: Turns): { logits: Float64Array; pass: Pass } {
    const L = this.#o.spec.maxTokens;
    const sequences = data.contexts.map((context, i) => {
      const before = [...context, ...data.tokens[i]!.slice(0, L - 1)];
      while (before.length < context.length + L - 1) before.push(0); // padding after a short turn, which nothing before it sees
      return before;
    });
    return this.#run(parameters, sequences, L, this.#o.window - 1);
  }

  /** Logits after what the live samples hold so far, from a cache if the network keeps one. */
  #decoder(
    parameters: Float64Array,
    samples: readonly { readonly context: readonly number[]; readonly tokens: readonly number[] }[],
  ): (live: readonly number[]) => Float64Array {
    const whole = (live: readonly number[]): Float64Array =>
      this.#nextLogits(
        parameters,
        live.map((i) => [...samples[i]!.context, ...samples[i]!.tokens]),
        samples[live[0]!]!.tokens.length,
      );
    if (!this.#o.network.begin || samples.length === 0) return whole;
    const lastPlace = this.#o.window - this.#o.spec.maxTokens;
    const input = { ...aligned(samples.map(({ context }) => context)), wanted: 1, lastPlace };
    const begun = this.#o.network.begin(parameters, input);
    return (live) => {
      const written = samples[live[0]!]!.tokens.length;
      const hidden =
        written === 0
          ? begun.hidden
          : begun.next(
              live,
              live.map((i) => samples[i]!.tokens.at(-1)!),
            );
      return this.#logits(parameters, hidden);
    };
  }

  /** Logits after the last token of each sequence, which is `written` tokens into its turn. */
  #nextLogits(
    parameters: Float64Array,
    sequences: readonly (readonly number[])[],
    written: number,
  ): Float64Array {
    return this.#run(parameters, sequences, 1, this.#o.window - this.#o.spec.maxTokens + written).logits;
  }

  #run(
    parameters: Float64Array,
    sequences: readonly (readonly number[])[],
    wanted: number,
    lastPlace: number,
  ): { logits: Float64Array; pass: Pass } {
    const pass = this.#o.network.run(parameters, { ...aligned(sequences), wanted, lastPlace });
    return { logits: this.#logits(parameters, pass.hidden), pass };
  }

  /** h W_out + b_out. */
  #logits(parameters: Float64Array, hidden: Float64Array): Float64Array {
    const V = this.#o.spec.vocabulary.length;
    const { width } = this.#o.network;
    const cells = hidden.length / width;
    const logits = new Float64Array(cells * V);
    addBias(parameters, this.#o.at("out-bias"), matrix(logits, cells, V));
    const out = matrix(parameters, width, V, this.#o.at("out"));
    addProduct(matrix(hidden, cells, width), out, matrix(logits, cells, V));
    return logits;
  }

  #value(parameters: Float64Array, hidden: Float64Array, row: number): number {
    const { width } = this.#o.network;
    const from = this.#o.at("value");
    let sum = 0;
    for (let c = 0; c < width; c++) sum += hidden[row * width + c]! * parameters[from + c]!;
    return sum;
  }
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
