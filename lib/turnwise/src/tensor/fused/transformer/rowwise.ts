import type { Operations, Pointer } from "../kernels";
import { Dense, type Range } from "../network";
import { PROJECTIONS, type FusedTransformerShape, type Layer, type Normed, type Projections } from "./layout";

/** Row-wise operations of a transformer. */
export class Rowwise {
  readonly #dense: Dense;
  readonly #bytes: number;

  constructor(
    private readonly shape: FusedTransformerShape,
    private readonly operations: Operations,
    private readonly weights: Pointer,
    private readonly rows: Range,
  ) {
    this.#dense = new Dense(operations, weights);
    this.#bytes = 4 * shape.width;
  }

  get #count(): number {
    return this.rows.to - this.rows.from;
  }

  /** These rows of a matrix. */
  of(x: Pointer): Pointer {
    return x + this.rows.from * this.#bytes;
  }

  /** These rows of a matrix four times as wide. */
  ofWide(x: Pointer): Pointer {
    return x + 4 * this.rows.from * this.#bytes;
  }

  /** x <- embedding of the token + embedding of the place, from offsets of both for every row. */
  embed(offsets: Pointer, x: Pointer): void {
    const { width } = this.shape;
    this.operations.clear(this.of(x), this.#count * width);
    this.operations.gather(this.of(x), this.weights, offsets + 8 * this.rows.from, this.#count, 2, width);
  }

  norm(x: Pointer, name: string, { out, unit, scales }: Normed): void {
    const gain = this.weights + 4 * this.shape.at(name);
    const own = scales + 4 * this.rows.from;
    this.operations.layerNorm(
      this.of(x),
      gain,
      this.of(out),
      this.of(unit),
      own,
      this.#count,
      this.shape.width,
    );
  }

  /** d <- d + the backward pass of `norm`. */
  normBackward(dOut: Pointer, { unit, scales }: Normed, name: string, d: Pointer): void {
    const gain = this.weights + 4 * this.shape.at(name);
    const own = scales + 4 * this.rows.from;
    this.operations.layerNormBackward(
      this.of(dOut),
      this.of(unit),
      own,
      gain,
      this.of(d),
      this.#count,
      this.shape.width,
    );
  }

  /** The query, key and value of normalized rows. */
  project(i: number, normed: Pointer, to: Projections): void {
    const { width, at } = this.shape;
    for (const name of PROJECTIONS) {
      const out = this.of(to[name]);
      this.#dense.forward(this.of(normed), at(`${i}-${name}`), out, this.#count, width, width);
    }
  }

  /** x <- x + mixed W_out. */
  addMixed(i: number, mixed: Pointer, x: Pointer): void {
    const { width, at } = this.shape;
    this.#dense.add(this.of(mixed), at(`${i}-out`), this.of(x), this.#count, width, width);
  }

  /** x <- x + relu(norm(x) W_up + b) W_down. */
  feedForward(i: number, x: Pointer, { norm2, active }: Pick<Layer, "norm2" | "active">): void {
    const { width, at } = this.shape;
    const [wide, own] = [4 * width, this.ofWide(active)];
    this.norm(x, `${i}-norm2`, norm2);
    const bias = at(`${i}-bias`);
    this.#dense.forward(this.of(norm2.out), at(`${i}-up`), own, this.#count, width, wide, bias, 1);
    this.#dense.add(own, at(`${i}-down`), this.of(x), this.#count, wide, width);
  }
}

/** The offsets of each row's token and place. */
export function embeddings(
  { width, at }: FusedTransformerShape,
  tokens: ArrayLike<number>,
  places: ArrayLike<number>,
): Int32Array {
  const offsets = new Int32Array(2 * tokens.length);
  for (let i = 0; i < tokens.length; i++) {
    offsets[2 * i] = at("embedding") + tokens[i]! * width;
    offsets[2 * i + 1] = at("place") + places[i]! * width;
  }
  return offsets;
}
