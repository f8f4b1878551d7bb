import { hypot } from "../../base/elementary/hypot";
import type { Batch } from "../../batch/batch";
import { selectTrajectories } from "../../batch/select";
import { fullGradient } from "./gradient";
import { cellName, fail, flat, furthest, partsOf, type Check } from "./trial";

const SAME = 1e-6;

/** Cells outside of the given rows and turns are 0, the others as they are without rows and turns. */
export const subsets: Check = ({ policy, batch }) => {
  const [N, T, L] = batch.shape;
  const rows = Array.from({ length: N }, (_, n) => n).filter((n) => n % 3 !== 1);
  const turns = [T - 1 - (T > 1 ? 1 : 0)];
  const chosen = (n: number, t: number): boolean => rows.includes(n) && turns.includes(t);
  const whole = policy.evaluate(batch);
  const all = partsOf(whole, L).map(([name, values, width]) => [name, values.slice(), width] as const);
  const some = partsOf(policy.evaluate(batch, rows, turns), L);
  all.forEach(([name, values, width], k) => {
    some[k]![1].forEach((x, i) => {
      const nt = Math.floor(i / width);
      const [n, t] = [Math.floor(nt / T), nt % T];
      const wanted = chosen(n, t) ? values[i]! : 0;
      if (Math.abs(x - wanted) < SAME) return;
      const where = chosen(n, t) ? "which differs from the whole batch's" : "outside of the rows and turns";
      const hint = "look at the given rows and turns only, and leave the other cells 0";
      fail(
        policy,
        `evaluate(batch, rows, turns) gives the ${name} ${x} at trajectory ${n}, turn ${t}, ${where}`,
        hint,
      );
    });
  });
  const hasValue = whole.value_nt !== undefined;
  const full = fullGradient(batch, hasValue, () => true);
  const wanted = Float64Array.from(policy.backward(batch, fullGradient(batch, hasValue, chosen)));
  const { by } = furthest(wanted, policy.backward(batch, full, rows, turns));
  if (by > 1e-5 * (1 + hypot(...wanted))) {
    const problem = `backward(batch, gradient, rows, turns) differs by ${by} from that of the same cells alone`;
    fail(policy, problem, "leave out what lies outside of the rows and turns");
  }
  return `${rows.length} of ${N} rows, turn ${turns[0]! + 1} of ${T}`;
};

/** The order of the trajectories changes nothing. */
export const order: Check = ({ policy, batch }) => {
  const [N, T, L] = batch.shape;
  const reversed = Array.from({ length: N }, (_, n) => N - 1 - n);
  const plain = policy.evaluate(batch).logProb_ntl.slice();
  const turned = policy.evaluate(selectTrajectories(batch, reversed)).logProb_ntl;
  reversed.forEach((from, n) => {
    const a = plain.subarray(from * T * L, (from + 1) * T * L);
    const { by, at } = furthest(a, turned.subarray(n * T * L, (n + 1) * T * L));
    if (by < SAME) return;
    fail(
      policy,
      `evaluate gives ${a[at]} and then ${turned[n * T * L + at]} for one token when the trajectories are reversed`,
      "a cell depends on its own context and prefix alone",
    );
  });
  return `${N} trajectories, reversed`;
};

/** Cells with mask 0 may hold anything, and count for nothing. */
export const masked: Check = ({ policy, env, batch: sampled }) => {
  const batch = withMasked(sampled);
  const before = policy.evaluate(batch);
  for (const [name, values, width] of partsOf(before, batch.shape[2])) {
    if (width === 1) continue;
    const full = values.findIndex((x, cell) => !batch.mask_ntl[cell] && x !== 0);
    if (full < 0) continue;
    const problem = `evaluate gives the ${name} ${values[full]} in a masked cell, ${cellName(batch, full)}`;
    fail(policy, problem, "masked cells hold 0");
  }
  const numbers = flat(before);
  const littered = litter(batch, env.spec.vocabulary.length - 1);
  const { by } = furthest(numbers, flat(policy.evaluate(littered)));
  if (by > SAME) {
    const problem = `evaluate changes by ${by} with the tokens of masked cells`;
    fail(policy, problem, "stop at the first cell with mask 0");
  }
  const gradient = fullGradient(batch, before.value_nt !== undefined, () => true);
  const wanted = Float64Array.from(policy.backward(batch, gradient));
  const wild = {
    dLogProb_ntl: gradient.dLogProb_ntl.map((x, i) => (batch.mask_ntl[i] ? x : NaN)),
    dEntropy_ntl: gradient.dEntropy_ntl.map((x, i) => (batch.mask_ntl[i] ? x : NaN)),
    dValue_nt: gradient.dValue_nt,
  };
  if (furthest(wanted, policy.backward(littered, wild)).by > 1e-5 * (1 + hypot(...wanted))) {
    fail(policy, "backward changes with what masked cells hold, such as NaN", "skip cells with mask 0");
  }
  return `${batch.mask_ntl.reduce((sum, mask) => sum + 1 - mask, 0)} cells with NaN and other tokens`;
};

/** The batch with a turn more, which nobody took, and without the last token of every third turn. */
function withMasked(batch: Batch): Batch {
  const [N, T, L] = batch.shape;
  const widened = <A extends Int32Array | Uint8Array | Float64Array>(values: A, width: number): A => {
    const result = new (values.constructor as new (length: number) => A)(N * (T + 1) * width);
    for (let n = 0; n < N; n++) {
      result.set(values.subarray(n * T * width, (n + 1) * T * width), n * (T + 1) * width);
    }
    return result;
  };
  const mask_ntl = widened(batch.mask_ntl, L);
  for (let nt = 0; L > 1 && nt < N * (T + 1); nt += 3) {
    const last = mask_ntl.lastIndexOf(1, (nt + 1) * L - 1);
    if (last > nt * L) mask_ntl[last] = 0;
  }
  return {
    ...batch,
    shape: [N, T + 1, L],
    mask_ntl,
    token_ntl: widened(batch.token_ntl, L),
    oldLogProb_ntl: widened(batch.oldLogProb_ntl, L),
    reward_nt: widened(batch.reward_nt, 1),
  };
}

/** The batch with another token in every masked cell. */
function litter(batch: Batch, token: number): Batch {
  return { ...batch, token_ntl: batch.token_ntl.map((x, i) => (batch.mask_ntl[i] ? x : token)) };
}
