"use strict";
// danfojs-node asks for @tensorflow/tfjs-node, whose install script downloads 300 MB.
// It gets the project's own TensorFlow.js instead, so that a DataFrame's tensor is an instance of our tf.Tensor.

const tf = require("@tensorflow/tfjs-core");
if (!tf.findBackendFactory("cpu")) require("@tensorflow/tfjs-backend-cpu");

// The chained methods (t.add(u)) that danfojs-node calls; tfjs-core has none of its own in Node.
const CHAINED =
  "add sub mul div divNoNan pow mod sqrt square abs sum mean max min maximum minimum argMax argMin equal notEqual greater greaterEqual less lessEqual transpose reshape slice concat cast expandDims squeeze matMul logicalAnd logicalOr gather".split(
    " ",
  );
for (const name of CHAINED) {
  if (typeof tf.Tensor.prototype[name] === "function" || typeof tf[name] !== "function") continue;
  const value =
    name === "concat"
      ? function (other, axis) {
          return tf.concat([this].concat(other), axis);
        }
      : function (...args) {
          return tf[name](this, ...args);
        };
  Object.defineProperty(tf.Tensor.prototype, name, { configurable: true, writable: true, value });
}

/** A generator from a string or number seed: FNV-1a into mulberry32, enough for DataFrame.sample(). */
function generator(seed) {
  let hash = 2166136261;
  for (const c of String(seed)) hash = Math.imul(hash ^ c.charCodeAt(0), 16777619);
  let state = hash >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** danfojs-node's sample() is the only caller: tf.data.array(index).shuffle(n, seed).take(n).toArray(). */
class ArrayDataset {
  constructor(items) {
    this.items = items;
  }
  shuffle(_size, seed) {
    const next = generator(seed);
    const items = this.items.slice();
    for (let i = items.length - 1; i > 0; i--) {
      const j = Math.floor(next() * (i + 1));
      [items[i], items[j]] = [items[j], items[i]];
    }
    return new ArrayDataset(items);
  }
  take(n) {
    return new ArrayDataset(this.items.slice(0, n));
  }
  async toArray() {
    return this.items.slice();
  }
}

module.exports = Object.assign({}, tf, {
  turnwiseShim: true,
  data: { array: (items) => new ArrayDataset(Array.from(items)) },
});
