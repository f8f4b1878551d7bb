// One file because all of its parts work on one growing table, on the hottest path of training: rows are found, added, read
// and differentiated by index into the same arrays.

import { displaySymbol, type MimeBundle } from "../base/display";
import { exp } from "../base/elementary/exp";
import { showPolicy, type ShownContext } from "./card";
import { readPolicyOptions, type TabularOptions } from "./options";
import type { EnvSpec } from "../env/env";
import type { Batch } from "../batch/batch";
import { activeTokens, forEachTurn } from "../batch/cells";
import { createRng, type Rng } from "../base/rng";
import { Sequences } from "../tensor/sequences";
import type {
  EvaluateOptions,
  Evaluation,
  EvaluationGradient,
  History,
  ParameterRow,
  Policy,
  PolicyState,
  Sample,
  SparseGradient,
} from "./policy";
import { zeros } from "../tensor/zeros";
import { groupByRow, type RowGroups } from "./rowGroups";
import { RowSoftmax, type LogitTable } from "./rowSoftmax";
import { logSoftmax } from "./softmax";
import { SoftmaxCells } from "./softmaxCells";

type PolicySpec = Pick<EnvSpec, "vocabulary" | "maxTokens" | "endToken" | "syntax"> &
  Partial<Pick<EnvSpec, "observationVocabulary">>;

/** So many contexts stand on a policy's card. */
const SHOWN_CONTEXTS = 3;

interface KnownBatch {
  /** The row of every cell. */
  readonly row_ntl: Int32Array;
  /** All cells with mask 1. */
  readonly every: RowGroups;
  /** Those of a single turn, computed on demand. */
  readonly byTurn: Map<number, RowGroups>;
}

/** Destination of drawn turns. */
interface DrawnCells {
  readonly token_ntl: Int32Array;
  readonly logProb_ntl: Float64Array;
  /** The row of the table that each token was drawn from. */
  readonly row_ntl: Int32Array;
}

/** Turns drawn into arrays, with the draws of `sample`. A number stands for what the memory keeps of a history. */
export interface TableTurns {
  /** The context of a turn: what the memory keeps of all before it, 0 at the start, with an observation. */
  seen(before: number, turn: number, tokens: readonly number[]): number;
  /** Memory after a turn: that of its context and its tokens. */
  acted(context: number, tokens: Int32Array, from: number, count: number): number;
  /** The context as a batch has it; the history of trajectory n before turn t is asked for where it is new. */
  textOf(context: number, historyOf: (n: number, t: number) => History, n: number, t: number): string;
  /** Draws a turn into the cells from `first` on, and returns how many tokens it has; its text must have been asked for. */
  draw(context: number, rng: Rng, cells: DrawnCells, first: number): number;
  /** To be called with the batch that was made of what was drawn, and the rows: it need not look them up. */
  drawn(batch: Batch, row_ntl: Int32Array): void;
}

/** Symbols that end an observation and an action in a history; tokens are not negative. */
const ANSWERED = -1;
const SEEN = -2;

/**
 * One softmax per context and token prefix: pi(token | context, prefix) = softmax(logits[row])[token].
 *
 * Rows are added when they are first met, so the vector of parameters grows with the histories that were visited.
 * A row's initial logits depend on the seed and the row's own key, not on the order of discovery.
 */
export class TabularPolicy implements Policy {
  readonly name = "tabular";
  readonly #spec: PolicySpec;
  readonly #options: Required<TabularOptions>;
  readonly #initial: Rng;
  /** Width of a row: one logit per word, and a value if there is a value head. */
  readonly #stride: number;
  readonly #rows = new Map<string, number>();
  /** The keys of the rows, in order; append-only. */
  #keys: string[] = [];
  #storage = new Float64Array(0);
  /** The part of the storage that is in use, and of which storage it is. */
  #view = this.#storage;
  #viewed = this.#storage;
  /** Row + 1 after one more token, by row and token; 0 if it was not met. Empty if turns are one token long. */
  #after = new Int32Array(0);
  /** Histories as numbers, and the text of each one met, so that equal histories get the same string. */
  readonly #histories = new Sequences();
  readonly #texts: (string | undefined)[] = [];
  /** Row + 1 of those that `turns` has drawn for, 0 of the others. */
  #contextRows = new Int32Array(0);
  /** The rows of batches that `turns` has drawn. */
  #drawn = new WeakMap<Batch, Int32Array>();
  /** All 0 except in the rows of #touched. */
  #gradient = new Float64Array(0);
  #touched = new Int32Array(0);
  /** Scratch space: which rows were touched. */
  #flags = new Uint8Array(0);
  #backup = new Float64Array(0);
  /** The softmaxes of the rows that the present call of `sample` has met. */
  readonly #cells: SoftmaxCells;
  readonly #softmax = new RowSoftmax();
  /** Input of the last #softmax; the backward pass that follows reuses its result. */
  #evaluated: { readonly evaluation: Evaluation; readonly groups: RowGroups } | undefined;
  /** Lookups that several epochs over one batch share. */
  #known = new WeakMap<Batch, KnownBatch>();

