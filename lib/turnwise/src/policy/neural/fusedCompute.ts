import type { EnvSpec } from "../../env/env";
import type { Batch } from "../../batch/batch";
import { forEachTurn } from "../../batch/cells";
import { fusedArena, FusedModel, type Arena, type FusedNetwork, type Sequences } from "../../tensor/fused";
import type { Rng } from "../../base/rng";
import type { EvaluateOptions, Evaluation, EvaluationGradient, Sample } from "../policy";
import type { NeuralCompute } from "./neuralCompute";

/** The turns of one evaluation: what was in sight, and where each cell lies in the batch. */
interface Turns {
  readonly input: Sequences;
  /** n * T + t of each turn. */
  readonly place: Int32Array;
  /** The index in the batch and the token of every cell that was written. */
  readonly cell: Int32Array;
  readonly chosen: Int32Array;
}

export interface FusedComputeOptions {
  readonly spec: Pick<EnvSpec, "vocabulary" | "maxTokens" | "endToken">;
  readonly window: number;
  readonly network: FusedNetwork;
  readonly parameterCount: number;
  readonly valueHead: boolean;
  /** Offset of a block of weights, in elements. */
  at(name: string): number;
  /** Default: the arena of this process. */
  readonly arena?: Arena;
}

/**
 * A neural policy on 32-bit floats, whose forward and backward passes are one operation each.
 *
 * It computes only the places that are wanted, without padding, and samples a turn token by token from the state so far.
 * Sampling, evaluating one row and evaluating many give the same bits.
 */
export class FusedCompute implements NeuralCompute {
  readonly #o: FusedComputeOptions;
  readonly #model: FusedModel;
  /** The latest evaluation, for the backward pass that follows it. */
  #latest: { readonly evaluation: Evaluation; readonly turns: Turns } | undefined;

