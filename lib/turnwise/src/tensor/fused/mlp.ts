import type { Arena } from "./arena";
import type { Pointer } from "./kernels";
import {
  Dense,
  GradientSums,
  PART_ROWS,
  ranges,
  transposed,
  type Decoder,
  type FusedNetwork,
  type FusedPass,
  type Sequences,
} from "./network";

/** Offsets of the blocks of weights, in elements. */
export interface FusedMlpShape {
  readonly tokenCount: number;
  readonly window: number;
  readonly width: number;
  at(name: "embedding" | "bias1" | "weight2" | "bias2"): number;
}

/**
 * [wanted places, window]: the row i * tokenCount + token of the embedding for the i-th latest token in sight of each wanted
 * place; -1 if there is none. Rows are counted in units of `step`.
 */
export function tokensInSight(
  { count, tokens, start, wanted }: Sequences,
  { tokenCount, window }: Pick<FusedMlpShape, "tokenCount" | "window">,
  step = 1,
): Int32Array {
  const rows = new Int32Array(wanted.reduce((sum, n) => sum + n, 0) * window).fill(-1);
  let next = 0;
  for (let b = 0; b < count; b++) {
    const end = start[b + 1]!;
    for (let last = end - wanted[b]!; last < end; last++, next += window) {
      const places = Math.min(window, last - start[b]! + 1);
      for (let i = 0; i < places; i++) rows[next + i] = step * (i * tokenCount + tokens[last - i]!);
    }
  }
  return rows;
}

/** Two tanh layers on the latest `window` tokens: h1 = tanh(sum_i E_i[token_i] + b1), h2 = tanh(h1 W2 + b2). */
export function fusedMlp({ tokenCount, window, width, at }: FusedMlpShape): FusedNetwork {
  const forward = (arena: Arena, weights: Pointer, input: Sequences): FusedPass => {
    const { kernels } = arena;
    const rows = input.wanted.reduce((sum, n) => sum + n, 0);
    const parts = ranges(rows, PART_ROWS);
    const offsets = arena.integers(tokensInSight(input, { tokenCount, window }, width));
    const [h1, hidden] = [arena.floats(rows * width), arena.floats(rows * width)];
    kernels.inParts("mlp forward", rows, parts.length, (operations, i) => {
      const { from, to } = parts[i]!;
      const [count, own, next] = [to - from, h1 + 4 * from * width, hidden + 4 * from * width];
      const table = weights + 4 * at("embedding");
      operations.broadcast(own, weights + 4 * at("bias1"), count, width);
      operations.gather(own, table, offsets + 4 * from * window, count, window, width);
      operations.tanh(own, count * width);
      new Dense(operations, weights).forward(own, at("weight2"), next, count, width, width, at("bias2"));
      operations.tanh(next, count * width);
    });
    return {
      hidden,
      backward(dHidden, gradient) {
        const back = transposed(arena, weights, at("weight2"), width, width);
        const d1 = arena.floats(rows * width);
        kernels.inParts("mlp backward", rows, parts.length, (operations, i) => {
          const { from, to } = parts[i]!;
          const [count, shift] = [to - from, 4 * from * width];
          operations.timesTanhSlope(dHidden + shift, hidden + shift, count * width);
          const dense = new Dense(operations, weights);
          dense.inputGradient(dHidden + shift, back, d1 + shift, count, width, width);
          operations.timesTanhSlope(d1 + shift, h1 + shift, count * width);
        });
        new GradientSums(arena, gradient, rows)
          .weight(h1, dHidden, at("weight2"), width, width)
          .table(d1, offsets, window, at("embedding"), width)
          .bias(dHidden, at("bias2"), width)
          .bias(d1, at("bias1"), width)
          .run("mlp gradient");
      },
    };
  };

  return {
    width,
    forward,
    /** Keeps nothing but the latest tokens. */
    decode(arena, weights, input): Decoder {
      const latest = Array.from({ length: input.count }, (_, b) =>
        Array.from(
          input.tokens.subarray(Math.max(input.start[b]!, input.start[b + 1]! - window), input.start[b + 1]),
        ),
      );
      const { hidden } = forward(arena, weights, input);
      const one = new Int32Array(input.count).fill(1);
      return {
        hidden,
        append(rows, tokens) {
          rows.forEach((b, i) => {
            latest[b]!.push(tokens[i]!);
            if (latest[b]!.length > window) latest[b]!.shift();
          });
          const start = new Int32Array(rows.length + 1);
          rows.forEach((b, i) => (start[i + 1] = start[i]! + latest[b]!.length));
          return forward(arena, weights, {
            count: rows.length,
            tokens: Int32Array.from(rows.flatMap((b) => latest[b]!)),
            start,
            wanted: one.subarray(0, rows.length),
            firstPlace: new Int32Array(rows.length),
          }).hidden;
        },
      };
    },
  };
}
