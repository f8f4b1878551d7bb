// One file because sampling, evaluating and differentiating index the weights by the same five features.

import { displaySymbol, type MimeBundle } from "../base/display";
import type { EnvSpec, Observation } from "../env/env";
import type { Batch } from "../batch/batch";
import { forEachTurn } from "../batch/cells";
import { createRng, type Rng } from "../base/rng";
import { showPolicy } from "./card";
import { fixedSnapshot, fixedState, restoreFixed } from "./fixedState";
import {
  inOneBlock,
  type EvaluateOptions,
  type Evaluation,
  type EvaluationGradient,
  type History,
  type ParameterRow,
  type Policy,
  type PolicyState,
  type Sample,
  type SparseGradient,
} from "./policy";
import { readPolicyOptions, type LogLinearOptions } from "./options";
import { SoftmaxCells } from "./softmaxCells";

/** Parts of its environment that the policy needs. */
export type LogLinearSpec = Pick<
  EnvSpec,
  "vocabulary" | "observationVocabulary" | "maxTurns" | "maxTokens" | "endToken"
>;

const KINDS = 5;

/**
 * A softmax over tokens, linear in five one-hot features, with weights W[row, token]:
 *
 *   logits = W[j] + W[j, obs] + W[j, previous] + W[j, obs, previous] + W[j, last]
 *
 * j = place in the turn, obs = the latest observation (one token of the observation vocabulary), previous = the token
 * before this one in the turn (V at its start), last = the last token of the turn before (V at the first turn).
 * It remembers nothing else. Forward and backward are closed form on Float64Arrays, without tensors.
 */
export class LogLinearPolicy implements Policy {
  readonly name = "logLinear";
  readonly parameters: Float64Array;
  readonly #spec: LogLinearSpec;
  readonly #options: Required<LogLinearOptions>;
  readonly #V: number;
  readonly #O: number;
  /** First row of each kind of feature, and the number of rows of one turn. */
  readonly #start: readonly number[];
  readonly #rowsPerTurn: number;
  /** Offset of the value table. */
  readonly #values: number;
  readonly #rows = new Int32Array(KINDS);
  readonly #cells: SoftmaxCells;
  /** The latest evaluation and the place of each of its cells in #cells, for the backward pass that follows it. */
  #evaluated: { readonly evaluation: Evaluation; readonly place_ntl: Int32Array } | undefined;
  /** Result of the latest sparse backward pass, 0 outside of the blocks that it touched. */
  #gradient: Float64Array | undefined;
  #touched = new Int32Array(0);
  /** 1 for a block that has been noted in the pass at work; 0 between passes. */
  #flags = new Uint8Array(0);

