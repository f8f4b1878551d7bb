import { categoricalBy, drawsByOne, type Rng } from "../../base/rng";
import type { Arena } from "./arena";
import type { Operations, Pointer } from "./kernels";
import { PART_ROWS, ranges, type Range } from "./network";

/** Writes the logits of some rows to their place. */
export type LogitsOf = (operations: Operations, logits: Pointer, rows: Range) => void;

/**
 * Draws tokens from logits, many rows in one operation; each row's uniform number comes from its own generator.
 *
 * A generator that draws in a way of its own, such as from a nucleus, is asked itself, and so are those whose number lies
 * too near to the border of two tokens to tell in 32 bits: the tokens are those of `Rng.categorical` to the bit.
 */
export class Draws {
  readonly #byOne: readonly boolean[];
  readonly #logits: Pointer;
  readonly #weight: Pointer;
  readonly #uniform: Pointer;
  readonly #tokens: Pointer;
  readonly #logProb: Pointer;
  readonly #logTotals: Pointer;

  constructor(
    private readonly arena: Arena,
    private readonly rngs: readonly Rng[],
    private readonly vocabularySize: number,
    private readonly temperature: number,
  ) {
    const rows = rngs.length;
    this.#byOne = rngs.map(drawsByOne);
    this.#logits = arena.floats(rows * vocabularySize);
    this.#weight = arena.floats(rows * vocabularySize);
    this.#tokens = arena.integers(new Int32Array(rows));
    this.#uniform = arena.doubles(rows);
    this.#logProb = arena.doubles(rows);
    this.#logTotals = arena.doubles(rows);
  }

  /** The next token of each of some rows, and its log-prob in nats; both are overwritten by the next call. */
  next(rows: readonly number[], logitsOf: LogitsOf): { tokens: Int32Array; logProb: Float64Array } {
    const { arena, rngs, vocabularySize: V } = this;
    const count = rows.length;
    const uniform = arena.float64.subarray(this.#uniform / 8, this.#uniform / 8 + count);
    // No token is drawn with a number that is none.
    for (let i = 0; i < count; i++) uniform[i] = this.#byOne[rows[i]!] ? rngs[rows[i]!]!.next() : NaN;
    const parts = ranges(count, PART_ROWS);
    arena.kernels.inParts("draw", count, parts.length, (operations, p) => {
      const { from, to } = parts[p]!;
      logitsOf(operations, this.#logits, parts[p]!);
      operations.draw(
        this.#logits + 4 * from * V,
        this.#weight + 4 * from * V,
        this.#uniform + 8 * from,
        this.#tokens + 4 * from,
        this.#logProb + 8 * from,
        this.#logTotals + 8 * from,
        to - from,
        V,
        this.temperature,
      );
    });
    const tokens = arena.int32.subarray(this.#tokens / 4, this.#tokens / 4 + count);
    const logProb = arena.float64.subarray(this.#logProb / 8, this.#logProb / 8 + count);
    for (let i = 0; i < count; i++) {
      if (tokens[i]! >= 0) continue;
      const own = this.#logProbs(i);
      tokens[i] = this.#byOne[rows[i]!] ? categoricalBy(uniform[i]!, own) : rngs[rows[i]!]!.categorical(own);
      logProb[i] = own[tokens[i]!]!;
    }
    return { tokens, logProb };
  }

  /** The log-probs of all tokens in a row. */
  #logProbs(row: number): Float64Array {
    const { arena, vocabularySize: V } = this;
    const first = this.#logits / 4 + row * V;
    const total = arena.float64[this.#logTotals / 8 + row]!;
    return Float64Array.from(arena.float32.subarray(first, first + V), (x) => x - total);
  }
}
