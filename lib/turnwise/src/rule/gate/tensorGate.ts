import { tf } from "../../tensor/backend";
import { detached, doublesOf, doubleTensor, inFloat64 } from "../../tensor/float64/backend";
import { derivatives, tidied } from "../../tensor/float64/derivatives";
import type { Custom } from "../custom/custom";
import type { Tf } from "../loss/contract";
import { refusal, thrownBy } from "../loss/refusal";
import { expectTensor } from "../loss/scalar";
import { NO, type GateBlock } from "./contract";

/** Input of a gate on tensors: one number for each token, in any layout. */
export interface TensorGateInput {
  /** New over old probability of the token's unit; 1 where the rule forms no ratio. */
  readonly ratio: tf.Tensor;
  /** Log-prob under the present policy, pooled as the ratio is; nats. */
  readonly logProb: tf.Tensor;
  readonly advantage: tf.Tensor;
  /** The same numbers as a constant: no gradient goes through them. */
  readonly stopGradient: <X extends tf.Tensor>(x: X) => X;
}

/**
 * A gate as an expression on tensors: what a token's ratio, advantage and log-prob may still earn.
 *
 * TensorFlow.js differentiates it in the ratio and in log pi, each as far as no `stopGradient` stands before it, in double
 * precision. It works token by token: what looks at several tokens at once is a whole loss.
 *
 * @example
 * import { custom, recipe, train } from "turnwise";
 * // CISPO, arXiv 2506.13585: the clipped ratio weighs log pi, and no gradient goes through it
 * const cispo = recipe("grpo", {
 *   gate: custom("cispo", (tf, { ratio, advantage, logProb, stopGradient }) => {
 *     const weight = stopGradient(tf.clipByValue(ratio, 0, 1.2));
 *     return tf.mul(tf.mul(weight, advantage), logProb);
 *   }),
 *   aggregate: "tokenMean",
 * });
 * const run = train({ env: "LookUp-v0", recipe: cispo, updates: 1, seed: 1 });
 * (await run.next()).value?.update; // => 1
 */
export type TensorGate = (tf: Tf, x: TensorGateInput) => tf.Tensor;

const what = "apply gate";

interface Evaluated {
  readonly objective: Float64Array;
  readonly slope: Float64Array | undefined;
  readonly slopeLogProb: Float64Array | undefined;
}

/** Values of the tokens that take part; those of a gate that nobody reads would only be in its way. */
interface Tokens {
  readonly ratio: Float64Array;
  readonly advantage: Float64Array;
  readonly logProb: Float64Array;
}

const tried = new WeakSet<Custom<TensorGate>>();

/**
 * Writes objective and slopes of a gate on tensors.
 *
 * @throws {TypeError} if the function throws, returns no tensor with one number for each token, or depends on no log-prob
 * @throws {RangeError} if a number is not finite, or depends on another token
 */
export function tensorGate(by: Custom<TensorGate>, x: GateBlock): void {
  const cells = Array.from({ length: x.size }, (_, i) => i).filter((i) => (x.active?.[i] ?? 1) === 1);
  if (cells.length === 0) return;
  const pick = (from: ArrayLike<number>): Float64Array => Float64Array.from(cells, (i) => from[i]!);
  const tokens = { ratio: pick(x.ratio), advantage: pick(x.advantage), logProb: pick(x.logProb) };
  const found = evaluate(by, tokens);
  const { objective, slope, slopeLogProb } = found;
  if (slope === undefined && slopeLogProb === undefined) {
    throw refusal(
      by.label,
      "it must depend on ratio or logProb outside of stopGradient, or no policy can learn from it, but it depends on neither.",
      TypeError,
      what,
    );
  }
  expectFinite(by.label, tokens, found);
  if (!tried.has(by) && cells.length > 1) {
    expectTokenByToken(by, tokens, objective);
    tried.add(by);
  }
  for (const [k, i] of cells.entries()) {
    x.objective[i] = objective[k]!;
    x.slope[i] = slope?.[k] ?? 0;
    if (x.slopeLogProb !== undefined) x.slopeLogProb[i] = slopeLogProb?.[k] ?? 0;
    x.clipped[i] = NO;
  }
}

function evaluate(by: Custom<TensorGate>, tokens: Tokens): Evaluated {
  const shape = [tokens.ratio.length];
  return inFloat64(() =>
    tidied(() => {
      const ratio = doubleTensor<tf.Tensor>(tokens.ratio, shape);
      const logProb = doubleTensor<tf.Tensor>(tokens.logProb, shape);
      const advantage = doubleTensor<tf.Tensor>(tokens.advantage, shape);
      const f = (): tf.Tensor => {
        const y = objectiveOf(by, () => by.apply(tf, { ratio, logProb, advantage, stopGradient: detached }));
        if (y.shape.join() === shape.join()) return y;
        const is = `[${y.shape.join(", ")}]`;
        throw refusal(
          by.label,
          `it must return one number for each token, [${shape.join()}], got ${is}`,
          TypeError,
          what,
        );
      };
      const ones = tf.ones(shape);
      const { value, gradients } = derivatives(f, [ratio, logProb], ones);
      const [slope, slopeLogProb] = gradients.map((one) => one && doublesOf(one));
      return { objective: doublesOf(value), slope, slopeLogProb };
    }),
  );
}

/** Calls a gate on tensors, and takes nothing but a tensor. */
function objectiveOf({ label }: Custom<TensorGate>, call: () => unknown): tf.Tensor {
  try {
    return expectTensor(label, call(), what);
  } catch (error) {
    throw thrownBy(label, error, what);
  }
}

function expectFinite(label: string, { ratio, advantage, logProb }: Tokens, found: Evaluated): void {
  const names = {
    objective: "objective",
    slope: "derivative in the ratio",
    slopeLogProb: "derivative in log pi",
  };
  for (const [key, name] of Object.entries(names)) {
    const values = found[key as keyof Evaluated];
    const k = values?.findIndex((value) => !Number.isFinite(value)) ?? -1;
    // A policy that has already lost its numbers is no fault of the gate.
    if (k < 0 || !Number.isFinite(ratio[k]! + advantage[k]! + logProb[k]!)) continue;
    const at = `ratio ${ratio[k]}, advantage ${advantage[k]}, log-prob ${logProb[k]}`;
    throw refusal(label, `its ${name} must be finite, but it is ${values![k]} at ${at}`, RangeError, what);
  }
}

/** Half of the tokens by themselves must get what they got among all. */
function expectTokenByToken(by: Custom<TensorGate>, tokens: Tokens, objective: Float64Array): void {
  const half = Math.ceil(objective.length / 2);
  const { ratio, advantage, logProb } = tokens;
  const fewer = evaluate(by, {
    ratio: ratio.slice(0, half),
    advantage: advantage.slice(0, half),
    logProb: logProb.slice(0, half),
  });
  for (const [k, value] of fewer.objective.entries()) {
    if (Math.abs(value - objective[k]!) <= 1e-9 * (1 + Math.abs(value))) continue;
    throw refusal(
      by.label,
      `its objective of a token must depend on that token alone, but it is ${objective[k]} among ${objective.length} tokens ` +
        `and ${value} among ${half}. To use several tokens, write a custom loss.`,
      RangeError,
      what,
    );
  }
}
