import { hypot } from "../../base/elementary/hypot";
import type { Batch } from "../../batch/batch";
import { selectTrajectories } from "../../batch/select";
import type { Evaluation, EvaluationGradient, Policy } from "../../policy/policy";
import { distributionLoss, wholeOf } from "./wholeDistributions";
import { fail, rngOf, type Check, type Trial } from "./trial";

type Part = "log-prob" | "entropy" | "distribution" | "value";

/** Parameters that are tried one by one, at most; four directions in all of them come on top. */
const SINGLE = 24;
/** The trajectories that finite differences look at: two of each of three groups. */
const ROWS = [0, 1, 5, 6, 10, 11];
/** The larger ones suit 32-bit floats, the smaller ones strong curvature; a right gradient agrees with one of them. */
const STEPS = [1e-2, 1e-3, 1e-4, 1e-5];

/** `backward` against central differences of `evaluate`. */
export const gradientOf =
  (part: Part): Check =>
  ({ policy, batch: whole }) => {
    if (part === "value" && !policy.evaluate(whole).value_nt) return undefined;
    if (part === "distribution" && !wholeOf(policy, whole)) return undefined;
    const batch = selectTrajectories(whole, ROWS); // every direction costs some evaluations
    const { gradient, loss } = lossOf({ policy, batch }, part);
    const result = Float64Array.from(policy.backward(batch, gradient));
    if (result.length !== policy.parameters.length) {
      const wanted = `one for each of ${policy.parameters.length} parameters`;
      fail(policy, `backward gave ${result.length} numbers`, wanted);
    }
    const unusual = result.findIndex((x) => !Number.isFinite(x));
    if (unusual >= 0)
      fail(policy, `backward gave ${result[unusual]} for ${nameOf(policy, unusual)}`, "a gradient is finite");
    const scale = result.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
    const tried = directions(policy, result);
    let worst = 0;
    for (const { name, along } of tried) {
      const told = along.reduce((sum, [i, x]) => sum + x * result[i]!, 0);
      const { measured, error } = nearest(policy, along, loss, told);
      worst = Math.max(worst, error / Math.max(scale, 1e-3));
      if (error <= 0.01 * Math.max(Math.abs(measured), Math.abs(told)) + 1e-3 * Math.max(scale, 1e-1))
        continue;
      fail(
        policy,
        `backward gives d ${part} / d ${name} as ${told.toPrecision(4)}, finite differences of evaluate give ${measured.toPrecision(4)}`,
        hintOf(told, measured),
      );
    }
    return `${tried.length} directions, off by ${(100 * worst).toPrecision(1)} % of the largest derivative`;
  };

/** A weighted sum of one part of the evaluation, with random weights, and its derivative. */
function lossOf(
  { batch, policy }: Pick<Trial, "batch" | "policy">,
  part: Part,
): { gradient: EvaluationGradient; loss: () => number } {
  if (part === "distribution") return distributionLoss(policy, batch);
  const rng = rngOf(part);
  const zeros = new Float64Array(batch.mask_ntl.length);
  const [, , L] = batch.shape;
  const taken = (nt: number): boolean =>
    nt % batch.shape[1] < batch.turnCount_n[Math.floor(nt / batch.shape[1])]!;
  const weight =
    part === "value"
      ? Float64Array.from(batch.reward_nt, (_, nt) => (taken(nt) ? rng.normal() : 0))
      : Float64Array.from(batch.mask_ntl, (mask, cell) =>
          mask && taken(Math.floor(cell / L)) ? rng.normal() : 0,
        );
  const of = (evaluation: Evaluation): Float64Array =>
    part === "value"
      ? evaluation.value_nt!
      : part === "entropy"
        ? evaluation.entropy_ntl
        : evaluation.logProb_ntl;
  const gradient: EvaluationGradient =
    part === "value"
      ? { dLogProb_ntl: zeros, dValue_nt: weight }
      : part === "entropy"
        ? { dLogProb_ntl: zeros, dEntropy_ntl: weight }
        : { dLogProb_ntl: weight };
  return { gradient, loss: () => of(policy.evaluate(batch)).reduce((sum, x, i) => sum + weight[i]! * x, 0) };
}

interface Direction {
  readonly name: string;
  readonly along: readonly (readonly [parameter: number, by: number])[];
}

