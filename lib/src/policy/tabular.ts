import type { EnvSpec } from "../env/env";
import type { Batch } from "../rollout/batch";
import { forEachTurn } from "../rollout/cells";
import { createRng, type Rng } from "../tensor/rng";
import type {
  Evaluation,
  EvaluationGradient,
  History,
  ParameterRow,
  Policy,
  PolicyState,
  Sample,
  SparseGradient,
} from "./policy";
import { logSoftmax } from "./softmax";
import { SoftmaxCells } from "./softmaxCells";

export interface TabularOptions {
  /** What a row is keyed by: everything seen and done, the last observation and the turn, or the last observation. */
  readonly memory?: "history" | "turnObservation" | "observation";
  /** Standard deviation of the initial logits; 0 is the uniform policy. */
  readonly initialScale?: number;
  readonly seed?: number;
  /**
   * Added to the initial logits of the tokens that the environment's `syntax` has at their place: a model that was
   * taught the format of calls, not the task. 0 is a model that knows nothing.
   */
  readonly syntaxPrior?: number;
  /** Adds one value estimate per context, trained by critic-based rules. */
  readonly valueHead?: boolean;
}

type PolicySpec = Pick<EnvSpec, "vocabulary" | "maxTokens" | "endToken" | "syntax">;

/**
 * One softmax per context and token prefix: pi(token | context, prefix) = softmax(logits[row])[token].
 *
 * Rows appear when they are first met, so the vector of parameters grows with the histories that were visited.
 * A row's initial logits depend on the seed and the row's own key, not on the order of discovery.
 */
export class TabularPolicy implements Policy {
  readonly name = "tabular";
  readonly #spec: PolicySpec;
  readonly #options: Required<TabularOptions>;
  readonly #initial: Rng;
  /** Width of a row: the vocabulary, and one value where there is a value head. */
  readonly #stride: number;
  readonly #rows = new Map<string, number>();
  /** Keys of the rows, in order; only ever added to. */
  #keys: string[] = [];
  #storage = new Float64Array(0);
  /** Zero but for the rows of #touched. */
  #gradient = new Float64Array(0);
  #touched = new Int32Array(0);
  #backup = new Float64Array(0);
  /** Softmaxes of the rows that the running call met. */
  readonly #cells: SoftmaxCells;
  /** Row of every cell of a batch, so that epochs over one batch look rows up once. */
  readonly #rowsOf = new WeakMap<Batch, Int32Array>();

