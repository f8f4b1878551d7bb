import type { Rng } from "../../base/rng";
import type { Arena } from "./arena";
import { Draws } from "./draws";
import type { Operations, Pointer } from "./kernels";
import type { FusedDerivative, FusedEvaluation, FusedHeads, FusedSample } from "./modelTypes";
import {
  Dense,
  GradientSums,
  PART_ROWS,
  ranges,
  transposed,
  type FusedNetwork,
  type FusedPass,
  type Range,
  type Sequences,
} from "./network";

export type * from "./modelTypes";

/** Results of a forward pass in the arena. */
interface Forward {
  readonly generation: number;
  readonly pass: FusedPass;
  readonly logits: Pointer;
  readonly probability: Pointer;
  readonly tokens: Pointer;
  readonly entropy: Pointer;
  readonly logTotals: Pointer;
  readonly firsts: Pointer;
  readonly firstCount: number;
  readonly weights: Pointer;
  readonly cells: number;
}

/**
 * A network with its softmax over the vocabulary and its value head as one operation: from tokens to the log-probs of the
 * chosen tokens, entropies and values, and from their derivatives to the gradient of all weights.
 *
 *   logits = h W_out + b_out,  value = h_0 . w_value
 *
 * Weights are 64-bit floats that are rounded to 32 bits here; the gradient is summed in 32 bits. The last steps of log-probs,
 * entropies and values are computed in 64 bits.
 */
export class FusedModel {
  #forward: Forward | undefined;

  constructor(
    private readonly arena: Arena,
    private readonly network: FusedNetwork,
    private readonly heads: FusedHeads,
  ) {}

