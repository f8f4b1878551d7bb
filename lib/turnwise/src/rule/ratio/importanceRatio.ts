import { tf } from "../../tensor/backend";
import { ratioOf, type RatioLevel } from "./index";
import { poolingRule, type Pooling } from "./pooling";
import { logRatioLimit } from "./units";

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
 * Masked cells may hold NaN: they are replaced before the arithmetic and again after it.
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
        `Cannot compute importance ratios as ${name} must have shape [${shape.join(", ")}]: ` +
          `current shape is [${tensor.shape.join(", ")}]`,
      );
    }
  }
  return pooledRatio(logProb_ntl, oldLogProb_ntl, mask_ntl, o);
}

/** `importanceRatio` of tensors that fit, with what a gate makes of each token's log-ratio before a unit pools them. */
export function pooledRatio(
  logProb_ntl: tf.Tensor3D,
  oldLogProb_ntl: tf.Tensor3D,
  mask_ntl: tf.Tensor3D,
  o: { readonly level: RatioLevel; readonly pooling: Pooling },
  before: (logRatio: tf.Tensor) => tf.Tensor = (logRatio) => logRatio,
): tf.Tensor3D {
  return tf.tidy(() => {
    const active = tf.equal(mask_ntl, 1);
    const zero = tf.zerosLike(logProb_ntl);
    const difference = before(
      tf.sub(tf.where(active, logProb_ntl, zero), tf.where(active, oldLogProb_ntl, zero)),
    );
    const ratio = pooled(difference, active, o);
    return tf.where(active, ratio, tf.onesLike(logProb_ntl)) as tf.Tensor3D;
  });
}

function pooled(
  difference: tf.Tensor,
  active: tf.Tensor,
  o: { readonly level: RatioLevel; readonly pooling: Pooling },
): tf.Tensor {
  const limited = (x: tf.Tensor): tf.Tensor => tf.exp(tf.clipByValue(x, -logRatioLimit, logRatioLimit));
  if (ratioOf(o).axes.length === 0) return limited(difference);
  const axes = [...ratioOf(o).axes];
  const { over, averaged } = poolingRule(o.pooling);
  const sum = (x: tf.Tensor): tf.Tensor => tf.sum(x, axes, true);
  const spread = (x: tf.Tensor): tf.Tensor => tf.mul(x, tf.onesLike(difference));
  const size = averaged ? tf.maximum(sum(tf.cast(active, "float32")), 1) : tf.scalar(1);
  if (over === "logs") return spread(limited(tf.div(sum(difference), size)));
  const tokens = limited(difference);
  return spread(tf.div(sum(tf.where(active, tokens, tf.zerosLike(tokens))), size));
}
