import { exp } from "../../base/elementary/exp";
import { hypot } from "../../base/elementary/hypot";
import type { Batch } from "../../batch/batch";
import type { EvaluationGradient, Policy } from "../../policy/policy";
import { cellName, fail, furthest, rngOf, type Check } from "./trial";

/** Log-probs of two computations may differ by so much where they are done in 32-bit floats. */
const CLOSE = 1e-4;

/** Log-probs of the whole vocabulary in every cell, from a policy that tells them. */
export const wholeOf = (
  policy: Policy,
  batch: Batch,
  rows?: ArrayLike<number>,
  turns?: ArrayLike<number>,
): Float64Array | undefined =>
  policy.evaluate(batch, rows, turns, undefined, { distributions: true }).logProb_ntlv;

/** Whole distributions are those of `nextTokenLogProb`; cells that are masked, or not asked for, hold 0 and count for nothing. */
export const wholeDistributions: Check = ({ policy, env, batch }) => {
  const told = wholeOf(policy, batch);
  if (told === undefined) return undefined;
  const [N, T, L] = batch.shape;
  const V = env.spec.vocabulary.length;
  if (told.length !== N * T * L * V) {
    const wanted = `one number for each of ${V} tokens in each of ${N} x ${T} x ${L} cells`;
    fail(policy, `evaluate gives ${told.length} numbers as logProb_ntlv`, wanted);
  }
  let worst = 0;
  for (let cell = 0; cell < N * T * L; cell++) {
    const own = told.subarray(cell * V, (cell + 1) * V);
    const turn = cell - (cell % L);
    const context = batch.context_nt[Math.floor(turn / (L * T))]![(turn / L) % T];
    const prefix = Array.from(batch.token_ntl.subarray(turn, cell));
    const wanted = batch.mask_ntl[cell] ? policy.nextTokenLogProb(context, prefix) : new Float64Array(V);
    const { by, at } = furthest(own, wanted);
    worst = Math.max(worst, by);
    if (by < CLOSE) continue;
    const where = `token ${at} of the vocabulary, at ${cellName(batch, cell)}`;
    const other = batch.mask_ntl[cell] ? "nextTokenLogProb has" : "masked cells hold";
    fail(
      policy,
      `evaluate gives the log-prob ${own[at]} where ${other} ${wanted[at]}, for ${where}`,
      "logProb_ntlv is log-softmax",
    );
  }
  subset(policy, batch, told, V);
  return `${V} tokens in each cell, to ${worst === 0 ? "0" : worst.toExponential(0)}`;
};

/** Some rows and turns: the others are 0, and their derivatives, such as NaN, count for nothing. */
function subset(policy: Policy, batch: Batch, told: Float64Array, V: number): void {
  const [N, T, L] = batch.shape;
  const whole = told.slice();
  const rows = Array.from({ length: N }, (_, n) => n).filter((n) => n % 3 !== 1);
  const turns = [0];
  const keeps = (i: number): boolean => {
    const cell = Math.floor(i / V);
    return (
      batch.mask_ntl[cell] === 1 && Math.floor(cell / (T * L)) % 3 !== 1 && Math.floor(cell / L) % T === 0
    );
  };
  const some = wholeOf(policy, batch, rows, turns)!;
  const { by } = furthest(
    some,
    whole.map((x, i) => (keeps(i) ? x : 0)),
  );
  if (by > CLOSE) {
    fail(
      policy,
      `evaluate(batch, rows, turns) gives log-probs that differ by ${by} from the whole batch's`,
      "look at the given rows and turns only, and leave the other cells 0",
    );
  }
  const rng = rngOf("whole distributions");
  const dLogit_ntlv = whole.map(() => rng.normal());
  const zeros = new Float64Array(batch.mask_ntl.length);
  const back = (keep: (x: number, i: number) => number, ...part: [number[], number[]] | []): Float64Array =>
    Float64Array.from(
      policy.backward(batch, { dLogProb_ntl: zeros, dLogit_ntlv: dLogit_ntlv.map(keep) }, ...part),
    );
  const wanted = back((x, i) => (keeps(i) ? x : 0));
  const wild = back((x, i) => (keeps(i) ? x : NaN), rows, turns);
  const off = furthest(wanted, wild).by;
  if (off <= 1e-5 * (1 + hypot(...wanted))) return;
  fail(
    policy,
    `backward changes by ${off} with dLogit_ntlv in masked cells or outside of the rows and turns`,
    "skip these cells",
  );
}

/** A weighted sum of all log-probs of the vocabulary, and its derivative in the logits: w_v - p_v sum w. */
export function distributionLoss(
  policy: Policy,
  batch: Batch,
): { gradient: EvaluationGradient; loss: () => number } {
  const rng = rngOf("distribution");
  const told = wholeOf(policy, batch)!;
  const V = told.length / batch.mask_ntl.length;
  const weight = told.map((_, i) => (batch.mask_ntl[Math.floor(i / V)] ? rng.normal() : 0));
  const dLogit_ntlv = weight.slice();
  batch.mask_ntl.forEach((mask, cell) => {
    if (!mask) return;
    const from = cell * V;
    const sum = weight.subarray(from, from + V).reduce((a, b) => a + b, 0);
    for (let i = from; i < from + V; i++) dLogit_ntlv[i]! -= exp(told[i]!) * sum;
  });
  const dLogProb_ntl = new Float64Array(batch.mask_ntl.length);
  const loss = (): number => wholeOf(policy, batch)!.reduce((sum, x, i) => sum + weight[i]! * x, 0);
  return { gradient: { dLogProb_ntl, dLogit_ntlv }, loss };
}
