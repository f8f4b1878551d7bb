import { GradientSums, wantedRows, type FusedNetwork } from "../network";
import { LayersBackward } from "./backward";
import { decodeTransformer } from "./decode";
import { finish, runLayers } from "./forward";
import type { FusedTransformerShape } from "./layout";
import { Rowwise } from "./rowwise";

export type { FusedTransformerShape } from "./layout";

/**
 * A decoder-only transformer with pre-normalization:
 *   x <- x + attention(norm(x)) W_out,  x <- x + relu(norm(x) W_up + b) W_down.
 */
export function fusedTransformer(shape: FusedTransformerShape): FusedNetwork {
  const { width, layers, at } = shape;
  return {
    width,
    forward(arena, weights, input) {
      const rows = input.tokens.length;
      const run = runLayers(arena, shape, weights, input, 0);
      const wanted = wantedRows(input, width);
      const final = finish(arena, shape, weights, run.x, wanted);
      return {
        hidden: final.normed.out,
        backward(dHidden, gradient) {
          const count = wanted.length;
          const [dLast, d] = [arena.zeros(count * width), arena.zeros(rows * width)];
          const all = new Rowwise(shape, arena.kernels, weights, { from: 0, to: count });
          all.normBackward(dHidden, final.normed, "norm", dLast);
          arena.kernels.scatter(d, dLast, final.at, count, 1, width, width);
          new GradientSums(arena, gradient, count)
            .gain(dHidden, final.normed.unit, at("norm"), width)
            .run("transformer end gradient");
          const back = new LayersBackward(arena, shape, weights, input, run);
          for (let i = layers - 1; i >= 0; i--) back.layer(i, d, gradient);
          new GradientSums(arena, gradient, rows)
            .table(d, run.offsets, 2, 0, width)
            .run("transformer embedding gradient");
        },
      };
    },
    decode: (arena, weights, input, room) => decodeTransformer(arena, shape, weights, input, room),
  };
}