  constructor(o: FusedComputeOptions) {
    this.#o = o;
    this.#model = new FusedModel(o.arena ?? fusedArena(), o.network, {
      vocabularySize: o.spec.vocabulary.length,
      parameterCount: o.parameterCount,
      out: o.at("out"),
      outBias: o.at("out-bias"),
      ...(o.valueHead && { value: o.at("value") }),
    });
  }

  sample(
    parameters: Float64Array,
    contexts: readonly (readonly number[])[],
    rngs: readonly Rng[],
    temperature: number,
  ): Sample[] {
    const { maxTokens, endToken = -1 } = this.#o.spec;
    const options = { room: maxTokens, endToken, temperature };
    const drawn = this.#model.sample(parameters, this.#prefixes(contexts), rngs, options);
    return drawn.map((sample, i) => ({ ...sample, context: contexts[i] }));
  }

  evaluate(
    parameters: Float64Array,
    batch: Batch,
    rows?: ArrayLike<number>,
    turns?: ArrayLike<number>,
    options?: EvaluateOptions,
  ): Evaluation {
    const [N, T, L] = batch.shape;
    const flat = this.#turnsOf(batch, rows, turns);
    const { logProb, entropy, logProbs, value } = this.#model.evaluate(
      parameters,
      flat.input,
      flat.chosen,
      options,
    );
    const logProb_ntl = new Float64Array(N * T * L);
    const entropy_ntl = new Float64Array(N * T * L);
    const { cell } = flat;
    for (let i = 0; i < cell.length; i++) {
      logProb_ntl[cell[i]!] = logProb[i]!;
      entropy_ntl[cell[i]!] = entropy[i]!;
    }
    const V = this.#o.spec.vocabulary.length;
    const logProb_ntlv = logProbs && new Float64Array(N * T * L * V);
    if (logProbs && logProb_ntlv) {
      flat.cell.forEach((cell, i) => logProb_ntlv.set(logProbs.subarray(i * V, (i + 1) * V), cell * V));
    }
    const value_nt = value && new Float64Array(N * T);
    if (value && value_nt) flat.place.forEach((place, i) => (value_nt[place] = value[i]!));
    const evaluation = {
      logProb_ntl,
      entropy_ntl,
      ...(logProb_ntlv && { logProb_ntlv }),
      ...(value_nt && { value_nt }),
    };
    this.#latest = { evaluation, turns: flat };
    return evaluation;
  }

  backward(
    parameters: Float64Array,
    batch: Batch,
    gradient: EvaluationGradient,
    rows?: ArrayLike<number>,
    turns?: ArrayLike<number>,
    evaluation?: Evaluation,
    out?: Float64Array,
  ): Float64Array {
    const known = evaluation !== undefined && this.#latest?.evaluation === evaluation;
    if (!known || !this.#model.remembers) this.evaluate(parameters, batch, rows, turns);
    const { cell, place } = this.#latest!.turns;
    const pick = (values: Float64Array, index: Int32Array): Float64Array => {
      const picked = new Float64Array(index.length);
      for (let i = 0; i < index.length; i++) picked[i] = values[index[i]!]!;
      return picked;
    };
    const V = this.#o.spec.vocabulary.length;
    const pickRows = (values: Float64Array): Float64Array => {
      const picked = new Float64Array(cell.length * V);
      cell.forEach((from, i) => picked.set(values.subarray(from * V, (from + 1) * V), i * V));
      return picked;
    };
    const { dLogProb_ntl, dEntropy_ntl, dLogit_ntlv, dValue_nt } = gradient;
    const derivative = {
      logProb: pick(dLogProb_ntl, cell),
      ...(dEntropy_ntl && { entropy: pick(dEntropy_ntl, cell) }),
      ...(dLogit_ntlv && { logits: pickRows(dLogit_ntlv) }),
      ...(dValue_nt && { value: pick(dValue_nt, place) }),
    };
    return this.#model.backward(derivative, out);
  }

  nextTokenLogProb(
    parameters: Float64Array,
    context: readonly number[],
    prefix: readonly number[],
  ): Float64Array {
    const input = this.#prefixes([[...context, ...prefix]]);
    const firstPlace = Int32Array.of(this.#firstPlace(context));
    return this.#model.nextLogProb(parameters, { ...input, firstPlace });
  }

  /** Sequences of which only the last place is wanted. */
  #prefixes(contexts: readonly (readonly number[])[]): Sequences {
    const count = contexts.length;
    const start = new Int32Array(count + 1);
    contexts.forEach((context, b) => (start[b + 1] = start[b]! + context.length));
    const tokens = new Int32Array(start[count]!);
    contexts.forEach((context, b) => tokens.set(context, start[b]));
    const firstPlace = Int32Array.from(contexts, (context) => this.#firstPlace(context));
    return { count, tokens, start, wanted: new Int32Array(count).fill(1), firstPlace };
  }

  /** A turn always begins at the same place of the window, however long its context is. */
  #firstPlace(context: readonly number[]): number {
    return this.#o.window - this.#o.spec.maxTokens + 1 - context.length;
  }

  #turnsOf(batch: Batch, rows?: ArrayLike<number>, turns?: ArrayLike<number>): Turns {
    const [, T, L] = batch.shape;
    const { context_nt, mask_ntl, token_ntl } = batch;
    const most = (rows?.length ?? batch.shape[0]) * (turns?.length ?? T);
    const places = new Int32Array(most);
    const contexts: (readonly number[])[] = [];
    const wanted = new Int32Array(most);
    let count = 0;
    let cells = 0;
    let length = 0;
    forEachTurn(batch, rows, turns, (n, t) => {
      const first = (n * T + t) * L;
      let own = 0;
      while (own < L && mask_ntl[first + own]) own++;
      if (own === 0) return;
      places[count] = n * T + t;
      wanted[count++] = own;
      cells += own;
      const context = context_nt[n]![t] as readonly number[];
      contexts.push(context);
      length += context.length + own - 1;
    });
    const start = new Int32Array(count + 1);
    const firstPlace = new Int32Array(count);
    const tokens = new Int32Array(length);
    const cell = new Int32Array(cells);
    const chosen = new Int32Array(cells);
    const origin = this.#firstPlace([]);
    let next = 0;
    let at = 0;
    for (let i = 0; i < count; i++) {
      const place = places[i]!;
      const context = contexts[i]!;
      firstPlace[i] = origin - context.length;
      for (const token of context) tokens[at++] = token;
      const last = place * L + wanted[i]! - 1;
      for (let from = place * L; from <= last; from++) {
        cell[next] = from;
        chosen[next++] = token_ntl[from]!;
        if (from < last) tokens[at++] = token_ntl[from]!;
      }
      start[i + 1] = at;
    }
    const input = { count, tokens, start, wanted: wanted.subarray(0, count), firstPlace };
    return { input, place: places.subarray(0, count), cell, chosen };
  }
}
