// Uses internals of turnwise/rule.
import { readFileSync } from "node:fs";
import path from "node:path";
import type { Batch } from "turnwise";
import type { EntropyCoefficient, EntropyTarget } from "turnwise/internal/rule/regularizer/entropyTarget";
import type { CriticValues } from "turnwise/internal/rule/advantage/credit";
import { root } from "../support/paths.js";
import { flat, storedBatch, type Cells } from "../support/storedBatch.js";

/** What a released function gave on one batch, at the sampled tokens in the order of [n, t, l]. */
export interface Result {
  readonly batch: string;
  readonly loss: number;
  readonly advantage: number[];
  readonly gradient: number[];
}

/** The same of one turn of a rule that updates turn by turn, and the carry after it, [n]. */
export interface Step extends Omit<Result, "batch"> {
  readonly turn: number;
  readonly carry: number[];
}

interface Case<R> {
  readonly source: string;
  /** `path:line name` of each released function that was called. */
  readonly calls: string[];
  readonly old: "old" | "near" | "logProb";
  readonly results: R[];
}

interface Described {
  readonly shape: [n: number, t: number, l: number];
  readonly turnCount: number[];
  readonly group: string[];
  readonly observation: string[][];
  readonly agent: string[][];
  readonly mask: Cells;
  readonly role: Cells;
  readonly switch: number[][];
  readonly reward: number[][];
  readonly value: number[][];
  readonly valueHigh: number[][];
  readonly valueTerm: number[][];
  readonly valueToken: Cells;
  readonly logProb: Cells;
  readonly old: Cells;
  readonly near: Cells;
  readonly ref: Cells;
  readonly after: Cells;
  readonly entropy: Cells;
  /** The row of the trunk that each trajectory left. */
  readonly tree: number[];
  /** 1 for a trajectory that is a demonstration. */
  readonly demonstration: number[];
}

/** Trajectories of one group, some of which left others, and what a released search tree makes of their turns: [n][t]. */
export interface Grown {
  readonly turns: readonly number[];
  /** The trajectory that each left, and its first turn of its own. */
  readonly fork: readonly (readonly [parent: number, turn: number] | null)[];
  readonly returns: readonly number[];
  readonly surprise: readonly (readonly number[])[];
  readonly surpriseWeighed: readonly (readonly number[])[];
  readonly evenlyWeighed: readonly (readonly number[])[];
}

/** What a batch has for some rules alone: the critic's values play the rewards of steps. */
export type Also = "trees" | "demonstrations" | "steps";

interface Fixture {
  readonly torch: string;
  readonly sources: Readonly<
    Record<string, { from: string; version?: string; commit?: string; files: Record<string, string> }>
  >;
  /** `path:line` of the code that a difference is about, by name. */
  readonly lines: Readonly<Record<string, string>>;
  readonly batches: Readonly<Record<string, Described>>;
  /** How Skywork-OR1 steers the weight of an entropy bonus. */
  /** A trajectory with tokens of the policy and of the environment, as ECHO's release charges it. */
  readonly answered: {
    readonly logProb: readonly number[];
    /** 1 for the policy's own tokens. */
    readonly mask: readonly number[];
    readonly advantage: readonly number[];
    readonly coef: number;
    readonly loss: number;
    readonly gradient: readonly number[];
  };
  readonly steered: {
    readonly settings: EntropyTarget;
    readonly entropies: readonly number[];
    readonly states: readonly EntropyCoefficient[];
  };
  /** What ATPO's search tree says. */
  readonly grown: Grown;
  readonly cases: Readonly<Record<string, Case<Result> | Case<{ batch: string; steps: Step[] }>>>;
}

/** Written by conformance.py. */
export const fixture = JSON.parse(
  readFileSync(path.join(root, "test/conformance/fixture.json"), "utf8"),
) as Fixture;

export function stored(name: string): Case<Result | { batch: string; steps: Step[] }> {
  const found = fixture.cases[name];
  if (found === undefined) throw new RangeError(`Cannot compare: the fixture must hold the case ${name}.`);
  return found;
}

