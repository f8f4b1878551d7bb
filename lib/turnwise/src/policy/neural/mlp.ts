import { tanh } from "../../base/elementary/tanh";
import {
  addBias,
  addColumnSums,
  addProduct,
  addProductTransposed,
  addTransposedProduct,
  matrix,
} from "./matrix";
import { offsets, type Network, type ParameterSpec } from "./network";

export interface MlpShape {
  /** Number of latest tokens that the network sees. */
  readonly window: number;
  readonly width: number;
}

/**
 * Two tanh layers on the latest `window` tokens: h1 = tanh(sum_i E_i[token_i] + b1), h2 = tanh(h1 W2 + b2).
 *
 * E_i is the embedding of the i-th latest token, so places are told apart, and padding adds nothing.
 */
export function mlp(tokenCount: number, { window, width }: MlpShape): Network {
  const parameters: ParameterSpec[] = [
    { name: "embedding", shape: [window * tokenCount, width], init: { normal: 1 / Math.sqrt(window) } },
    { name: "bias1", shape: [width], init: { constant: 0 } },
    { name: "weight2", shape: [width, width], init: { normal: 1 / Math.sqrt(width) } },
    { name: "bias2", shape: [width], init: { constant: 0 } },
  ];
  const at = offsets(parameters);
  const embedding = at("embedding");
  return {
    name: "mlp",
    width,
    parameters,
    run(w, { batch, length, wanted, tokens }) {
      const rows = batch * wanted;
      /** Visits the embedding row of every token in sight of every wanted place. */
      const eachToken = (visit: (row: number, from: number) => void): void => {
        for (let row = 0; row < rows; row++) {
          const last = length - wanted + (row % wanted);
          for (let i = 0; i < window && i <= last; i++) {
            const token = tokens[Math.floor(row / wanted) * length + last - i]!;
            if (token >= 0) visit(row, embedding + (i * tokenCount + token) * width);
          }
        }
      };
      const h1 = new Float64Array(rows * width);
      addBias(w, at("bias1"), matrix(h1, rows, width));
      eachToken((row, from) => {
        for (let c = 0; c < width; c++) h1[row * width + c]! += w[from + c]!;
      });
      tanhInPlace(h1);
      const hidden = new Float64Array(rows * width);
      const weight2 = matrix(w, width, width, at("weight2"));
      addBias(w, at("bias2"), matrix(hidden, rows, width));
      addProduct(matrix(h1, rows, width), weight2, matrix(hidden, rows, width));
      tanhInPlace(hidden);
      return {
        hidden,
        backward(dHidden, gradient) {
          const d2 = matrix(timesTanhSlope(dHidden, hidden), rows, width);
          addColumnSums(d2, gradient, at("bias2"));
          addTransposedProduct(matrix(h1, rows, width), d2, matrix(gradient, width, width, at("weight2")));
          const back = new Float64Array(rows * width);
          addProductTransposed(d2, weight2, matrix(back, rows, width));
          const d1 = timesTanhSlope(back, h1);
          addColumnSums(matrix(d1, rows, width), gradient, at("bias1"));
          eachToken((row, from) => {
            for (let c = 0; c < width; c++) gradient[from + c]! += d1[row * width + c]!;
          });
        },
      };
    },
  };
}

function tanhInPlace(x: Float64Array): void {
  for (let i = 0; i < x.length; i++) x[i] = tanh(x[i]!);
}

/** d * (1 - h^2), the derivative through h = tanh(.). */
function timesTanhSlope(d: Float64Array, h: Float64Array): Float64Array {
  return d.map((x, i) => x * (1 - h[i]! * h[i]!));
}
