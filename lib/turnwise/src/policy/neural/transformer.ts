import { attention, type AttentionShape } from "./attention";
import { layerNorm } from "./layerNorm";
import {
  addBias,
  addColumnSums,
  addProduct,
  addProductTransposed,
  addTransposedProduct,
  matrix,
} from "./matrix";
import { offsets, type Network, type NetworkInput, type ParameterSpec, type Pass } from "./network";
import { continueTransformer, type LayerCache, type TransformerShape } from "./transformerCache";

/** Turns the derivative of a layer's output into that of its input, in place, and adds to the gradient. */
type Backward = (d: Float64Array, gradient: Float64Array) => void;

/**
 * A decoder-only transformer: token and place embeddings, then per layer
 *   x <- x + attention(norm(x)) W_out,  x <- x + relu(norm(x) W_up + b) W_down
 *
 * A place attends to itself and to what precedes it, never to padding.
 *
 * @see Vaswani et al., "Attention Is All You Need" (2017), here with pre-normalization
 */
export function transformer(tokenCount: number, o: TransformerShape): Network {
  const { width, layers, heads, window } = o;
  const scale = 1 / Math.sqrt(width);
  const parameters: ParameterSpec[] = [
    { name: "embedding", shape: [tokenCount, width], init: { normal: 0.5 } },
    { name: "place", shape: [window, width], init: { normal: 0.5 } },
    ...Array.from({ length: layers }, (_, i): ParameterSpec[] => [
      { name: `${i}-norm1`, shape: [width], init: { constant: 1 } },
      ...["query", "key", "value", "out"].map((name): ParameterSpec => ({
        name: `${i}-${name}`,
        shape: [width, width],
        init: { normal: scale },
      })),
      { name: `${i}-norm2`, shape: [width], init: { constant: 1 } },
      { name: `${i}-up`, shape: [width, 4 * width], init: { normal: scale } },
      { name: `${i}-bias`, shape: [4 * width], init: { constant: 0 } },
      { name: `${i}-down`, shape: [4 * width, width], init: { normal: scale / 2 } },
    ]).flat(),
    { name: "norm", shape: [width], init: { constant: 1 } },
  ];
  const at = offsets(parameters);

  /** out = x W, and its backward pass, which adds to dX. */
  const dense = (
    x: Float64Array,
    w: Float64Array,
    name: string,
    from: number,
    to: number,
  ): { out: Float64Array; back: (d: Float64Array, dX: Float64Array, gradient: Float64Array) => void } => {
    const rows = x.length / from;
    const weight = matrix(w, from, to, at(name));
    const out = new Float64Array(rows * to);
    addProduct(matrix(x, rows, from), weight, matrix(out, rows, to));
    return {
      out,
      back(d, dX, gradient) {
        addTransposedProduct(
          matrix(x, rows, from),
          matrix(d, rows, to),
          matrix(gradient, from, to, at(name)),
        );
        addProductTransposed(matrix(d, rows, to), weight, matrix(dX, rows, from));
      },
    };
  };

  const attend = (
    x: Float64Array,
    w: Float64Array,
    i: number,
    shape: AttentionShape,
    cache: LayerCache[],
  ): Backward => {
    const normed = layerNorm(x, width, w, at(`${i}-norm1`));
    const [query, key, value] = ["query", "key", "value"].map((name) =>
      dense(normed.out, w, `${i}-${name}`, width, width),
    ) as [ReturnType<typeof dense>, ReturnType<typeof dense>, ReturnType<typeof dense>];
    cache.push({ key: key.out, value: value.out });
    const mixed = attention(query.out, key.out, value.out, shape);
    const result = dense(mixed.out, w, `${i}-out`, width, width);
    add(x, result.out);
    return (d, gradient) => {
      const dMixed = new Float64Array(d.length);
      result.back(d, dMixed, gradient);
      const [dQuery, dKey, dValue] = [0, 1, 2].map(() => new Float64Array(d.length));
      mixed.backward(dMixed, dQuery!, dKey!, dValue!);
      const dNormed = new Float64Array(d.length);
      query.back(dQuery!, dNormed, gradient);
      key.back(dKey!, dNormed, gradient);
      value.back(dValue!, dNormed, gradient);
      normed.backward(dNormed, d, gradient);
    };
  };

  const feedForward = (x: Float64Array, w: Float64Array, i: number): Backward => {
    const rows = x.length / width;
    const normed = layerNorm(x, width, w, at(`${i}-norm2`));
    const up = dense(normed.out, w, `${i}-up`, width, 4 * width);
    addBias(w, at(`${i}-bias`), matrix(up.out, rows, 4 * width));
    const active = up.out.map((value) => Math.max(0, value));
    const down = dense(active, w, `${i}-down`, 4 * width, width);
    add(x, down.out);
    return (d, gradient) => {
      const dActive = new Float64Array(active.length);
      down.back(d, dActive, gradient);
      for (let j = 0; j < dActive.length; j++) if (active[j] === 0) dActive[j] = 0;
      addColumnSums(matrix(dActive, rows, 4 * width), gradient, at(`${i}-bias`));
      const dNormed = new Float64Array(d.length);
      up.back(dActive, dNormed, gradient);
      normed.backward(dNormed, d, gradient);
    };
  };

  const forward = (
    w: Float64Array,
    { batch, length, wanted, tokens, lastPlace }: NetworkInput,
  ): Pass & { cache: LayerCache[] } => {
    const rows = batch * length;
    const [places, embeddings] = [at("place"), at("embedding")];
    const place = (row: number): number => places + (lastPlace - length + 1 + (row % length)) * width;
    const embedding = (row: number): number => embeddings + tokens[row]! * width;
    const x = new Float64Array(rows * width);
    for (let row = 0; row < rows; row++) {
      if (tokens[row]! < 0) continue;
      const [e, p] = [embedding(row), place(row)];
      for (let c = 0; c < width; c++) x[row * width + c] = w[e + c]! + w[p + c]!;
    }
    const present = Uint8Array.from(tokens, (token) => (token >= 0 ? 1 : 0));
    const shape = { batch, length, width, heads, present };
    const way: Backward[] = [];
    const cache: LayerCache[] = [];
    for (let i = 0; i < layers; i++) way.push(attend(x, w, i, shape, cache), feedForward(x, w, i));
    const final = layerNorm(x, width, w, at("norm"));
    const lastRows = (row: number): number =>
      (Math.floor(row / wanted) * length + length - wanted + (row % wanted)) * width;
    const hidden = new Float64Array(batch * wanted * width);
    for (let row = 0; row < batch * wanted; row++) {
      hidden.set(final.out.subarray(lastRows(row), lastRows(row) + width), row * width);
    }
    return {
      hidden,
      cache,
      backward(dHidden, gradient) {
        const dFinal = new Float64Array(rows * width);
        for (let row = 0; row < batch * wanted; row++) {
          dFinal.set(dHidden.subarray(row * width, (row + 1) * width), lastRows(row));
        }
        const d = new Float64Array(rows * width);
        final.backward(dFinal, d, gradient);
        for (const back of way.reverse()) back(d, gradient);
        way.reverse();
        for (let row = 0; row < rows; row++) {
          if (tokens[row]! < 0) continue;
          const [e, p] = [embedding(row), place(row)];
          for (let c = 0; c < width; c++) {
            gradient[e + c]! += d[row * width + c]!;
            gradient[p + c]! += d[row * width + c]!;
          }
        }
      },
    };
  };

  return {
    name: "transformer",
    width,
    parameters,
    run: forward,
    begin(w, input) {
      const { hidden, cache } = forward(w, { ...input, wanted: 1 });
      return { hidden, next: continueTransformer(w, at, o, input, cache) };
    },
  };
}

function add(x: Float64Array, y: Float64Array): void {
  for (let i = 0; i < x.length; i++) x[i]! += y[i]!;
}
