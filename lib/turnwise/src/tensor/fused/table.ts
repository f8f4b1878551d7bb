import { head, stepHead, stepsPerNat, stepTail, tail } from "../../base/elementary/expTable";
import type { Addon } from "./native/addon";
import { arrayKernels, PAGE, pageAfter } from "./native/arrayKernels";
import { wasmModule, type Exports, type Memory } from "./wasmKernels";

/** The cells of a step: all arrays are as long as there are cells, or longer. */
export interface SurrogateTokens {
  readonly logProb: Float64Array;
  readonly old: Float64Array;
  readonly advantage: Float64Array;
  readonly weight: Float64Array;
  /** 1 where a cell takes part. */
  readonly active: Uint8Array;
  readonly entropy: Float64Array;
  /** Written: d loss / d logProb, 0 where a cell takes no part; as long as there are cells. */
  readonly slope: Float64Array;
}

/** The sums over the active cells, in the order in which the kernel writes them. */
export interface SurrogateSums {
  readonly loss: number;
  readonly kl: number;
  readonly entropy: number;
  readonly largest: number;
  readonly smallest: number;
  readonly tokens: number;
  readonly belowLow: number;
  readonly aboveHigh: number;
}

/** Cells by the row of a table that they read: group g has the row rows[g] and the cells cells[begins[g] .. begins[g + 1]]. */
export interface TableCells {
  readonly rows: Int32Array;
  readonly cells: Int32Array;
  readonly begins: Int32Array;
  readonly tokens: Int32Array;
  readonly dLogProb: Float64Array;
}

/** The compiled parts of a step on a table of softmaxes; they give the bits of the loops in JavaScript. */
export interface CompiledTable {
  /**
   * Loss and slopes of min(r A, clip(r, low, high) A) with r = exp(logProb - old); undefined where a log-ratio is beyond 20 nats
   * or no number, which JavaScript knows how to limit.
   */
  surrogate(cells: SurrogateTokens, low: number, high: number): SurrogateSums | undefined;
  /**
   * Adds d loss / d logits to `into`, whose rows are `stride` long, and writes the rows that this changes to `touched`, behind
   * their number. The log-probs are `size` for each group.
   */
  gradient(
    o: TableCells,
    logProb: Float64Array,
    size: number,
    stride: number,
    into: Float64Array,
    touched: Int32Array,
  ): void;
}

/** From so many cells on, the compiled parts are worth loading. */
export const COMPILED_FROM = 512;

let found: CompiledTable | null | undefined;

/** The compiled parts; undefined if the engine has no WebAssembly SIMD. */
export function compiledTable(): CompiledTable | undefined {
  found ??= makeTable("native") ?? null;
  return found ?? undefined;
}

/** The compiled parts: native ones where they are there and asked for, else WebAssembly. */
export function makeTable(kind: "native" | "wasm"): CompiledTable | undefined {
  const module = wasmModule();
  if (typeof module === "string") return undefined;
  const { exports, memory } = module();
  const wasm = new WasmTable(exports, memory, pageAfter(exports));
  const native = kind === "wasm" ? null : arrayKernels();
  if (!native) return wasm;
  const table = new NativeTable(native);
  return trial(table) === trial(wasm) ? table : wasm;
}

/** Results for some numbers, as text: two sets of kernels must agree about them. */
function trial(table: CompiledTable): string {
  const count = 61;
  const numbers = (factor: number): Float64Array =>
    Float64Array.from({ length: count }, (_, i) => factor * (((i * 37) % 61) / 30 - 1));
  const [logProb, old, slope] = [numbers(3), numbers(-2), new Float64Array(count)];
  const active = Uint8Array.from({ length: count }, (_, i) => (i % 7 === 3 ? 0 : 1));
  const [advantage, weight, entropy] = [numbers(1.1), numbers(0.7), numbers(0.3)];
  const sums = table.surrogate({ logProb, old, advantage, weight, active, entropy, slope }, 0.8, 1.2);
  const into = new Float64Array(3 * 13);
  const groups = {
    rows: Int32Array.of(0, 2),
    cells: Int32Array.from({ length: count }, (_, i) => (i * 17) % count),
    begins: Int32Array.of(0, 40, count),
    tokens: Int32Array.from({ length: count }, (_, i) => i % 11),
    dLogProb: slope,
  };
  table.gradient(groups, logProb, 11, 13, into, new Int32Array(3));
  return [...Object.values(sums ?? {}), ...slope, ...into].join();
}

