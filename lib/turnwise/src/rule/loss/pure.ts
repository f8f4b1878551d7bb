import { tf } from "../../tensor/backend";
import type { Custom } from "../custom/custom";
import type { LossFunction } from "./contract";
import { differentiate, type Derivatives, type Fill, type LossArrays } from "./differentiate";
import { refusal } from "./refusal";

/** Which promises of a function have been tried: once is enough, as it does not change. */
const repeats = new WeakSet<Custom>();
const ignoresMasked = new WeakSet<Custom>();

/**
 * Tries once for each function whether it gives the same twice, keeps no tensors, and does not look at masked positions.
 *
 * @throws {RangeError} if not
 */
export function expectPure(own: Custom<LossFunction>, arrays: LossArrays, found: Derivatives): void {
  if (!repeats.has(own)) {
    // Inside somebody else's gradient, TensorFlow.js keeps all tensors until that is done.
    const before = tf.memory().numTensors;
    const again = differentiate(own, arrays);
    const kept = tf.engine().state.gradientDepth > 0 ? 0 : tf.memory().numTensors - before;
    if (again.loss !== found.loss) {
      throw refusal(own.label, `it must give the same twice, got ${found.loss}, then ${again.loss}.`);
    }
    if (kept > 0) {
      throw refusal(
        own.label,
        `it must keep no tensors: each call leaves ${kept} more, by tf.keep or tf.variable`,
      );
    }
    repeats.add(own);
  }
  if (!ignoresMasked.has(own) && anyMasked(arrays)) {
    const other = differentiate(own, arrays, somethingElse);
    const moved = Math.abs(other.loss - found.loss) > tolerance(found.loss);
    if (moved || Number.isNaN(other.loss)) {
      throw refusal(
        own.label,
        `it must not depend on masked positions: they held 0 for a loss of ${found.loss}, and other numbers for ${other.loss}` +
          "; take means and sums under x.mask_ntl, as x.tokenMean does",
      );
    }
    expectSame(own.label, arrays, found, other);
    ignoresMasked.add(own);
  }
}

/** Plausible numbers, no two neighbors alike. */
const somethingElse: Fill = (name, i) => {
  const number = 0.3 + ((7 * i + 3 * name.length) % 11) / 5;
  return name.endsWith("ogProb_ntl") ? -number : number;
};

const tolerance = (of: number): number => 1e-9 * (1 + Math.abs(of));

const anyMasked = ({ active_ntl }: LossArrays): boolean =>
  Array.prototype.some.call(active_ntl, (x) => x !== 1);

/** A loss at its optimum, or cut by a gate, may stand still while its derivative moves. */
function expectSame(label: string, { active_ntl }: LossArrays, a: Derivatives, b: Derivatives): void {
  if (a.dLogProb_ntl === null || b.dLogProb_ntl === null) return;
  for (let i = 0; i < active_ntl.length; i++) {
    const [x, y] = [a.dLogProb_ntl[i]!, b.dLogProb_ntl[i]!];
    if (active_ntl[i] === 1 && Math.abs(x - y) > tolerance(x)) {
      throw refusal(
        label,
        `it must not depend on masked positions: with other numbers in them, a derivative went from ${x} to ${y}`,
      );
    }
  }
}