/** Everything that a row may ask for, on one batch of the fixture. */
export interface Setting {
  readonly batch: Batch;
  readonly values: CriticValues;
  readonly logProb_ntl: Float64Array;
  readonly oldLogProb_ntl: Float64Array;
  /** Of a vocabulary of three: what a sampled token leaves is split seven to three. */
  readonly oldLogProb_ntlv: Float64Array;
  /** The sum of the entropies of a trajectory's sampled tokens. */
  readonly gradientSquare_n: Float64Array;
  readonly refLogProb_ntl: Float64Array;
  readonly entropy_ntl: Float64Array;
  /** Log-probs after a turn's step, for what it hands to the next. */
  readonly after_ntl: Float64Array;
}

/** `paidAtEnd`: the whole return is earned in the last turn, as where a framework knows the outcome alone. */
export function setting(
  name: string,
  old: "old" | "near" | "logProb",
  { paidAtEnd, also }: { readonly paidAtEnd?: true; readonly also?: Also } = {},
): Setting {
  const { tree, demonstration, ...data } = fixture.batches[name]!;
  const { shape, turnCount } = data;
  const return_n = Float64Array.from(data.reward, (row) => row.reduce((a, b) => a + b, 0));
  const reward = paidAtEnd
    ? data.reward.map((row, n) => row.map((_, t) => (t === turnCount[n]! - 1 ? return_n[n]! : 0)))
    : data.reward;
  const more = {
    ...(also === "trees" && { tree }),
    ...(also === "demonstrations" && { demonstration }),
    ...(also === "steps" && { step: data.value }),
  };
  const batch = storedBatch(shape, { ...data, ...more, reward }, data[old]);
  const entropy_ntl = flat(data.entropy);
  return {
    batch,
    values: {
      value_nt: flat(data.value),
      value_ntl: flat(data.valueToken),
      valueHigh_nt: flat(data.valueHigh),
      valueTerm_nt: flat(data.valueTerm),
    },
    logProb_ntl: flat(data.logProb),
    oldLogProb_ntl: batch.oldLogProb_ntl,
    oldLogProb_ntlv: Float64Array.from(
      [...batch.oldLogProb_ntl].flatMap((own) => {
        const rest = Math.abs(1 - Math.exp(own)); // random log-probs may be above 0
        return [own, Math.log(0.7 * rest), Math.log(0.3 * rest)];
      }),
    ),
    gradientSquare_n: Float64Array.from({ length: shape[0] }, (_, n) =>
      sampled(batch)
        .filter((i) => Math.floor(i / (shape[1] * shape[2])) === n)
        .reduce((sum, i) => sum + entropy_ntl[i]!, 0),
    ),
    refLogProb_ntl: flat(data.ref),
    entropy_ntl,
    after_ntl: flat(data.after),
  };
}

/** Positions of the sampled tokens in [n, t, l], of one turn or of all. */
export function sampled({ shape, mask_ntl }: Batch, turn?: number): number[] {
  const [, T, L] = shape;
  return Array.from(mask_ntl.keys()).filter(
    (i) => mask_ntl[i] === 1 && (turn === undefined || Math.floor(i / L) % T === turn),
  );
}

/** The forked trajectories of `grown` as a batch of one token a turn, and which turns there are. */
export function grownTree(): { batch: Batch; values: { n: number; t: number }[] } {
  const { turns, fork, returns, surprise } = fixture.grown;
  const [N, T] = [turns.length, Math.max(...turns)];
  const taken = turns.flatMap((count, n) => Array.from({ length: count }, (_, t) => ({ n, t })));
  const cells = (value: (n: number, t: number) => number): number[][][] =>
    turns.map((count, n) => Array.from({ length: T }, (_, t) => [t < count ? value(n, t) : 0]));
  const one = cells(() => 1);
  const names = turns.map((count, n) => Array.from({ length: count }, (_, t) => `${n} ${t}`));
  const plain = storedBatch(
    [N, T, 1],
    {
      mask: one,
      role: cells(() => 0),
      reward: cells((n, t) => (t === turns[n]! - 1 ? returns[n]! : 0)).map((row) => row.flat()),
      switch: cells(() => 0).map((row) => row.flat()),
      turnCount: turns,
      group: turns.map(() => "u"),
      observation: names,
      agent: names,
    },
    cells((n, t) => -surprise[n]![t]!),
  );
  const stem = (n: number): number => (fork[n] === null ? n : stem(fork[n]![0]));
  const fork_n = fork.map((left, n) => {
    if (left === null) return null;
    return { tree: plain.trajectoryId[stem(n)]!, parent: plain.trajectoryId[left[0]]!, turn: left[1] };
  });
  return { batch: { ...plain, fork_n }, values: taken };
}