  constructor(spec: LogLinearSpec, options: LogLinearOptions = {}) {
    this.#spec = spec;
    this.#options = { prior: [], ...readPolicyOptions("logLinear", options) };
    const V = (this.#V = spec.vocabulary.length);
    const O = (this.#O = spec.observationVocabulary.length);
    const L = spec.maxTokens;
    const sizes = [L, L * O, L * (V + 1), L * O * (V + 1), L * (V + 1)];
    this.#start = sizes.map((_, kind) => sizes.slice(0, kind).reduce((a, b) => a + b, 0));
    this.#rowsPerTurn = sizes.reduce((a, b) => a + b, 0);
    const turns = this.#options.perTurn ? spec.maxTurns : 1;
    this.#values = turns * this.#rowsPerTurn * V;
    const values = this.#options.valueHead ? spec.maxTurns * O * (V + 1) : 0;
    this.parameters = new Float64Array(this.#values + values);
    this.#cells = new SoftmaxCells(V, turns * L * O * (V + 1) * (V + 1));
    this.#initialize(turns);
  }

  /** Number of rows of weights, each as wide as the vocabulary. */
  get rowCount(): number {
    return this.#values / this.#V;
  }

  parameterTable(): ParameterRow[] {
    const V = this.#V;
    const turns = this.#values / (this.#rowsPerTurn * V);
    const features = ["place", "observation", "previous", "observation x previous", "last"];
    const values = this.parameters.length - this.#values;
    return [
      ...features.map((name, kind) => {
        const rows = turns * ((this.#start[kind + 1] ?? this.#rowsPerTurn) - this.#start[kind]!);
        return { name, shape: [rows, V], count: rows * V };
      }),
      ...(values > 0 ? [{ name: "value", shape: [values, 1], count: values }] : []),
    ];
  }

  get contextKind(): string | undefined {
    // A subclass may make contexts of its own.
    return this.contextOf === LogLinearPolicy.prototype.contextOf
      ? `logLinear ${this.#V} ${this.#O}`
      : undefined;
  }

  /** (turn, observation, last token of the turn before), packed into one number. */
  contextOf(history: History): number {
    const turn = history.actions.length;
    const last = turn === 0 ? this.#V : history.actions[turn - 1]!.at(-1)!;
    return (turn * this.#O + this.#observationIndex(history.observations[turn]!)) * (this.#V + 1) + last;
  }

  sample(
    histories: readonly History[],
    rngs: readonly Rng[],
    options: { temperature?: number } = {},
  ): Sample[] {
    const { maxTokens, endToken = -1 } = this.#spec;
    this.#forget(options.temperature ?? 1);
    return histories.map((history, i) => {
      const context = this.contextOf(history);
      const tokens: number[] = [];
      const logProb: number[] = [];
      let previous = this.#V;
      while (tokens.length < maxTokens && previous !== endToken) {
        const logProbs = this.#cells.logProb(this.#place(context, tokens.length, previous));
        previous = rngs[i]!.categorical(logProbs);
        tokens.push(previous);
        logProb.push(logProbs[previous]!);
      }
      return { tokens, logProb, context };
    });
  }

  evaluate(
    batch: Batch,
    rows?: ArrayLike<number>,
    turns?: ArrayLike<number>,
    _spent?: Evaluation,
    options?: EvaluateOptions,
  ): Evaluation {
    const [N, T, L] = batch.shape;
    const V = this.#V;
    const { mask_ntl, token_ntl, context_nt } = batch;
    const logProb_ntl = new Float64Array(N * T * L);
    const entropy_ntl = new Float64Array(N * T * L);
    const logProb_ntlv = options?.distributions ? new Float64Array(N * T * L * V) : undefined;
    const place_ntl = new Int32Array(N * T * L);
    const value_nt = this.#options.valueHead ? new Float64Array(N * T) : undefined;
    this.#forget(1);
    forEachTurn(batch, rows, turns, (n, t) => {
      const context = context_nt[n]![t] as number;
      if (value_nt) value_nt[n * T + t] = this.parameters[this.#values + context]!;
      const first = (n * T + t) * L;
      let previous = this.#V;
      for (let j = 0; j < L && mask_ntl[first + j]; j++) {
        const place = this.#place(context, j, previous);
        place_ntl[first + j] = place;
        entropy_ntl[first + j] = this.#cells.entropy(place);
        previous = token_ntl[first + j]!;
        logProb_ntl[first + j] = this.#cells.logProb(place)[previous]!;
        logProb_ntlv?.set(this.#cells.logProb(place), (first + j) * V);
      }
    });
    const evaluation = {
      logProb_ntl,
      entropy_ntl,
      ...(logProb_ntlv && { logProb_ntlv }),
      ...(value_nt && { value_nt }),
    };
    this.#evaluated = { evaluation, place_ntl };
    return evaluation;
  }

  backward(
    batch: Batch,
    gradient: EvaluationGradient,
    rows?: ArrayLike<number>,
    turns?: ArrayLike<number>,
    evaluation?: Evaluation,
  ): Float64Array {
    const result = new Float64Array(this.parameters.length);
    this.#addGradient(result, batch, gradient, rows, turns, evaluation);
    return result;
  }

  sparseBackward(
    batch: Batch,
    gradient: EvaluationGradient,
    rows?: ArrayLike<number>,
    turns?: ArrayLike<number>,
    evaluation?: Evaluation,
  ): SparseGradient {
    const width = this.#V;
    const values = (this.#gradient ??= new Float64Array(this.parameters.length));
    for (const offset of this.#touched) values.fill(0, offset, offset + width);
    // Values are no rows of the vocabulary's width.
    if (this.#options.valueHead) values.fill(0, this.#values);
    this.#touched = this.#addGradient(values, batch, gradient, rows, turns, evaluation);
    return this.#options.valueHead ? inOneBlock(values) : { values, width, blocks: this.#touched };
  }

  /** Adds d loss / d parameters to `result` and returns the offsets of the rows that it touched, ascending. */
  #addGradient(
    result: Float64Array,
    batch: Batch,
    gradient: EvaluationGradient,
    rows: ArrayLike<number> | undefined,
    turns: ArrayLike<number> | undefined,
    evaluation: Evaluation | undefined,
  ): Int32Array<ArrayBuffer> {
    const [, T, L] = batch.shape;
    const V = this.#V;
    const { mask_ntl, token_ntl, context_nt } = batch;
    const { dLogProb_ntl, dEntropy_ntl, dLogit_ntlv, dValue_nt } = gradient;
    const known = evaluation && this.#evaluated?.evaluation === evaluation ? this.#evaluated : undefined;
    if (!known) this.#forget(1);
    if (this.#flags.length === 0) this.#flags = new Uint8Array(this.rowCount);
    const flags = this.#flags;
    const touched: number[] = [];
    forEachTurn(batch, rows, turns, (n, t) => {
      const context = context_nt[n]![t] as number;
      if (this.#options.valueHead && dValue_nt) result[this.#values + context]! += dValue_nt[n * T + t]!;
      const first = (n * T + t) * L;
      let previous = V;
      for (let j = 0; j < L && mask_ntl[first + j]; j++) {
        const cell = first + j;
        const token = token_ntl[cell]!;
        const dLogProb = dLogProb_ntl[cell]!;
        const dEntropy = dEntropy_ntl ? dEntropy_ntl[cell]! : 0;
        if (dLogProb !== 0 || dEntropy !== 0 || dLogit_ntlv !== undefined) {
          const place = known ? known.place_ntl[cell]! : this.#place(context, j, previous);
          const dLogits = this.#cells.backward(place, token, dLogProb, dEntropy);
          if (dLogit_ntlv) for (let v = 0; v < V; v++) dLogits[v]! += dLogit_ntlv[cell * V + v]!;
          this.#findRows(context, j, previous);
          for (let kind = 0; kind < KINDS; kind++) {
            const row = this.#rows[kind]!;
            const from = row * V;
            for (let v = 0; v < V; v++) result[from + v]! += dLogits[v]!;
            if (flags[row] !== 0) continue;
            flags[row] = 1;
            touched.push(row);
          }
        }
        previous = token;
      }
    });
    const begins = new Int32Array(touched.length);
    for (let i = 0; i < touched.length; i++) {
      flags[touched[i]!] = 0;
      begins[i] = touched[i]! * V;
    }
    return begins.sort();
  }

  nextTokenLogProb(context: unknown, prefix: readonly number[]): Float64Array {
    this.#forget(1);
    const place = this.#place(context as number, prefix.length, prefix.at(-1) ?? this.#V);
    return this.#cells.logProb(place).slice();
  }

  /** MIME bundle that a notebook displays for this object. */
  [displaySymbol](): MimeBundle {
    return showPolicy(this);
  }

  clone(): LogLinearPolicy {
    const copy = new LogLinearPolicy(this.#spec, { ...this.#options, prior: [], initialScale: 0 });
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
    restoreFixed(this, state, "log-linear");
  }

  #initialize(turns: number): void {
    const { initialScale, seed, prior } = this.#options;
    const rng = createRng(seed).split("logLinear");
    // The draws of one turn are repeated for every turn, so that separate and shared policies start out the same.
    for (let i = 0; i < this.#rowsPerTurn * this.#V; i++) {
      const weight = initialScale === 0 ? 0 : initialScale * rng.normal();
      for (let turn = 0; turn < turns; turn++) {
        this.parameters[turn * this.#rowsPerTurn * this.#V + i] = weight;
      }
    }
    for (const { place, observation, token, weight } of prior) {
      for (let turn = 0; turn < turns; turn++) {
        const row = turn * this.#rowsPerTurn + this.#start[1]! + place * this.#O + observation;
        this.parameters[row * this.#V + token]! += weight;
      }
    }
  }

  /** Drops what was computed from the weights, which may have changed since the last call. */
  #forget(temperature: number): void {
    this.#cells.forget(temperature);
    this.#evaluated = undefined;
  }

  /** The place in #cells of the distribution after `previous`; cells with the same five features share it. */
  #place(context: number, j: number, previous: number): number {
    const width = this.#V + 1;
    const last = context % width;
    const observation = Math.floor(context / width) % this.#O;
    const turn = this.#options.perTurn ? Math.floor(context / (width * this.#O)) : 0;
    const key =
      (((turn * this.#spec.maxTokens + j) * this.#O + observation) * width + previous) * width + last;
    const known = this.#cells.find(key);
    if (known >= 0) return known;
    this.#findRows(context, j, previous);
    const w = this.parameters;
    const V = this.#V;
    const rows = this.#rows;
    const [a, b, c, d, e] = [rows[0]! * V, rows[1]! * V, rows[2]! * V, rows[3]! * V, rows[4]! * V];
    const { logits } = this.#cells;
    for (let v = 0; v < V; v++) {
      logits[v] = w[a + v]! + w[b + v]! + w[c + v]! + w[d + v]! + w[e + v]!;
    }
    return this.#cells.add(key);
  }

  /** Writes a cell's five rows to #rows. */
  #findRows(context: number, j: number, previous: number): void {
    const V = this.#V;
    const O = this.#O;
    const last = context % (V + 1);
    const place = Math.floor(context / (V + 1));
    const observation = place % O;
    const turn = this.#options.perTurn ? Math.floor(place / O) : 0;
    const base = turn * this.#rowsPerTurn;
    const start = this.#start;
    const rows = this.#rows;
    rows[0] = base + j;
    rows[1] = base + start[1]! + j * O + observation;
    rows[2] = base + start[2]! + j * (V + 1) + previous;
    rows[3] = base + start[3]! + (j * O + observation) * (V + 1) + previous;
    rows[4] = base + start[4]! + j * (V + 1) + last;
  }

  #observationIndex(observation: Observation): number {
    const [token] = observation.tokens;
    const index = (token ?? -1) - this.#V;
    if (observation.tokens.length !== 1 || index < 0 || index >= this.#O) {
      throw new TypeError(
        `Cannot use a log-linear policy: an observation must be one token of the observation vocabulary, got [${observation.tokens.join(", ")}].`,
      );
    }
    return index;
  }
}
