import type { Arena } from "../arena";
import type { Pointer } from "../kernels";
import { Dense, GradientSums, transposed, type Sequences } from "../network";
import type { Run } from "./forward";
import { PROJECTIONS, type FusedTransformerShape, type Projections } from "./layout";
import { Rowwise } from "./rowwise";

/** Values that the backward pass through a layer leaves for the gradient of its weights, for all rows. */
interface Slopes extends Projections {
  /** The derivative in the layer's output, and in what attention hands to the rest of the layer. */
  readonly above: Pointer;
  readonly middle: Pointer;
  readonly normed1: Pointer;
  readonly normed2: Pointer;
  readonly mixed: Pointer;
  readonly active: Pointer;
}

/** The backward pass through the layers of a forward pass. */
export class LayersBackward {
  constructor(
    private readonly arena: Arena,
    private readonly shape: FusedTransformerShape,
    private readonly weights: Pointer,
    private readonly input: Sequences,
    private readonly run: Run,
  ) {}

  /** Turns d, the derivative after layer i, into that before it, and adds the gradient of its weights. */
  layer(i: number, d: Pointer, gradient: Pointer): void {
    this.arena.scoped(() => this.#weights(i, this.#rows(i, d), gradient));
  }

  #rows(i: number, d: Pointer): Slopes {
    const { arena, shape, weights, run } = this;
    const { width } = shape;
    const wide = 4 * width;
    const layer = run.kept[i]!;
    const slopes = this.#slopes();
    const back = this.#transposed(i);
    const scratch = run.parts.map(({ sequences }) => this.#scratch(sequences.from, sequences.to));
    arena.kernels.inParts("transformer backward", this.#count, run.parts.length, (operations, p) => {
      const { sequences, rows } = run.parts[p]!;
      const rowwise = new Rowwise(shape, operations, weights, rows);
      const dense = new Dense(operations, weights);
      const n = rows.to - rows.from;
      const own = rowwise.of(d);
      operations.broadcast(rowwise.of(slopes.above), own, 1, n * width);
      const dActive = rowwise.ofWide(slopes.active);
      dense.inputGradient(own, back.down!, dActive, n, wide, width);
      operations.timesReluSlope(dActive, rowwise.ofWide(layer.active), n * wide);
      dense.inputGradient(dActive, back.up!, rowwise.of(slopes.normed2), n, width, wide);
      rowwise.normBackward(slopes.normed2, layer.norm2, `${i}-norm2`, d);
      operations.broadcast(rowwise.of(slopes.middle), own, 1, n * width);
      dense.inputGradient(own, back.out!, rowwise.of(slopes.mixed), n, width, width);
      for (const name of PROJECTIONS) operations.clear(rowwise.of(slopes[name]), n * width);
      for (let b = sequences.from; b < sequences.to; b++) {
        const first = 4 * this.input.start[b]! * width;
        operations.attentionBackward(
          layer.query + first,
          layer.key + first,
          layer.value + first,
          layer.weight[b]!,
          slopes.mixed + first,
          slopes.query + first,
          slopes.key + first,
          slopes.value + first,
          scratch[p]!,
          this.#length(b),
          width,
          shape.heads,
        );
      }
      const dNormed1 = rowwise.of(slopes.normed1);
      const [first, ...others] = PROJECTIONS;
      dense.inputGradient(rowwise.of(slopes[first]), back[first]!, dNormed1, n, width, width);
      for (const name of others) {
        dense.addInputGradient(rowwise.of(slopes[name]), back[name]!, dNormed1, n, width, width);
      }
      rowwise.normBackward(slopes.normed1, layer.norm1, `${i}-norm1`, d);
    });
    return slopes;
  }

  #weights(i: number, slopes: Slopes, gradient: Pointer): void {
    const { width, at } = this.shape;
    const { norm1, norm2, mixed, active } = this.run.kept[i]!;
    const sums = new GradientSums(this.arena, gradient, this.#count)
      .weight(active, slopes.above, at(`${i}-down`), 4 * width, width)
      .weight(norm2.out, slopes.active, at(`${i}-up`), width, 4 * width)
      .weight(mixed, slopes.middle, at(`${i}-out`), width, width);
    for (const name of PROJECTIONS) {
      sums.weight(norm1.out, slopes[name], at(`${i}-${name}`), width, width);
    }
    sums
      .bias(slopes.active, at(`${i}-bias`), 4 * width)
      .gain(slopes.normed2, norm2.unit, at(`${i}-norm2`), width)
      .gain(slopes.normed1, norm1.unit, at(`${i}-norm1`), width)
      .run("transformer gradient");
  }

  get #count(): number {
    return this.input.tokens.length;
  }

  #length(b: number): number {
    return this.input.start[b + 1]! - this.input.start[b]!;
  }

  #slopes(): Slopes {
    const block = (): Pointer => this.arena.floats(this.#count * this.shape.width);
    return {
      ...{ above: block(), middle: block(), normed1: block(), normed2: block(), mixed: block() },
      ...{ query: block(), key: block(), value: block() },
      active: this.arena.floats(4 * this.#count * this.shape.width),
    };
  }

  /** W^T for all matrices of a layer. */
  #transposed(i: number): Readonly<Record<string, Pointer>> {
    const { width, at } = this.shape;
    const of = (name: string, from: number, to: number): [string, Pointer] => [
      name,
      transposed(this.arena, this.weights, at(`${i}-${name}`), from, to),
    ];
    return Object.fromEntries([
      ...[...PROJECTIONS, "out"].map((name) => of(name, width, width)),
      of("up", width, 4 * width),
      of("down", 4 * width, width),
    ]);
  }

  /** The scratch space that attention's backward pass needs for the longest of some sequences. */
  #scratch(from: number, to: number): Pointer {
    let longest = 0;
    for (let b = from; b < to; b++) longest = Math.max(longest, this.#length(b));
    return this.arena.floats(longest * (longest + this.shape.width / this.shape.heads));
  }
}
