import { exp } from "../../base/elementary/exp";
import { tanh } from "../../base/elementary/tanh";
import { addColumnSums, addProduct, addProductTransposed, addTransposedProduct, matrix } from "./matrix";
import { offsets, type Network, type NetworkInput, type ParameterSpec } from "./network";

const GATES = ["update", "reset", "candidate"] as const;

/** Values that a step keeps for the backward pass. */
interface Step {
  readonly before: Float64Array;
  readonly update: Float64Array;
  readonly reset: Float64Array;
  readonly candidate: Float64Array;
  /** The state times the candidate's weights, before the reset gate. */
  readonly recurrent: Float64Array;
}

/**
 * A gated recurrent unit over all tokens in sight:
 *   z = sigmoid(x_z + h U_z), r = sigmoid(x_r + h U_r), n = tanh(x_n + r * (h U_n)), h <- (1 - z) * n + z * h
 *
 * with x_g = E_g[token] + b_g. The state starts at 0, and padding leaves it there.
 *
 * @see Cho et al., "Learning Phrase Representations using RNN Encoder-Decoder" (2014); here the reset gate acts after
 *   the product, as in cuDNN
 */
export function gru(tokenCount: number, { width }: { readonly width: number }): Network {
  const parameters = GATES.flatMap((gate): ParameterSpec[] => [
    { name: `embedding-${gate}`, shape: [tokenCount, width], init: { normal: 0.5 } },
    { name: `bias-${gate}`, shape: [width], init: { constant: 0 } },
    { name: `state-${gate}`, shape: [width, width], init: { normal: 1 / Math.sqrt(width) } },
  ]);
  const at = offsets(parameters);
  return {
    name: "gru",
    width,
    parameters,
    run(w, input) {
      const { batch, length, wanted } = input;
      const hidden = new Float64Array(batch * wanted * width);
      const steps: Step[] = [];
      let h: Float64Array = new Float64Array(batch * width);
      for (let p = 0; p < length; p++) {
        const { after, step } = forward(w, input, p, h);
        steps.push(step);
        h = after;
        if (p < length - wanted) continue;
        for (let b = 0; b < batch; b++) {
          hidden.set(h.subarray(b * width, (b + 1) * width), (b * wanted + p - length + wanted) * width);
        }
      }
      return {
        hidden,
        backward(dHidden, gradient) {
          let d: Float64Array = new Float64Array(batch * width);
          for (let p = length - 1; p >= 0; p--) {
            if (p >= length - wanted) {
              for (let b = 0; b < batch; b++) {
                const from = (b * wanted + p - length + wanted) * width;
                for (let c = 0; c < width; c++) d[b * width + c]! += dHidden[from + c]!;
              }
            }
            d = backward(w, input, p, steps[p]!, d, gradient);
          }
        },
      };
    },
  };

  /** A gate's embedding plus bias, x_g. */
  function gateInput(
    w: Float64Array,
    input: NetworkInput,
    p: number,
    gate: (typeof GATES)[number],
  ): Float64Array {
    const { batch, length, tokens } = input;
    const out = new Float64Array(batch * width);
    const embedding = at(`embedding-${gate}`);
    const bias = at(`bias-${gate}`);
    for (let b = 0; b < batch; b++) {
      const token = tokens[b * length + p]!;
      if (token < 0) continue;
      const from = embedding + token * width;
      for (let c = 0; c < width; c++) out[b * width + c] = w[from + c]! + w[bias + c]!;
    }
    return out;
  }

  function forward(
    w: Float64Array,
    input: NetworkInput,
    p: number,
    before: Float64Array,
  ): { after: Float64Array; step: Step } {
    const { batch, length, tokens } = input;
    const state = matrix(before, batch, width);
    const sigmoidGate = (gate: "update" | "reset"): Float64Array => {
      const x = gateInput(w, input, p, gate);
      addProduct(state, matrix(w, width, width, at(`state-${gate}`)), matrix(x, batch, width));
      for (let i = 0; i < x.length; i++) x[i] = 1 / (1 + exp(-x[i]!));
      return x;
    };
    const update = sigmoidGate("update");
    const reset = sigmoidGate("reset");
    const recurrent = new Float64Array(batch * width);
    addProduct(state, matrix(w, width, width, at("state-candidate")), matrix(recurrent, batch, width));
    const candidate = gateInput(w, input, p, "candidate");
    const after = new Float64Array(batch * width);
    for (let i = 0; i < candidate.length; i++) {
      candidate[i] = tanh(candidate[i]! + reset[i]! * recurrent[i]!);
      const present = tokens[Math.floor(i / width) * length + p]! >= 0;
      after[i] = present ? (1 - update[i]!) * candidate[i]! + update[i]! * before[i]! : 0;
    }
    return { after, step: { before, update, reset, candidate, recurrent } };
  }

  /** Adds this step's part of the gradient and returns the derivative with respect to the state before it. */
  function backward(
    w: Float64Array,
    { batch, length, tokens }: NetworkInput,
    p: number,
    step: Step,
    d: Float64Array,
    gradient: Float64Array,
  ): Float64Array {
    const { before, update, reset, candidate, recurrent } = step;
    const dBefore = new Float64Array(batch * width);
    const dGate = GATES.map(() => new Float64Array(batch * width)) as [
      Float64Array,
      Float64Array,
      Float64Array,
    ];
    const dRecurrent = new Float64Array(batch * width);
    for (let i = 0; i < d.length; i++) {
      if (tokens[Math.floor(i / width) * length + p]! < 0) continue;
      const z = update[i]!;
      const r = reset[i]!;
      const n = candidate[i]!;
      const dn = d[i]! * (1 - z) * (1 - n * n);
      dBefore[i] = d[i]! * z;
      dGate[0][i] = d[i]! * (before[i]! - n) * z * (1 - z);
      dGate[1][i] = dn * recurrent[i]! * r * (1 - r);
      dGate[2][i] = dn;
      dRecurrent[i] = dn * r;
    }
    GATES.forEach((gate, g) => {
      const dInput = dGate[g]!;
      const embedding = at(`embedding-${gate}`);
      for (let b = 0; b < batch; b++) {
        const token = tokens[b * length + p]!;
        if (token < 0) continue;
        const row = embedding + token * width;
        for (let c = 0; c < width; c++) gradient[row + c]! += dInput[b * width + c]!;
      }
      addColumnSums(matrix(dInput, batch, width), gradient, at(`bias-${gate}`));
      const dState = matrix(gate === "candidate" ? dRecurrent : dInput, batch, width);
      const block = at(`state-${gate}`);
      addTransposedProduct(matrix(before, batch, width), dState, matrix(gradient, width, width, block));
      addProductTransposed(dState, matrix(w, width, width, block), matrix(dBefore, batch, width));
    });
    return dBefore;
  }
}
