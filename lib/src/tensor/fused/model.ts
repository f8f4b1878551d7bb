import type { Rng } from "../rng";
import type { Arena } from "./arena";
import type { Pointer } from "./kernels";
import { Dense, type FusedNetwork, type FusedPass, type Sequences } from "./network";

/** The two heads on a network; offsets in elements of the flat vector of weights. */
export interface FusedHeads {
  readonly vocabularySize: number;
  readonly parameterCount: number;
  readonly out: number;
  readonly outBias: number;
  /** Of the value head, if there is one. */
  readonly value?: number;
}

export interface FusedEvaluation {
  /** Nats, per wanted place. */
  readonly logProb: Float64Array;
  readonly entropy: Float64Array;
  /** Per sequence that wants a place: from its first wanted place. */
  readonly value?: Float64Array;
}

export interface FusedDerivative {
  readonly logProb: Float64Array;
  readonly entropy?: Float64Array;
  readonly value?: Float64Array;
}

/** What a forward pass left in the arena. */
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

export interface FusedSample {
  readonly tokens: number[];
  /** Nats. */
  readonly logProb: number[];
}

/**
 * A network with its softmax over the vocabulary, and a value head, as one operation: tokens in, log-probs of the chosen
 * tokens, entropies and values out; derivatives of those in, the gradient of all weights out.
 *
 *   logits = h W_out + b_out,  value = h_0 . w_value
 *
 * Weights come as 64-bit floats and are rounded to 32 bits; the gradient is summed in 32 bits. Log-probs, entropies and
 * values are finished in 64 bits.
 */
export class FusedModel {
  #forward: Forward | undefined;

  constructor(
    private readonly arena: Arena,
    private readonly network: FusedNetwork,
    private readonly heads: FusedHeads,
  ) {}