  /** Throws RangeError for a `syntaxPrior` where the environment tells no syntax. */
  constructor(spec: PolicySpec, options: TabularOptions = {}) {
    if ((options.syntaxPrior ?? 0) !== 0 && !spec.syntax) {
      throw new RangeError(
        `Cannot make a tabular policy as syntaxPrior must be 0 where calls have no syntax: current value is ${options.syntaxPrior}`,
      );
    }
    this.#spec = spec;
    this.#options = {
      memory: "history",
      initialScale: 0,
      seed: 0,
      syntaxPrior: 0,
      valueHead: false,
      ...options,
    };
    this.#cells = new SoftmaxCells(spec.vocabulary.length);
    this.#initial = createRng(this.#options.seed).split("tabular");
    this.#stride = spec.vocabulary.length + (this.#options.valueHead ? 1 : 0);
  }

  get parameters(): Float64Array {
    return this.#storage.subarray(0, this.#rows.size * this.#stride);
  }

  /** Contexts and prefixes met so far. */
  get rowCount(): number {
    return this.#rows.size;
  }

  /** Counts the contexts and prefixes met so far; a value stands behind the logits of its row. */
  parameterTable(): ParameterRow[] {
    const rows = this.rowCount;
    const { length: size } = this.#spec.vocabulary;
    return [
      { name: "logits", shape: [rows, size], count: rows * size },
      ...(this.#options.valueHead ? [{ name: "value", shape: [rows, 1], count: rows }] : []),
    ];
  }

  contextOf(history: History): string {
    const turn = history.actions.length;
    const last = history.observations[turn]!.tokens.join(",");
    if (this.#options.memory === "observation") return last;
    if (this.#options.memory === "turnObservation") return `${turn}:${last}`;
    let key = "";
    for (let t = 0; t < turn; t++) {
      key += `${history.observations[t]!.tokens.join(",")}>${history.actions[t]!.join(",")};`;
    }
    return key + last;
  }

  sample(
    histories: readonly History[],
    rngs: readonly Rng[],
    options: { temperature?: number } = {},
  ): Sample[] {
    this.#cells.forget(options.temperature ?? 1);
    return histories.map((history, i) => {
      const context = this.contextOf(history);
      const tokens: number[] = [];
      const logProb: number[] = [];
      let key = context;
      while (tokens.length < this.#spec.maxTokens && tokens.at(-1) !== (this.#spec.endToken ?? -1)) {
        const logProbs = this.#cells.logProb(this.#place(this.#row(key)));
        const token = rngs[i]!.categorical(logProbs);
        tokens.push(token);
        logProb.push(logProbs[token]!);
        key += `|${token}`;
      }
      return { tokens, logProb, context };
    });
  }

  evaluate(batch: Batch, rows?: ArrayLike<number>, turns?: ArrayLike<number>): Evaluation {
    const [N, T, L] = batch.shape;
    const size = this.#spec.vocabulary.length;
    const row_ntl = this.#cellRows(batch);
    const cells = this.#cells;
    cells.forget(1);
    const logProb_ntl = new Float64Array(N * T * L);
    const entropy_ntl = new Float64Array(N * T * L);
    const value_nt = this.#options.valueHead ? new Float64Array(N * T) : undefined;
    forEachTurn(batch, rows, turns, (n, t) => {
      const first = (n * T + t) * L;
      if (value_nt) value_nt[n * T + t] = this.#storage[row_ntl[first]! * this.#stride + size]!;
      for (let cell = first; cell < first + L; cell++) {
        if (!batch.mask_ntl[cell]) continue;
        const place = this.#place(row_ntl[cell]!);
        entropy_ntl[cell] = cells.entropy(place);
        logProb_ntl[cell] = cells.logProb(place)[batch.token_ntl[cell]!]!;
      }
    });
    return value_nt ? { logProb_ntl, entropy_ntl, value_nt } : { logProb_ntl, entropy_ntl };
  }

  backward(
    batch: Batch,
    gradient: EvaluationGradient,
    rows?: ArrayLike<number>,
    turns?: ArrayLike<number>,
  ): Float64Array {
    this.#cellRows(batch); // may meet new rows
    const result = new Float64Array(this.#rows.size * this.#stride);
    this.#addGradient(result, batch, gradient, rows, turns);
    return result;
  }

  sparseBackward(
    batch: Batch,
    gradient: EvaluationGradient,
    rows?: ArrayLike<number>,
    turns?: ArrayLike<number>,
  ): SparseGradient {
    const width = this.#stride;
    this.#cellRows(batch); // may meet new rows
    for (const offset of this.#touched) this.#gradient.fill(0, offset, offset + width);
    const length = this.#rows.size * width;
    if (this.#gradient.length < length) this.#gradient = new Float64Array(this.#storage.length);
    const values = this.#gradient.subarray(0, length);
    const row_ntl = this.#addGradient(values, batch, gradient, rows, turns);
    const touched = new Set<number>();
    forEachTurn(batch, rows, turns, (n, t) => {
      const first = (n * batch.shape[1] + t) * batch.shape[2];
      for (let cell = first; cell < first + batch.shape[2] && batch.mask_ntl[cell]; cell++) {
        // Where a group's returns are equal there is nothing to learn, and an optimiser need not look.
        if (gradient.dLogProb_ntl[cell] === 0 && !gradient.dEntropy_ntl?.[cell]) continue;
        touched.add(row_ntl[cell]! * width);
      }
      if (this.#options.valueHead) touched.add(row_ntl[first]! * width);
    });
    this.#touched = Int32Array.from(touched).sort();
    return { values, width, blocks: this.#touched };
  }

  /** Adds d loss / d parameters to `result`; returns the row of every cell. */
  #addGradient(
    result: Float64Array,
    batch: Batch,
    gradient: EvaluationGradient,
    rows: ArrayLike<number> | undefined,
    turns: ArrayLike<number> | undefined,
  ): Int32Array {
    const [, T, L] = batch.shape;
    const size = this.#spec.vocabulary.length;
    const row_ntl = this.#cellRows(batch);
    this.#cells.forget(1);
    forEachTurn(batch, rows, turns, (n, t) => {
      const first = (n * T + t) * L;
      if (this.#options.valueHead && gradient.dValue_nt) {
        result[row_ntl[first]! * this.#stride + size]! += gradient.dValue_nt[n * T + t]!;
      }
      for (let cell = first; cell < first + L; cell++) {
        if (!batch.mask_ntl[cell]) continue;
        const dLogProb = gradient.dLogProb_ntl[cell]!;
        const dEntropy = gradient.dEntropy_ntl?.[cell] ?? 0;
        if (dLogProb === 0 && dEntropy === 0) continue;
        const offset = row_ntl[cell]! * this.#stride;
        const place = this.#place(row_ntl[cell]!);
        const dLogits = this.#cells.backward(place, batch.token_ntl[cell]!, dLogProb, dEntropy);
        for (let v = 0; v < size; v++) result[offset + v]! += dLogits[v]!;
      }
    });
    return row_ntl;
  }

  nextTokenLogProb(context: unknown, prefix: readonly number[]): Float64Array {
    const size = this.#spec.vocabulary.length;
    const key = prefix.reduce<string>((text, token) => `${text}|${token}`, context as string);
    const out = new Float64Array(size);
    const offset = this.#row(key) * this.#stride; // before #storage is read: a new row may replace it
    logSoftmax(this.#storage, offset, size, 1, out);
    return out;
  }

  clone(): TabularPolicy {
    const copy = new TabularPolicy(this.#spec, this.#options);
    copy.restore(this.state());
    return copy;
  }

  state(): PolicyState {
    return { name: this.name, parameters: Array.from(this.parameters), extra: [...this.#keys] };
  }

  snapshot(): PolicyState {
    const { parameters } = this;
    if (this.#backup.length < parameters.length) this.#backup = new Float64Array(this.#storage.length);
    this.#backup.set(parameters);
    const rows = this.#rows.size;
    // Rows met later stand behind these, so that the count tells the keys.
    return {
      name: this.name,
      parameters: this.#backup.subarray(0, parameters.length),
      extra: { keys: this.#keys, rows },
    };
  }

  restore(state: PolicyState): void {
    const extra = state.extra as string[] | { readonly keys: string[]; readonly rows: number };
    const keys = Array.isArray(extra) ? extra : extra.keys.slice(0, extra.rows);
    if (state.name !== this.name || state.parameters.length !== keys.length * this.#stride) {
      throw new TypeError(
        `Cannot restore a tabular policy as the state must have ${this.#stride} parameters per row: ` +
          `current value is a ${state.name} policy of ${state.parameters.length} parameters`,
      );
    }
    this.#rows.clear();
    keys.forEach((key, row) => this.#rows.set(key, row));
    this.#keys = [...keys];
    this.#storage = Float64Array.from(state.parameters);
  }

  /** Of a row's softmax among those of the running call. */
  #place(row: number): number {
    const known = this.#cells.find(row);
    if (known !== -1) return known;
    const { logits } = this.#cells;
    const offset = row * this.#stride;
    for (let v = 0; v < logits.length; v++) logits[v] = this.#storage[offset + v]!;
    return this.#cells.add(row);
  }

  #row(key: string): number {
    const known = this.#rows.get(key);
    if (known !== undefined) return known;
    const row = this.#rows.size;
    this.#rows.set(key, row);
    this.#keys.push(key);
    if ((row + 1) * this.#stride > this.#storage.length) {
      const grown = new Float64Array(Math.max(64, row + 1, 2 * row) * this.#stride);
      grown.set(this.#storage);
      this.#storage = grown;
    }
    this.#initialise(row * this.#stride, key);
    return row;
  }

  #initialise(offset: number, key: string): void {
    const { initialScale, syntaxPrior } = this.#options;
    if (initialScale > 0) {
      const rng = this.#initial.split(key);
      for (let v = 0; v < this.#spec.vocabulary.length; v++) {
        this.#storage[offset + v] = initialScale * rng.normal();
      }
    }
    if (syntaxPrior === 0) return;
    const place = key.split("|").length - 1;
    for (const token of this.#spec.syntax?.[place] ?? []) this.#storage[offset + token]! += syntaxPrior;
  }

  #cellRows(batch: Batch): Int32Array {
    const known = this.#rowsOf.get(batch);
    if (known) return known;
    const [N, T, L] = batch.shape;
    const row_ntl = new Int32Array(N * T * L);
    forEachTurn(batch, undefined, undefined, (n, t) => {
      let key = batch.context_nt[n]![t] as string;
      for (let cell = (n * T + t) * L; cell < (n * T + t + 1) * L; cell++) {
        if (!batch.mask_ntl[cell]) break;
        row_ntl[cell] = this.#row(key);
        key += `|${batch.token_ntl[cell]}`;
      }
    });
    this.#rowsOf.set(batch, row_ntl);
    return row_ntl;
  }
}
