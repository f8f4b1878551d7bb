import "@tensorflow/tfjs-backend-cpu";
import * as tf from "@tensorflow/tfjs-core";
import "../../../vendor/tfjs-gradients";

// The cpu backend prints a greeting to stderr at first use, and a notebook cell with output on stderr looks like a failed one.
tf.env().set("PROD", true);

/** TensorFlow.js with gradients and chained methods registered; importing this file loads it. All but this folder import `tf.ts`. */
export { tf };
