import { surrogateLoss, tf, createOptimizer } from "turnwise";
import { MlpOp } from "turnwise/tensor";
import type { Work } from "./work.js";

/** The update of an MLP as its readable TensorFlow.js expression, loss included, on the backend of now. */
export function plainWork(own: Work): Pick<Work, "step"> {
  const { batch, row, advantage_ntl, tokenCount, window } = own.update;
  const op = new MlpOp({ tokenCount, vocabularySize: own.vocabularySize, window, width: own.width });
  const optimizer = createOptimizer(row.update.optimizer);
  const parameters = Float64Array.from(own.weights);
  const [N] = batch.shape;
  const contexts = batch.context_nt.map(([context]) => context as readonly number[]);
  const chosen = Array.from(batch.token_ntl);
  const column = (values: ArrayLike<number>): tf.Tensor3D =>
    tf.tensor3d(Float32Array.from(values), [N, 1, 1]);
  const fixed = {
    oldLogProb_ntl: column(batch.oldLogProb_ntl),
    mask_ntl: column(batch.mask_ntl),
    advantage_ntl: column(advantage_ntl),
  };
  return {
    step() {
      const weights = tf.tensor1d(Float32Array.from(parameters));
      const { value, grad } = tf.valueAndGrad((x: tf.Tensor) => {
        const logProb_ntl = tf.reshape(op.plain(x as tf.Tensor1D, contexts, chosen), [N, 1, 1]);
        return surrogateLoss({ ...fixed, logProb_ntl: logProb_ntl as tf.Tensor3D }, row).loss;
      })(weights);
      const loss = value.dataSync()[0]!;
      const gradient = Float64Array.from(grad.dataSync());
      tf.dispose([weights, value, grad]);
      optimizer.step(parameters, gradient);
      return loss;
    },
  };
}