function directions(policy: Policy, gradient: Float64Array): Direction[] {
  const rng = rngOf("directions");
  const P = gradient.length;
  const largest = [...gradient.keys()].sort((a, b) => Math.abs(gradient[b]!) - Math.abs(gradient[a]!));
  const starts = blocksOf(policy).map(({ from, to }) => {
    const inside = largest.find((i) => i >= from && i < to);
    return inside ?? from;
  });
  const single = new Set([...starts, ...largest.slice(0, SINGLE / 3)]);
  for (let i = 0; i < SINGLE && single.size < Math.min(SINGLE, P); i++) single.add(rng.below(P));
  return [
    ...[...single].map((i) => ({ name: nameOf(policy, i), along: [[i, 1]] as const })),
    ...[1, 2, 3, 4].map((k) => {
      const draws = Array.from({ length: P }, () => rng.normal());
      const length = hypot(...draws);
      const along = draws.map((x, i) => [i, x / length] as const);
      return { name: `all parameters in random direction ${k}`, along };
    }),
  ];
}

function blocksOf(policy: Policy): { name: string; from: number; to: number }[] {
  let from = 0;
  return (policy.parameterTable?.() ?? []).map(({ name, count }) => {
    from += count;
    return { name, from: from - count, to: from };
  });
}

function nameOf(policy: Policy, parameter: number): string {
  const block = blocksOf(policy).find(({ from, to }) => parameter >= from && parameter < to);
  return block
    ? `parameter ${parameter} (${block.name}[${parameter - block.from}])`
    : `parameter ${parameter}`;
}

/** The central difference that comes nearest to what `backward` says. */
function nearest(
  policy: Policy,
  along: Direction["along"],
  loss: () => number,
  told: number,
): { measured: number; error: number } {
  let best = { measured: NaN, error: Infinity };
  for (const step of STEPS) {
    const measured = (at(policy, along, step, loss) - at(policy, along, -step, loss)) / (2 * step);
    const error = Math.abs(measured - told);
    if (error < best.error) best = { measured, error };
    if (error <= 2e-3 * Math.abs(told)) break;
  }
  return best;
}

/** The loss a step away; the parameters are put back. */
function at(policy: Policy, along: Direction["along"], step: number, loss: () => number): number {
  const kept = along.map(([i]) => policy.parameters[i]!);
  for (const [i, x] of along) policy.parameters[i]! += step * x;
  const value = loss();
  along.forEach(([i], k) => (policy.parameters[i] = kept[k]!));
  return value;
}

function hintOf(told: number, measured: number): string {
  if (Math.abs(measured) < 1e-9) return "does evaluate read the parameters again at every call?";
  if (Math.abs(told) < 1e-12) return "this part is missing in backward";
  const ratio = told / measured;
  if (Math.abs(ratio + 1) < 0.02) return "the sign is wrong";
  return `backward is ${ratio.toPrecision(3)} times what it should be here`;
}

/** `sparseBackward`, where there is one, and `backward` after an evaluation that is handed over: the same numbers. */
export const otherWays: Check = (trial) => {
  const { policy, batch } = trial;
  const { gradient } = lossOf(trial, "log-prob");
  const plain = Float64Array.from(policy.backward(batch, gradient));
  const told = Float64Array.from(
    policy.backward(batch, gradient, undefined, undefined, policy.evaluate(batch)),
  );
  expectSame(policy, plain, told, "backward with the evaluation handed over");
  if (!policy.sparseBackward) return "with and without the evaluation";
  const { values, width, blocks } = policy.sparseBackward(batch, gradient);
  const sparse = new Float64Array(plain.length);
  for (const from of blocks) sparse.set(values.subarray(from, from + width), from);
  expectSame(policy, plain, sparse, "sparseBackward");
  return "with and without the evaluation, and sparse";
};

function expectSame(policy: Policy, a: Float64Array, b: Float64Array, what: string): void {
  const off = a.findIndex((x, i) => !(Math.abs(x - b[i]!) <= 1e-6 * Math.max(1, Math.abs(x))));
  if (off < 0) return;
  fail(
    policy,
    `${what} gives ${b[off]} for ${nameOf(policy, off)} where backward gives ${a[off]}`,
    "they must agree",
  );
}

/** A gradient of all parts at once, for some cells. */
export function fullGradient(
  batch: Batch,
  hasValue: boolean,
  keep: (n: number, t: number) => boolean,
): Required<Omit<EvaluationGradient, "dLogit_ntlv">> {
  const rng = rngOf("all parts");
  const [N, T, L] = batch.shape;
  const kept = (nt: number): boolean =>
    nt % T < batch.turnCount_n[Math.floor(nt / T)]! && keep(Math.floor(nt / T), nt % T);
  const draw = (on: boolean): number => {
    const x = rng.normal();
    return on ? x : 0;
  };
  const cells = (): Float64Array =>
    Float64Array.from({ length: N * T * L }, (_, i) =>
      draw(batch.mask_ntl[i] === 1 && kept(Math.floor(i / L))),
    );
  return {
    dLogProb_ntl: cells(),
    dEntropy_ntl: cells(),
    dValue_nt: Float64Array.from({ length: N * T }, (_, nt) => draw(hasValue && kept(nt))),
  };
}