  evaluate(
    parameters: Float64Array,
    input: Sequences,
    chosen: Int32Array,
    o: { readonly distributions?: boolean } = {},
  ): FusedEvaluation {
    const { arena, heads } = this;
    const { weights, pass, cells } = this.#run(parameters, input);
    const V = heads.vocabularySize;
    const [logits, probability] = [arena.floats(cells * V), arena.floats(cells * V)];
    const tokens = arena.integers(chosen);
    const [logProb, entropy, logTotals] = [arena.doubles(cells), arena.doubles(cells), arena.doubles(cells)];
    const parts = ranges(cells, PART_ROWS);
    arena.kernels.inParts("log softmax", cells, parts.length, (operations, i) => {
      const { from, to } = parts[i]!;
      const shift = 4 * from * V;
      this.#logitsOf(operations, pass.hidden, weights, logits, parts[i]!);
      operations.logSoftmax(
        logits + shift,
        probability + shift,
        tokens + 4 * from,
        logProb + 8 * from,
        entropy + 8 * from,
        logTotals + 8 * from,
        to - from,
        V,
      );
    });
    const firstRows = firstWanted(input);
    const firsts = arena.integers(firstRows);
    const firstCount = firstRows.length;
    const generation = arena.generation;
    const softmax = { logits, probability, tokens, entropy, logTotals };
    this.#forward = { ...softmax, generation, pass, firsts, firstCount, weights, cells };
    return {
      logProb: arena.float64.subarray(logProb / 8, logProb / 8 + cells),
      entropy: arena.float64.subarray(entropy / 8, entropy / 8 + cells),
      ...(o.distributions && { logProbs: this.#shifted(logits, logTotals, cells) }),
      ...(heads.value !== undefined && { value: this.#values(pass.hidden, weights, firsts, firstCount) }),
    };
  }

  /** Whether the latest `evaluate` is still in memory, so that `backward` may follow. */
  get remembers(): boolean {
    return this.#forward?.generation === this.arena.generation;
  }

  /**
   * d loss / d weights at the latest `evaluate`, written to `out` if given.
   *
   * @throws {Error} if another network has used the memory since (see `remembers`)
   */
  backward(derivative: FusedDerivative, out?: Float64Array): Float64Array {
    const { arena, heads, network } = this;
    const forward = this.#forward;
    if (!forward || !this.remembers) {
      throw new Error(
        "Cannot go backward through the fused network: it must follow its own evaluate(), but the memory is another's.",
      );
    }
    const { kernels } = arena;
    const { width } = network;
    const V = heads.vocabularySize;
    const { cells, weights, pass } = forward;
    return arena.scoped(() => {
      const gradient = arena.zeros(heads.parameterCount);
      const [dLogits, dHidden] = [arena.floats(cells * V), arena.floats(cells * width)];
      const dLogProb = arena.putDoubles(derivative.logProb);
      const dEntropy = derivative.entropy ? arena.putDoubles(derivative.entropy) : arena.zeros(2 * cells);
      const back = transposed(arena, weights, heads.out, width, V);
      const parts = ranges(cells, PART_ROWS);
      const throughHead = (operations: Operations, from: number, count: number): void => {
        const d = dHidden + 4 * from * width;
        new Dense(operations, weights).inputGradient(dLogits + 4 * from * V, back, d, count, width, V);
      };
      kernels.inParts("log softmax backward", cells, parts.length, (operations, i) => {
        const { from, to } = parts[i]!;
        const count = to - from;
        operations.logSoftmaxBackward(
          forward.logits + 4 * from * V,
          forward.probability + 4 * from * V,
          forward.tokens + 4 * from,
          forward.entropy + 8 * from,
          forward.logTotals + 8 * from,
          dLogProb + 8 * from,
          dEntropy + 8 * from,
          dLogits + 4 * from * V,
          count,
          V,
        );
        if (derivative.logits === undefined) throughHead(operations, from, count);
      });
      if (derivative.logits !== undefined) {
        const own = arena.float32.subarray(dLogits / 4, dLogits / 4 + cells * V);
        for (let i = 0; i < own.length; i++) own[i]! += derivative.logits[i]!;
        kernels.inParts("head backward", cells, parts.length, (operations, i) => {
          throughHead(operations, parts[i]!.from, parts[i]!.to - parts[i]!.from);
        });
      }
      new GradientSums(arena, gradient, cells)
        .weight(pass.hidden, dLogits, heads.out, width, V)
        .bias(dLogits, heads.outBias, V)
        .run("log softmax gradient");
      if (heads.value !== undefined && derivative.value) {
        kernels.rowDotsBackward(
          pass.hidden,
          forward.firsts,
          weights + 4 * heads.value,
          arena.putDoubles(derivative.value),
          dHidden,
          gradient + 4 * heads.value,
          forward.firstCount,
          width,
        );
      }
      pass.backward(dHidden, gradient);
      return arena.getFloats(gradient, heads.parameterCount, out);
    });
  }

  /** Log-probs of the next token after each sequence, [count, V]. */
  nextLogProb(parameters: Float64Array, input: Sequences): Float64Array {
    const { weights, pass, cells } = this.#run(parameters, input);
    return this.#logProbs(this.#logits(pass.hidden, weights, cells), cells);
  }

  /** Draws up to `room` tokens after each sequence, until `endToken`; each sequence's state is carried from token to token. */
  sample(
    parameters: Float64Array,
    input: Sequences,
    rngs: readonly Rng[],
    o: { readonly room: number; readonly endToken: number; readonly temperature: number },
  ): FusedSample[] {
    const { arena, heads, network } = this;
    arena.reset();
    const weights = arena.putFloats(parameters);
    const decoder = network.decode(arena, weights, input, o.room - 1);
    const draws = new Draws(arena, rngs, heads.vocabularySize, o.temperature);
    const samples = rngs.map((): FusedSample => ({ tokens: [], logProb: [] }));
    let rows = samples.map((_, b) => b);
    let { hidden } = decoder;
    for (;;) {
      const drawn = draws.next(rows, (operations, logits, range) => {
        this.#logitsOf(operations, hidden, weights, logits, range);
      });
      const left: number[] = [];
      const next: number[] = [];
      for (let i = 0; i < rows.length; i++) {
        const { tokens, logProb } = samples[rows[i]!]!;
        const token = drawn.tokens[i]!;
        tokens.push(token);
        logProb.push(drawn.logProb[i]!);
        if (token === o.endToken || tokens.length === o.room) continue;
        left.push(rows[i]!);
        next.push(token);
      }
      if (left.length === 0) return samples;
      rows = left;
      hidden = decoder.append(rows, next);
    }
  }

  #run(parameters: Float64Array, input: Sequences): { weights: Pointer; pass: FusedPass; cells: number } {
    const { arena } = this;
    arena.reset();
    const weights = arena.putFloats(parameters);
    const pass = this.network.forward(arena, weights, input);
    return { weights, pass, cells: input.wanted.reduce((sum, n) => sum + n, 0) };
  }

  #logits(hidden: Pointer, weights: Pointer, rows: number): Pointer {
    const logits = this.arena.floats(rows * this.heads.vocabularySize);
    this.#logitsOf(this.arena.kernels, hidden, weights, logits, { from: 0, to: rows });
    return logits;
  }

  /** Writes the logits of some rows to their place. */
  #logitsOf(
    operations: Operations,
    hidden: Pointer,
    weights: Pointer,
    logits: Pointer,
    { from, to }: Range,
  ): void {
    const { vocabularySize: V, out, outBias } = this.heads;
    const { width } = this.network;
    const own = logits + 4 * from * V;
    new Dense(operations, weights).forward(hidden + 4 * from * width, out, own, to - from, width, V, outBias);
  }

  #logProbs(logits: Pointer, rows: number): Float64Array {
    const { arena, heads } = this;
    const V = heads.vocabularySize;
    return arena.scoped(() => {
      const none = arena.integers(new Int32Array(rows).fill(-1));
      const [unused, entropy, totals] = [arena.doubles(rows), arena.doubles(rows), arena.doubles(rows)];
      arena.kernels.logSoftmax(logits, arena.floats(rows * V), none, unused, entropy, totals, rows, V);
      return this.#shifted(logits, totals, rows);
    });
  }

  /** Log-probs [rows, V] from what the log softmax left: logits less their largest, and the logarithms of the sums. */
  #shifted(logits: Pointer, totals: Pointer, rows: number): Float64Array {
    const { arena, heads } = this;
    const V = heads.vocabularySize;
    const logProb = arena.getFloats(logits, rows * V);
    for (let i = 0; i < rows; i++) {
      const total = arena.float64[totals / 8 + i]!;
      for (let v = 0; v < V; v++) logProb[i * V + v]! -= total;
    }
    return logProb;
  }

  #values(hidden: Pointer, weights: Pointer, firsts: Pointer, count: number): Float64Array {
    const { arena, heads } = this;
    const out = arena.doubles(count);
    arena.kernels.rowDots(hidden, firsts, weights + 4 * heads.value!, out, count, this.network.width);
    return arena.getDoubles(out, count);
  }
}

/** The row, among all wanted places, of the first wanted place of each sequence that has one. */
function firstWanted({ wanted }: Sequences): number[] {
  const rows: number[] = [];
  let row = 0;
  for (const count of wanted) {
    if (count > 0) rows.push(row);
    row += count;
  }
  return rows;
}
