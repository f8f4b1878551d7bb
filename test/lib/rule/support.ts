import assert from "node:assert/strict";
import { tf, type TensorBatch, type Batch } from "turnwise";
import type { SurrogateInput } from "turnwise/internal/rule/index";
import { gateOf, type GateChoice } from "turnwise/internal/rule/gate/index";

/** A generator for test data alone: the library's own is under test elsewhere. */
export function draws(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

type Other =
  | `${"logProb" | "oldLogProb" | "refLogProb"}_ntlv`
  | "carry"
  | "correction_ntl"
  | "draw_ntl"
  | "entropyCoef"
  | "weight_ntl"
  | "trajectoryId"
  | "value_nt"
  | "oldValue_nt"
  | "valueTarget_nt"
  | "rolloutLogProb_ntl"
  | "demonstration_n"
  | "standing_nt";

export type FullInput = Required<Omit<SurrogateInput, Other>> & {
  readonly logProb_ntl: Float64Array;
  readonly advantage_ntl: Float64Array;
  readonly mask_ntl: Uint8Array;
};

/** A ragged batch: turns end early, tokens end early, tool output sits in the middle; every value is finite. */
export function raggedInput(
  seed: number,
  shape: readonly [number, number, number] = [4, 3, 3],
  spread = 0.6,
): FullInput {
  const next = draws(seed);
  const size = shape[0] * shape[1] * shape[2];
  const [, T, L] = shape;
  const fill = (value: (i: number) => number): Float64Array =>
    Float64Array.from({ length: size }, (_, i) => value(i));
  const logProb_ntl = fill(() => -0.1 - 2 * next());
  const mask_ntl = new Uint8Array(size);
  for (let n = 0; n < shape[0]; n++) {
    const turns = 1 + Math.floor(next() * T);
    for (let t = 0; t < turns; t++) {
      const tokens = 1 + Math.floor(next() * L);
      for (let l = 0; l < tokens; l++) mask_ntl[(n * T + t) * L + l] = next() < 0.85 ? 1 : 0;
    }
    mask_ntl[n * T * L] = 1;
  }
  return {
    shape,
    logProb_ntl,
    oldLogProb_ntl: logProb_ntl.map((x) => x + spread * (next() - 0.5)),
    refLogProb_ntl: logProb_ntl.map((x) => x + spread * (next() - 0.5)),
    entropy_ntl: fill(() => 2 * next()),
    advantage_ntl: fill(() => 2 * (next() - 0.5)),
    mask_ntl,
  };
}

export function onTensors(input: FullInput): TensorBatch {
  const shape = [...input.shape] as [number, number, number];
  const tensor = (x: ArrayLike<number>): tf.Tensor3D => tf.tensor3d(Float32Array.from(x), shape);
  return {
    logProb_ntl: tensor(input.logProb_ntl),
    oldLogProb_ntl: tensor(input.oldLogProb_ntl),
    refLogProb_ntl: tensor(input.refLogProb_ntl),
    entropy_ntl: tensor(input.entropy_ntl),
    advantage_ntl: tensor(input.advantage_ntl),
    mask_ntl: tensor(input.mask_ntl),
  };
}

/** |a - b| <= tolerance * max(1, |b|), entry by entry. */
export function assertClose(
  actual: ArrayLike<number>,
  expected: ArrayLike<number>,
  tolerance: number,
  what = "values",
): void {
  assert.equal(actual.length, expected.length, `${what}: length`);
  for (let i = 0; i < expected.length; i++) {
    const limit = tolerance * Math.max(1, Math.abs(expected[i]!));
    assert.ok(
      Math.abs(actual[i]! - expected[i]!) <= limit,
      `${what}[${String(i)}]: ${String(actual[i])} is not ${String(expected[i])} within ${String(limit)}`,
    );
  }
}

/** Fails when the body leaves a tensor behind. */
export function withoutLeak<X>(body: () => X): X {
  const before = tf.memory().numTensors;
  const result = body();
  assert.equal(tf.memory().numTensors, before, "tensors left behind");
  return result;
}

/** A batch with one active token per turn unless `tokens` says otherwise; rewards arrive at the last turn. */
export function batchOf(o: {
  readonly groupId: readonly string[];
  readonly return_n: readonly number[];
  readonly turnCount?: readonly number[];
  readonly tokens?: number;
}): Batch {
  const N = o.return_n.length;
  const turnCount = o.turnCount ?? o.return_n.map(() => 1);
  const T = Math.max(...turnCount);
  const L = o.tokens ?? 1;
  const cells = N * T * L;
  const active = (i: number): boolean => Math.floor(i / L) % T < turnCount[Math.floor(i / (T * L))]!;
  const last = (nt: number): boolean => nt % T === turnCount[Math.floor(nt / T)]! - 1;
  return {
    shape: [N, T, L],
    token_ntl: new Int32Array(cells),
    mask_ntl: Uint8Array.from({ length: cells }, (_, i) => (active(i) ? 1 : 0)),
    oldLogProb_ntl: new Float64Array(cells).fill(-1),
    reward_nt: Float64Array.from({ length: N * T }, (_, nt) =>
      last(nt) ? o.return_n[Math.floor(nt / T)]! : 0,
    ),
    return_n: Float64Array.from(o.return_n),
    turnCount_n: Int32Array.from(turnCount),
    trajectoryId: o.return_n.map((_, n) => `trajectory ${String(n)}`),
    groupId: o.groupId,
    observation_nt: turnCount.map((turns) =>
      Array.from({ length: turns }, (_, t) => `observation ${String(t)}`),
    ),
    context_nt: turnCount.map((turns) => new Array<unknown>(turns).fill(null)),
    truncated: o.return_n.map(() => false),
  };
}

/** The advantage that a gate needs beside it, as an override of a rule; nothing where any will do. */
export const besideGate = (kind: string): { readonly advantage?: "outcomePlusGains" } =>
  gateOf({ kind } as GateChoice).readsStanding ? { advantage: "outcomePlusGains" } : {};
