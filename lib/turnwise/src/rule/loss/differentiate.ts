import { tf } from "../../tensor/backend";
import { detached, doublesOf, doubleTensor, inFloat64 } from "../../tensor/float64/backend";
import { derivatives, tidied } from "../../tensor/float64/derivatives";
import type { AggregateChoice } from "../aggregate";
import { tokenWeights } from "../aggregate/tokenWeights";
import type { Custom } from "../custom/custom";
import type { LossFunction } from "./contract";
import { refusal } from "./refusal";
import { scalarOf } from "./scalar";
import { LossTensors } from "./tensors";

/** Input of a loss as arrays, whose masked positions may hold anything. */
export interface LossArrays {
  readonly shape: readonly [n: number, t: number, l: number];
  readonly logProb_ntl: ArrayLike<number>;
  readonly oldLogProb_ntl: ArrayLike<number>;
  /** With the carry of the order. */
  readonly advantage_ntl: ArrayLike<number>;
  /** 1 where the policy sampled. */
  readonly mask_ntl: ArrayLike<number>;
  /** The mask of the turns that this step updates. */
  readonly active_ntl: ArrayLike<number>;
  readonly entropy_ntl?: ArrayLike<number> | undefined;
  readonly refLogProb_ntl?: ArrayLike<number> | undefined;
  readonly value_nt?: ArrayLike<number> | undefined;
  readonly oldValue_nt?: ArrayLike<number> | undefined;
  readonly valueTarget_nt?: ArrayLike<number> | undefined;
  /** For error messages. */
  readonly trajectoryId?: readonly string[] | undefined;
}

type BlockName = "logProb_ntl" | "oldLogProb_ntl" | "advantage_ntl" | "entropy_ntl" | "refLogProb_ntl";
type RowName = "value_nt" | "oldValue_nt" | "valueTarget_nt";

/** Content of a masked position of an array. */
export type Fill = (name: BlockName | RowName, i: number) => number;

/** A loss and its derivatives; those in masked positions are still there. */
export interface Derivatives {
  readonly loss: number;
  /** Null where the loss does not depend on it. */
  readonly dLogProb_ntl: Float64Array | null;
  readonly dEntropy_ntl: Float64Array | null;
  readonly dValue_nt: Float64Array | null;
}

/** 1 where a turn has an active token, [N, T]. */
export function turnMask([N, T, L]: LossArrays["shape"], active_ntl: ArrayLike<number>): Uint8Array {
  const turnMask_nt = new Uint8Array(N * T);
  for (let i = 0; i < active_ntl.length; i++) if (active_ntl[i] === 1) turnMask_nt[Math.floor(i / L)] = 1;
  return turnMask_nt;
}

/**
 * The loss and its derivative in log-probs, entropies and values, by TensorFlow.js in double precision.
 *
 * @param fill what masked positions hold, by array and place: 0, unless someone wants to know whether it matters
 * @throws {TypeError} if the function throws, or returns anything else than one number on a tensor
 */
export function differentiate(
  own: Custom<LossFunction>,
  arrays: LossArrays,
  fill: Fill = () => 0,
): Derivatives {
  const { shape, mask_ntl, active_ntl } = arrays;
  const [N, T] = shape;
  const turnMask_nt = turnMask(shape, active_ntl);
  const block = (name: BlockName): tf.Tensor3D =>
    only(arrays[name]!, active_ntl, shape, (i) => fill(name, i));
  const row = (name: RowName): tf.Tensor2D => only(arrays[name]!, turnMask_nt, [N, T], (i) => fill(name, i));
  return inFloat64(() =>
    tidied(() => {
      const parts = {
        logProb_ntl: block("logProb_ntl"),
        oldLogProb_ntl: block("oldLogProb_ntl"),
        advantage_ntl: block("advantage_ntl"),
        mask_ntl: doubleTensor<tf.Tensor3D>(active_ntl, shape),
        turnMask_nt: doubleTensor<tf.Tensor2D>(turnMask_nt, [N, T]),
        entropy_ntl: arrays.entropy_ntl && block("entropy_ntl"),
        refLogProb_ntl: arrays.refLogProb_ntl && block("refLogProb_ntl"),
        value_nt: arrays.value_nt && row("value_nt"),
        oldValue_nt: arrays.oldValue_nt && row("oldValue_nt"),
        valueTarget_nt: arrays.valueTarget_nt && row("valueTarget_nt"),
      };
      const weights = (aggregate: AggregateChoice): tf.Tensor3D =>
        doubleTensor<tf.Tensor3D>(tokenWeights(shape, mask_ntl, aggregate), shape);
      const x = new LossTensors(own, parts, weights, detached);
      const { logProb_ntl, entropy_ntl, value_nt } = parts;
      const f = (): tf.Scalar => scalarOf(own.label, () => own.apply(tf, x));
      const { value, gradients } = derivatives(f, [logProb_ntl, entropy_ntl, value_nt]);
      for (const [name, tensor] of Object.entries(parts)) {
        if (tensor?.isDisposed === true) {
          throw refusal(own.label, `it must leave its input alone, but it disposed ${name}.`, TypeError);
        }
      }
      const [dLogProb_ntl, dEntropy_ntl, dValue_nt] = gradients.map((one) => one && doublesOf(one));
      return {
        loss: doublesOf(value)[0]!,
        dLogProb_ntl: dLogProb_ntl ?? null,
        dEntropy_ntl: dEntropy_ntl ?? null,
        dValue_nt: dValue_nt ?? null,
      };
    }),
  );
}

function only<T extends tf.Tensor>(
  values: ArrayLike<number>,
  mask: ArrayLike<number>,
  shape: readonly number[],
  fill: (i: number) => number,
): T {
  const clean = new Float64Array(mask.length);
  for (let i = 0; i < clean.length; i++) clean[i] = mask[i] === 1 ? values[i]! : fill(i);
  return doubleTensor<T>(clean, shape);
}