  /** @throws {RangeError} if there is a `syntaxPrior` although the environment has no `syntax` */
  constructor(spec: PolicySpec, options: TabularOptions = {}) {
    this.#options = readPolicyOptions("tabular", options);
    const { syntaxPrior } = this.#options;
    if (syntaxPrior !== 0 && !spec.syntax) {
      throw new RangeError(
        `Cannot make a tabular policy: syntaxPrior must be 0 where calls have no syntax, got ${syntaxPrior}.`,
      );
    }
    this.#spec = spec;
    this.#cells = new SoftmaxCells(spec.vocabulary.length);
    this.#initial = createRng(this.#options.seed).split("tabular");
    this.#stride = spec.vocabulary.length + (this.#options.valueHead ? 1 : 0);
  }

  get parameters(): Float64Array {
    const length = this.#rows.size * this.#stride;
    // Loops over parameters ask for each one: a view of its own for each would cost more than the sums.
    if (this.#viewed !== this.#storage || this.#view.length !== length) {
      this.#viewed = this.#storage;
      this.#view = this.#storage.subarray(0, length);
    }
    return this.#view;
  }

  /** Number of contexts and prefixes met so far. */
  get rowCount(): number {
    return this.#rows.size;
  }

  /** Counts the contexts and prefixes met so far; in each row the value follows the logits. */
  parameterTable(): ParameterRow[] {
    const rows = this.rowCount;
    const { length: size } = this.#spec.vocabulary;
    return [
      { name: "logits", shape: [rows, size], count: rows * size },
      ...(this.#options.valueHead ? [{ name: "value", shape: [rows, 1], count: rows }] : []),
    ];
  }

  get contextKind(): string | undefined {
    // A subclass may make contexts of its own.
    return this.contextOf === TabularPolicy.prototype.contextOf
      ? `tabular ${this.#options.memory}`
      : undefined;
  }

  contextOf(history: History): string {
    const node = this.#nodeOf(history);
    return (this.#texts[node] ??= this.#textOf(history));
  }

  /** Node of the memory for a history, as a number. */
  #nodeOf({ observations, actions }: History): number {
    const turn = actions.length;
    const known = this.#histories;
    const { memory } = this.#options;
    let node = 0;
    if (memory === "turnObservation") node = known.child(node, turn);
    if (memory === "history") {
      for (let t = 0; t < turn; t++) {
        node = known.child(known.extend(node, observations[t]!.tokens), ANSWERED);
        node = known.child(known.extend(node, actions[t]!), SEEN);
      }
    }
    return known.extend(node, observations[turn]!.tokens);
  }

  #textOf({ observations, actions }: History): string {
    const turn = actions.length;
    const last = observations[turn]!.tokens.join(",");
    if (this.#options.memory === "observation") return last;
    if (this.#options.memory === "turnObservation") return `${turn}:${last}`;
    const before = actions.map((action, t) => `${observations[t]!.tokens.join(",")}>${action.join(",")};`);
    return before.join("") + last;
  }

  sample(
    histories: readonly History[],
    rngs: readonly Rng[],
    options: { temperature?: number } = {},
  ): Sample[] {
    this.#cells.forget(options.temperature ?? 1);
    const { maxTokens, endToken = -1 } = this.#spec;
    return histories.map((history, i) => {
      const context = this.contextOf(history);
      const tokens: number[] = [];
      const logProb: number[] = [];
      let row = this.#row(context);
      for (;;) {
        const place = this.#place(row);
        const token = this.#cells.draw(place, rngs[i]!);
        tokens.push(token);
        logProb.push(this.#cells.logProb(place)[token]!);
        if (tokens.length === maxTokens || token === endToken) break;
        row = this.#rowAfter(row, token);
      }
      return { tokens, logProb, context };
    });
  }

  /**
   * `sample` for a rollout into arrays; undefined of a subclass, which may draw in a way of its own, and in a world of other turns
   * than the policy's.
   */
  turns(
    world: Pick<EnvSpec, "vocabulary" | "maxTokens" | "endToken">,
    temperature: number,
  ): TableTurns | undefined {
    if (this.constructor !== TabularPolicy || ["sample", "contextOf"].some((x) => Object.hasOwn(this, x))) {
      return undefined;
    }
    const { vocabulary, maxTokens, endToken = -1 } = this.#spec;
    if (world.vocabulary.length !== vocabulary.length || world.maxTokens !== maxTokens) return undefined;
    if ((world.endToken ?? -1) !== endToken) return undefined;
    this.#cells.forget(temperature);
    const { memory } = this.#options;
    const known = this.#histories;
    return {
      seen: (before, turn, tokens) => {
        const from = memory === "history" ? before : memory === "observation" ? 0 : known.child(0, turn);
        return known.extend(from, tokens);
      },
      acted: (context, tokens, from, count) => {
        if (memory !== "history") return 0;
        let node = known.child(context, ANSWERED);
        for (let i = from; i < from + count; i++) node = known.child(node, tokens[i]!);
        return known.child(node, SEEN);
      },
      textOf: (context, historyOf, n, t) => (this.#texts[context] ??= this.#textOf(historyOf(n, t))),
      draw: (context, rng, { token_ntl, logProb_ntl, row_ntl }, first) => {
        let row = this.#rowOf(context);
        for (let cell = first; ; cell++) {
          const place = this.#place(row);
          const token = this.#cells.draw(place, rng);
          token_ntl[cell] = token;
          logProb_ntl[cell] = this.#cells.logProb(place)[token]!;
          row_ntl[cell] = row;
          if (cell + 1 === first + maxTokens || token === endToken) return cell + 1 - first;
          row = this.#rowAfter(row, token);
        }
      },
      drawn: (batch, row_ntl) => void this.#drawn.set(batch, row_ntl),
    };
  }

  /** The row of a context whose text is known. */
  #rowOf(context: number): number {
    const known = context < this.#contextRows.length ? this.#contextRows[context]! : 0;
    if (known > 0) return known - 1;
    const row = this.#row(this.#texts[context]!);
    if (context >= this.#contextRows.length) {
      const grown = new Int32Array(2 * context + 64);
      grown.set(this.#contextRows);
      this.#contextRows = grown;
    }
    this.#contextRows[context] = row + 1;
    return row;
  }

  evaluate(
    batch: Batch,
    rows?: ArrayLike<number>,
    turns?: ArrayLike<number>,
    spent?: Evaluation,
    options?: EvaluateOptions,
  ): Evaluation {
    const [N, T, L] = batch.shape;
    const { row_ntl } = this.#knownOf(batch);
    const groups = this.#groupsOf(batch, rows, turns);
    const logProb_ntl = zeros(N * T * L, spent?.logProb_ntl);
    const entropy_ntl = zeros(N * T * L, spent?.entropy_ntl);
    const table = this.#table();
    this.#softmax.compute(table, groups);
    this.#softmax.read(table.size, groups, batch.token_ntl, logProb_ntl, entropy_ntl);
    const logProb_ntlv = options?.distributions
      ? zeros(N * T * L * table.size, spent?.logProb_ntlv)
      : undefined;
    if (logProb_ntlv) this.#softmax.readAll(table.size, groups, logProb_ntlv);
    const value_nt = this.#options.valueHead
      ? this.#values(batch, row_ntl, rows, turns, zeros(N * T, spent?.value_nt))
      : undefined;
    const evaluation = {
      logProb_ntl,
      entropy_ntl,
      ...(logProb_ntlv && { logProb_ntlv }),
      ...(value_nt && { value_nt }),
    };
    this.#evaluated = { evaluation, groups };
    return evaluation;
  }

  #values(
    batch: Batch,
    row_ntl: Int32Array,
    rows: ArrayLike<number> | undefined,
    turns: ArrayLike<number> | undefined,
    value_nt: Float64Array,
  ): Float64Array {
    const [, T, L] = batch.shape;
    const last = this.#stride - 1;
    forEachTurn(batch, rows, turns, (n, t) => {
      value_nt[n * T + t] = this.#storage[row_ntl[(n * T + t) * L]! * this.#stride + last]!;
    });
    return value_nt;
  }

  backward(
    batch: Batch,
    gradient: EvaluationGradient,
    rows?: ArrayLike<number>,
    turns?: ArrayLike<number>,
    evaluation?: Evaluation,
  ): Float64Array {
    this.#knownOf(batch); // may meet new rows
    const result = new Float64Array(this.#rows.size * this.#stride);
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
    const width = this.#stride;
    this.#knownOf(batch); // may meet new rows
    for (const offset of this.#touched) this.#gradient.fill(0, offset, offset + width);
    const length = this.#rows.size * width;
    if (this.#gradient.length < length) this.#gradient = new Float64Array(this.#storage.length);
    const values = this.#gradient.subarray(0, length);
    this.#touched = this.#addGradient(values, batch, gradient, rows, turns, evaluation);
    return { values, width, blocks: this.#touched };
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
    const groups = this.#groupsOf(batch, rows, turns);
    const table = this.#table();
    const known = this.#evaluated;
    if (known === undefined || known.evaluation !== evaluation || known.groups !== groups) {
      this.#softmax.compute(table, groups);
      this.#evaluated = undefined;
    }
    const touched: number[] = [];
    const { token_ntl } = batch;
    this.#softmax.addGradient(table, groups, token_ntl, gradient, result, touched);
    if (this.#options.valueHead) this.#addValues(result, batch, gradient.dValue_nt, rows, turns, touched);
    const begins = new Int32Array(touched.length);
    for (let i = 0; i < touched.length; i++) begins[i] = touched[i]! * this.#stride;
    return this.#options.valueHead ? begins.sort() : begins;
  }

  /** Adds the value head's part; the row of every turn counts as touched, with or without a derivative. */
  #addValues(
    result: Float64Array,
    batch: Batch,
    dValue_nt: Float64Array | undefined,
    rows: ArrayLike<number> | undefined,
    turns: ArrayLike<number> | undefined,
    touched: number[],
  ): void {
    const [, T, L] = batch.shape;
    const { row_ntl } = this.#knownOf(batch);
    const width = this.#stride;
    if (this.#flags.length < this.#rows.size) this.#flags = new Uint8Array(this.#storage.length / width);
    for (const row of touched) this.#flags[row] = 1;
    forEachTurn(batch, rows, turns, (n, t) => {
      const row = row_ntl[(n * T + t) * L]!;
      if (dValue_nt) result[row * width + width - 1]! += dValue_nt[n * T + t]!;
      if (this.#flags[row] !== 0) return;
      this.#flags[row] = 1;
      touched.push(row);
    });
    for (const row of touched) this.#flags[row] = 0;
  }

  #table(): LogitTable {
    return { values: this.#storage, stride: this.#stride, size: this.#spec.vocabulary.length };
  }

  /** The cells with mask 1 in the given rows and turns of the batch, by row of the table. */
  #groupsOf(
    batch: Batch,
    rows: ArrayLike<number> | undefined,
    turns: ArrayLike<number> | undefined,
  ): RowGroups {
    const { row_ntl, every, byTurn } = this.#knownOf(batch);
    if (rows === undefined && isEveryTurn(turns, batch.shape[1])) return every;
    const known = rows === undefined && turns?.length === 1 ? byTurn.get(turns[0]!) : undefined;
    if (known) return known;
    const fresh = groupByRow(activeTokens(batch, rows, turns), row_ntl);
    if (rows === undefined && turns?.length === 1) byTurn.set(turns[0]!, fresh);
    return fresh;
  }

  nextTokenLogProb(context: unknown, prefix: readonly number[]): Float64Array {
    const size = this.#spec.vocabulary.length;
    let row = this.#rows.get(context as string);
    for (const token of prefix) row = row === undefined ? row : this.#metAfter(row, token);
    // Adds this row only: those of shorter prefixes may never be needed.
    row ??= this.#row(prefix.reduce<string>((text, token) => `${text}|${token}`, context as string));
    const out = new Float64Array(size);
    logSoftmax(this.#storage, row * this.#stride, size, 1, out);
    return out;
  }

  /** Contents of the table for the contexts that it met first, in words. */
  #firstContexts(): ShownContext[] {
    const { vocabulary, observationVocabulary = [] } = this.#spec;
    const wordOf = (token: string): string =>
      vocabulary[Number(token)] ?? observationVocabulary[Number(token) - vocabulary.length] ?? token;
    return this.#keys
      .filter((key) => !key.includes("|"))
      .slice(0, SHOWN_CONTEXTS)
      .map((key) => ({
        context: key.replace(/\d+/g, wordOf).replace(/[,;>]/g, " "),
        words: [...this.nextTokenLogProb(key, [])].map((logProb, v) => ({
          word: vocabulary[v]!,
          probability: exp(logProb),
        })),
      }));
  }

  /** MIME bundle that a notebook displays for this object. */
  [displaySymbol](): MimeBundle {
    return showPolicy(this, this.#firstContexts());
  }

  clone(): TabularPolicy {
    const copy = new TabularPolicy(this.#spec, this.#options);
    copy.restore(this.state());
    return copy;
  }

  /** Everything that `restore` takes back: plain data. */
  state(): PolicyState {
    return { name: this.name, parameters: Array.from(this.parameters), extra: [...this.#keys] };
  }

  snapshot(): PolicyState {
    const { parameters } = this;
    if (this.#backup.length < parameters.length) this.#backup = new Float64Array(this.#storage.length);
    this.#backup.set(parameters);
    const rows = this.#rows.size;
    // Rows met later follow these, so the number of rows tells which keys belong to the snapshot.
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
        `Cannot restore a tabular policy: the state must have ${this.#stride} parameters per row, ` +
          `got a ${state.name} policy of ${state.parameters.length} parameters.`,
      );
    }
    this.#rows.clear();
    this.#after.fill(0);
    this.#contextRows.fill(0);
    this.#drawn = new WeakMap();
    this.#evaluated = undefined;
    this.#known = new WeakMap();
    keys.forEach((key, row) => this.#rows.set(key, row));
    this.#keys = [...keys];
    this.#storage = Float64Array.from(state.parameters);
  }

  /** The place of a row's softmax among those of the present call. */
  #place(row: number): number {
    const known = this.#cells.find(row);
    if (known !== -1) return known;
    const { logits } = this.#cells;
    const offset = row * this.#stride;
    for (let v = 0; v < logits.length; v++) logits[v] = this.#storage[offset + v]!;
    return this.#cells.add(row);
  }

  /** The row after one more token of the turn, added if it is new. */
  #rowAfter(row: number, token: number): number {
    const known = this.#metAfter(row, token);
    if (known !== undefined) return known;
    const size = this.#spec.vocabulary.length;
    const after = this.#row(`${this.#keys[row]!}|${token}`);
    const rows = this.#storage.length / this.#stride;
    if (this.#after.length < rows * size) {
      const grown = new Int32Array(rows * size);
      grown.set(this.#after);
      this.#after = grown;
    }
    this.#after[row * size + token] = after + 1;
    return after;
  }

  #metAfter(row: number, token: number): number | undefined {
    const at = row * this.#spec.vocabulary.length + token;
    const known = at < this.#after.length ? this.#after[at]! : 0;
    return known > 0 ? known - 1 : undefined;
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
    this.#initialize(row * this.#stride, key);
    return row;
  }

  #initialize(offset: number, key: string): void {
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

  #knownOf(batch: Batch): KnownBatch {
    const known = this.#known.get(batch);
    if (known) return known;
    const row_ntl = this.#drawn.get(batch) ?? this.#rowsOf(batch);
    const every = groupByRow(activeTokens(batch, undefined, undefined), row_ntl);
    const fresh = { row_ntl, every, byTurn: new Map<number, RowGroups>() };
    this.#known.set(batch, fresh);
    return fresh;
  }

  /** The row of every cell, added where it is new. */
  #rowsOf(batch: Batch): Int32Array {
    const [N, T, L] = batch.shape;
    const row_ntl = new Int32Array(N * T * L);
    forEachTurn(batch, undefined, undefined, (n, t) => {
      const first = (n * T + t) * L;
      if (!batch.mask_ntl[first]) return;
      let row = this.#row(batch.context_nt[n]![t] as string);
      row_ntl[first] = row;
      for (let cell = first + 1; cell < first + L && batch.mask_ntl[cell]; cell++) {
        row = this.#rowAfter(row, batch.token_ntl[cell - 1]!);
        row_ntl[cell] = row;
      }
    });
    return row_ntl;
  }
}

function isEveryTurn(turns: ArrayLike<number> | undefined, T: number): boolean {
  if (turns === undefined) return true;
  if (turns.length !== T) return false;
  for (let t = 0; t < T; t++) if (turns[t] !== t) return false;
  return true;
}
