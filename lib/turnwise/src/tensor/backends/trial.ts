import { median } from "../../base/statistics";
import type { BackendName } from "./attempt";
import { tf } from "./tf";

const trialMs = 500;
const fewestRounds = 3;
const rows = 256;
const width = 64;

/** Names of backends in TensorFlow.js. */
export const tfjsNames: Readonly<Record<BackendName, string>> = {
  "node-gpu": "tensorflow",
  webgpu: "webgpu",
  node: "tensorflow",
  cpu: "cpu",
};

/** Median time of one gradient in ms, of each backend; they take turns for half a second, after one round to warm up. */
export async function trial(names: readonly BackendName[]): Promise<ReadonlyMap<BackendName, number>> {
  const times = new Map(names.map((name) => [name, [] as number[]]));
  for (const name of names) await timeOnce(name);
  const end = performance.now() + trialMs;
  for (let round = 0; round < fewestRounds || performance.now() < end; round++) {
    for (const name of names) times.get(name)!.push(await timeOnce(name));
  }
  return new Map(names.map((name) => [name, median(times.get(name)!)]));
}

/** The gradient of a network of two layers, until its numbers are here. */
async function timeOnce(name: BackendName): Promise<number> {
  await tf.setBackend(tfjsNames[name]);
  const start = performance.now();
  const gradients = tf.tidy(() => {
    const x = tf.fill([rows, width], 0.5) as tf.Tensor2D;
    const weights = [tf.fill([width, width], 0.01), tf.fill([width, width], 0.02)];
    return tf.grads((first: tf.Tensor, second: tf.Tensor) =>
      tf.mean(tf.square(tf.matMul(tf.tanh(tf.matMul(x, first)), second))),
    )(weights);
  });
  await Promise.all(gradients.map((gradient) => gradient.data()));
  const took = performance.now() - start;
  tf.dispose(gradients);
  return took;
}

/** Description of that trial in the report. */
export const trialWork = `a gradient of two layers with ${rows} rows`;
