/** Registers the gradients and the chained methods of TensorFlow.js; it exports nothing but their types. */
import "@tensorflow/tfjs-core/dist/public/chained_ops/register_all_chained_ops";