  evaluate(parameters: Float64Array, input: Sequences, chosen: Int32Array): FusedEvaluation {
    const { arena, heads } = this;
    const { weights, pass, logits, cells } = this.#run(parameters, input);
    const V = heads.vocabularySize;
    const probability = arena.floats(cells * V);
    const tokens = arena.integers(chosen);
    const [logProb, entropy, logTotals] = [arena.doubles(cells), arena.doubles(cells), arena.doubles(cells)];
    arena.kernels.logSoftmax(logits, probability, tokens, logProb, entropy, logTotals, cells, V);
    const firstRows = firstWanted(input);
    const firsts = arena.integers(firstRows);
    const firstCount = firstRows.length;
    const generation = arena.generation;
    const softmax = { logits, probability, tokens, entropy, logTotals };
    this.#forward = { ...softmax, generation, pass, firsts, firstCount, weights, cells };
    return {
      logProb: arena.getDoubles(logProb, cells),
      entropy: arena.getDoubles(entropy, cells),
      ...(heads.value !== undefined && { value: this.#values(pass.hidden, weights, firsts, firstCount) }),
    };
  }

  /** Whether the latest `evaluate` is still in memory, so that `backward` may follow it. */
  get remembers(): boolean {
    return this.#forward?.generation === this.arena.generation;
  }

  /**
   * d loss / d weights at the latest `evaluate`.
   *
   * Throws Error when another network used the memory since (see `remembers`).
   */
  backward(derivative: FusedDerivative): Float64Array {
    const { arena, heads, network } = this;
    const forward = this.#forward;
    if (!forward || !this.remembers) {
      throw new Error(
        "Cannot go backward through the fused network as it must follow its own evaluate(): current memory is another's",
      );
    }
    const { kernels } = arena;
    const { width } = network;
    const V = heads.vocabularySize;
    const { cells, weights, pass } = forward;
    return arena.scoped(() => {
      const gradient = arena.zeros(heads.parameterCount);
      const dLogits = arena.floats(cells * V);
      kernels.logSoftmaxBackward(
        forward.logits,
        forward.probability,
        forward.tokens,
        forward.entropy,
        forward.logTotals,
        arena.putDoubles(derivative.logProb),
        arena.putDoubles(derivative.entropy ?? new Float64Array(cells)),
        dLogits,
        cells,
        V,
      );
      const dense = new Dense(arena, weights);
      kernels.addRows(gradient + 4 * heads.outBias, dLogits, cells, V);
      dense.weightGradient(pass.hidden, dLogits, heads.out, gradient, cells, width, V);
      const dHidden = arena.zeros(cells * width);
      dense.inputGradient(dLogits, dense.transposed(heads.out, width, V), dHidden, cells, width, V);
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
      return arena.getFloats(gradient, heads.parameterCount);
    });
  }

  /** Log-probs of the next token after each sequence, [count, V]. */
  nextLogProb(parameters: Float64Array, input: Sequences): Float64Array {
    const { logits, cells } = this.#run(parameters, input);
    return this.#logProbs(logits, cells, 1);
  }

  /** Draws up to `room` tokens after each sequence, until `endToken`; the state of a sequence is carried from token to token. */
  sample(
    parameters: Float64Array,
    input: Sequences,
    rngs: readonly Rng[],
    o: { readonly room: number; readonly endToken: number; readonly temperature: number },
  ): FusedSample[] {
    const { arena, heads, network } = this;
    const V = heads.vocabularySize;
    arena.reset();
    const weights = arena.putFloats(parameters);
    const decoder = network.decode(arena, weights, input, o.room - 1);
    const samples = rngs.map((): FusedSample => ({ tokens: [], logProb: [] }));
    let rows = samples.map((_, b) => b);
    let { hidden } = decoder;
    for (;;) {
      const logProb = this.#logProbs(this.#logits(hidden, weights, rows.length), rows.length, o.temperature);
      const left: number[] = [];
      rows.forEach((b, i) => {
        const own = logProb.subarray(i * V, (i + 1) * V);
        const token = rngs[b]!.categorical(own);
        const { tokens, logProb: taken } = samples[b]!;
        tokens.push(token);
        taken.push(own[token]!);
        if (token !== o.endToken && tokens.length < o.room) left.push(b);
      });
      if (left.length === 0) return samples;
      rows = left;
      hidden = decoder.append(
        rows,
        rows.map((b) => samples[b]!.tokens.at(-1)!),
      );
    }
  }

  #run(
    parameters: Float64Array,
    input: Sequences,
  ): { weights: Pointer; pass: FusedPass; logits: Pointer; cells: number } {
    const { arena } = this;
    arena.reset();
    const weights = arena.putFloats(parameters);
    const pass = this.network.forward(arena, weights, input);
    const cells = input.wanted.reduce((sum, n) => sum + n, 0);
    return { weights, pass, logits: this.#logits(pass.hidden, weights, cells), cells };
  }

  #logits(hidden: Pointer, weights: Pointer, rows: number): Pointer {
    const { arena, heads } = this;
    const V = heads.vocabularySize;
    const logits = arena.floats(rows * V);
    arena.kernels.broadcast(logits, weights + 4 * heads.outBias, rows, V);
    new Dense(arena, weights).forward(hidden, heads.out, logits, rows, this.network.width, V);
    return logits;
  }

  #logProbs(logits: Pointer, rows: number, temperature: number): Float64Array {
    const { arena, heads } = this;
    const V = heads.vocabularySize;
    return arena.scoped(() => {
      if (temperature !== 1) {
        const own = arena.float32.subarray(logits / 4, logits / 4 + rows * V);
        for (let i = 0; i < own.length; i++) own[i]! /= temperature;
      }
      const none = arena.integers(new Int32Array(rows).fill(-1));
      const [unused, entropy, totals] = [arena.doubles(rows), arena.doubles(rows), arena.doubles(rows)];
      arena.kernels.logSoftmax(logits, arena.floats(rows * V), none, unused, entropy, totals, rows, V);
      const logProb = arena.getFloats(logits, rows * V);
      for (let i = 0; i < rows; i++) {
        const total = arena.float64[totals / 8 + i]!;
        for (let v = 0; v < V; v++) logProb[i * V + v]! -= total;
      }
      return logProb;
    });
  }

  #values(hidden: Pointer, weights: Pointer, firsts: Pointer, count: number): Float64Array {
    const { arena, heads } = this;
    const out = arena.doubles(count);
    arena.kernels.rowDots(hidden, firsts, weights + 4 * heads.value!, out, count, this.network.width);
    return arena.getDoubles(out, count);
  }
}

/** Row of the first wanted place of each sequence that wants any, among all wanted places. */
function firstWanted({ wanted }: Sequences): number[] {
  const rows: number[] = [];
  let row = 0;
  for (const count of wanted) {
    if (count > 0) rows.push(row);
    row += count;
  }
  return rows;
}
