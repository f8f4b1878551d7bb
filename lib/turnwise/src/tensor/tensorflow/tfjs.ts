/// <reference types="@tensorflow/tfjs-core/dist/public/chained_ops/register_all_chained_ops" preserve="true" />
import "@tensorflow/tfjs-backend-cpu";
import * as tf from "@tensorflow/tfjs-core";
import registerGradients from "../../../vendor/tfjs-gradients";

registerGradients(tf);

// The cpu backend prints a greeting to stderr at first use, and a notebook cell with output on stderr looks like a failed one.
tf.env().set("PROD", true);

/** TensorFlow.js with gradients and chained methods registered; importing this file loads it. All but this folder import `tf.ts`. */
export { tf };
