import { tf } from "../../tensor/backend";
import { ratioOf, type RatioLevel } from "./index";
import { poolingRule, type Pooling } from "./pooling";
import { UnitRatios } from "./unitRatios";

/**
 * The probability ratio pi / pi_old of the chosen level, broadcast back to every token; 1 where masked.
 *
 * With d = log pi - log pi_old of a token, and the sums running over the unit's active tokens:
 * ```
 * token:                         exp(d)
 * turn, trajectory  product:     exp(sum d)
 *                   geometric:   exp(mean d)
 *                   arithmetic:  mean exp(d)
 * ```
 * Shapes [N, T, L] in and out; log-probs in nats; pooling does nothing at token level. The product is the density ratio
 * of the unit; the geometric mean is not a density ratio. Exponents are limited to +-20.
 * Masked positions may hold NaN. Differentiable once, in both log-probs.
 *
 * @throws {TypeError} if the shapes differ
 * @example
 * import { importanceRatio, tf } from "turnwise";
 * const logProb_ntl = tf.tensor3d([[[-1, -2]]]); // one trajectory of one turn of two tokens
 * const oldLogProb_ntl = tf.tensor3d([[[-1.5, -2.5]]]);
 * const ratio = importanceRatio(logProb_ntl, oldLogProb_ntl, tf.onesLike(logProb_ntl), { level: "turn", pooling: "product" });
 * ratio.dataSync(); // => [2.718, 2.718]
 * @see PPO, arXiv 1707.06347 (token); GSPO, arXiv 2507.18071 (trajectory, geometric); SORL, arXiv 2511.20718 (turn,
 *   geometric); SeeUPO, arXiv 2602.06554, Eq. 8 (turn, product)
 */
export function importanceRatio(
  logProb_ntl: tf.Tensor3D,
  oldLogProb_ntl: tf.Tensor3D,
  mask_ntl: tf.Tensor3D,
  o: { readonly level: RatioLevel; readonly pooling: Pooling },
): tf.Tensor3D {
  const shape = logProb_ntl.shape;
  for (const [name, tensor] of Object.entries({ oldLogProb_ntl, mask_ntl })) {
    if (tensor.shape.join() !== shape.join()) {
      throw new TypeError(
        `Cannot compute importance ratios: ${name} must have shape [${shape.join(", ")}], ` +
          `got [${tensor.shape.join(", ")}].`,
      );
    }
  }
  const units = unitsOf(logProb_ntl, oldLogProb_ntl, mask_ntl, o);
  const operation = tf.customGrad(() => ({
    value: tf.tensor3d(Float32Array.from(units.ratio_ntl), shape),
    gradFunc: (dy: tf.Tensor) => {
      const slope = tf.tensor3d(Float32Array.from(units.slope(dy.dataSync())), shape);
      return [slope, tf.neg(slope)];
    },
  }));
  return operation(logProb_ntl, oldLogProb_ntl) as tf.Tensor3D;
}

/** The ratios as numbers, and what a derivative in them is in the log-probs. */
function unitsOf(
  logProb_ntl: tf.Tensor3D,
  oldLogProb_ntl: tf.Tensor3D,
  mask_ntl: tf.Tensor3D,
  o: { readonly level: RatioLevel; readonly pooling: Pooling },
): { readonly ratio_ntl: Float64Array; slope(dy_ntl: ArrayLike<number>): Float64Array } {
  const active_ntl = mask_ntl.dataSync();
  const unitSize = ratioOf(o).unitSize(logProb_ntl.shape);
  const logProbs = { logProb_ntl: logProb_ntl.dataSync(), oldLogProb_ntl: oldLogProb_ntl.dataSync() };
  const units = new UnitRatios(logProbs, active_ntl, unitSize, poolingRule(o.pooling));
  const size = active_ntl.length;
  const ratio_ntl = new Float64Array(size).fill(1);
  const [pooled_ntl, dRatio_ntl] = [new Float64Array(size), new Float64Array(size)];
  for (let u = 0; u < units.count; u++) units.measure(u, ratio_ntl, pooled_ntl, dRatio_ntl);
  const slope = (dy_ntl: ArrayLike<number>): Float64Array => {
    const slope_ntl = new Float64Array(size);
    for (let start = 0; start < size; start += unitSize) {
      let sum = 0;
      for (let i = start; i < start + unitSize; i++) if (active_ntl[i] === 1) sum += dy_ntl[i]!;
      for (let i = start; i < start + unitSize; i++) slope_ntl[i] = sum * dRatio_ntl[i]!;
    }
    return slope_ntl;
  };
  return { ratio_ntl, slope };
}