function grow(memory: Memory, bytes: number): void {
  const missing = Math.ceil((bytes - memory.buffer.byteLength) / PAGE);
  if (missing > 0) memory.grow(missing);
}

const powers = Float64Array.of(...head, ...tail, stepsPerNat, stepHead, stepTail);
const BEYOND = 8;
const sums = new Float64Array(BEYOND + 1);

function named(of: Float64Array): SurrogateSums | undefined {
  if (of[BEYOND] === 1) return undefined;
  return {
    loss: of[0]!,
    kl: of[1]!,
    entropy: of[2]!,
    largest: of[3]!,
    smallest: of[4]!,
    tokens: of[5]!,
    belowLow: of[6]!,
    aboveHigh: of[7]!,
  };
}

/** Works on the arrays where they are. */
class NativeTable implements CompiledTable {
  constructor(private readonly addon: Pick<Addon, "surrogateOn" | "tableGradientOn">) {}

  surrogate(x: SurrogateTokens, low: number, high: number): SurrogateSums | undefined {
    const { logProb, old, advantage, weight, active, entropy, slope } = x;
    sums.fill(0);
    const { addon } = this;
    // prettier-ignore
    addon.surrogateOn(logProb, old, advantage, weight, active, entropy, slope, powers, sums, low, high);
    return named(sums);
  }

  gradient(
    { rows, cells, begins, tokens, dLogProb }: TableCells,
    logProb: Float64Array,
    size: number,
    stride: number,
    into: Float64Array,
    touched: Int32Array,
  ): void {
    const { addon } = this;
    // prettier-ignore
    addon.tableGradientOn(logProb, rows, cells, begins, tokens, dLogProb, into, touched, powers, size, stride);
  }
}

/** Copies the arrays into its memory and what was written out of it. */
class WasmTable implements CompiledTable {
  #top = 0;

  constructor(
    private readonly exports: Exports,
    private readonly memory: Memory,
    private readonly base: number,
  ) {}

  surrogate(x: SurrogateTokens, low: number, high: number): SurrogateSums | undefined {
    const count = x.slope.length;
    this.#begin(64 * (count + 64) + 8 * powers.length);
    const given = [x.logProb, x.old, x.advantage, x.weight].map((values) => this.#put(values, count));
    const active = this.#put(x.active, count);
    const entropy = this.#put(x.entropy, count);
    const slope = this.#room(8 * count);
    const table = this.#put(powers, powers.length);
    const out = this.#put(sums.fill(0), sums.length);
    this.exports.surrogate(...given, active, entropy, slope, table, out, count, low, high);
    x.slope.set(new Float64Array(this.memory.buffer, slope, count));
    return named(new Float64Array(this.memory.buffer, out, sums.length));
  }

  gradient(
    o: TableCells,
    logProb: Float64Array,
    size: number,
    stride: number,
    into: Float64Array,
    touched: Int32Array,
  ): void {
    const { rows, cells, begins, tokens, dLogProb } = o;
    const groups = rows.length;
    const all = [logProb, rows, cells, begins, tokens, dLogProb, into, touched, powers];
    this.#begin(all.reduce((bytes, values) => bytes + values.byteLength + 16, 0));
    const at = [
      ...[this.#put(logProb, groups * size), this.#put(rows, groups), this.#put(cells, cells.length)],
      ...[this.#put(begins, groups + 1), this.#put(tokens, tokens.length)],
      ...[this.#put(dLogProb, dLogProb.length), this.#put(into, into.length)],
      ...[this.#room(4 * (groups + 1)), this.#put(powers, powers.length)],
    ];
    this.exports.tableGradient(...at, groups, size, stride);
    into.set(new Float64Array(this.memory.buffer, at[6]!, into.length));
    touched.set(new Int32Array(this.memory.buffer, at[7]!, groups + 1));
  }

  #begin(bytes: number): void {
    this.#top = this.base;
    grow(this.memory, this.base + bytes);
  }

  #room(bytes: number): number {
    const at = this.#top;
    this.#top += 16 * Math.ceil(bytes / 16);
    return at;
  }

  #put(values: Float64Array | Int32Array | Uint8Array, count: number): number {
    const at = this.#room(count * values.BYTES_PER_ELEMENT);
    const Same = values.constructor as Float64ArrayConstructor;
    new Same(this.memory.buffer, at, count).set(values.length === count ? values : values.subarray(0, count));
    return at;
  }
}
