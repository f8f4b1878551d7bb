import { square } from "turnwise/internal/base/elementary/square";
import type { Env } from "turnwise/internal/env/index";
import { exactTurns } from "turnwise/internal/exact/index";
import type { Policy } from "turnwise/internal/policy/policy";
import { collect, selectTrajectories, type Batch } from "turnwise/internal/rollout/index";
import { advantages, type Recipe } from "turnwise/internal/rule/index";
import { mean } from "turnwise/internal/base/statistics";
import { createRng } from "turnwise/internal/base/rng";

/** Agreement between the credit of a rule and the value of turns. */
export interface CreditQuality {
  readonly rule: string;
  /** Correlation, over turns, of the rule's advantage with the exact one. */
  readonly correlation: number;
  /** Of the turns whose exact advantage is not 0, the share that the rule pushes the right way. */
  readonly rightSign: number;
  /** Cosine of the mean gradient with the exact one: 1 where the rule has no bias in direction, up to sampling. */
  readonly direction: number;
  /** Mean cosine of the gradient of one batch of 8 groups with the exact one: bias and noise together. */
  readonly oneBatch: number;
  /** Mean advantage by kind of turn. */
  readonly byKind: Readonly<Record<string, number>>;
}

/** Policies that are sampled, and rules that are compared. */
export interface CreditStudyOptions {
  readonly env: Env;
  readonly policy: Policy;
  readonly rules: Readonly<Record<string, Recipe>>;
  /** For rules by name, the policy whose exact values the rule's critic has; the policy itself where none is named. */
  readonly critics?: Readonly<Record<string, Policy>>;
  /** Number of sampled groups of `groupSize` trajectories each. Default 200 of 8. */
  readonly groups?: number;
  readonly groupSize?: number;
  readonly seed?: number;
  /** Sorts turns into kinds; by default, the name of the tool that the turn calls. */
  readonly kind?: (info: Readonly<Record<string, unknown>>) => string;
}

/** Agreement between each rule's credit and the exact advantages. */
export interface CreditStudy {
  /** Exact expected return of the policy. */
  readonly J: number;
  /** Mean exact advantage and number of turns of each kind. */
  readonly exact: Readonly<Record<string, { readonly mean: number; readonly count: number }>>;
  readonly rules: readonly CreditQuality[];
}

const SURE = 1e-9;
const GROUPS_OF_A_BATCH = 8;

/**
 * Holds each rule's credit for a turn against the turn's exact advantage, over many groups of one policy.
 *
 * Group-relative rules see only their own group, as in training. A rule with a critic gets the exact value of every
 * context, so it does as well as it ever could; with the values of another policy, a critic that lags behind.
 *
 * @throws {TypeError} if the environment cannot be enumerated
 */
export function creditStudy(o: CreditStudyOptions): CreditStudy {
  const { env, policy, rules, critics = {}, groups = 200, groupSize = 8, seed = 0 } = o;
  const kindOf = o.kind ?? (({ tool }) => String(tool));
  const batch = collect(env, policy, { groups, groupSize, rng: createRng(seed).split("creditStudy") });
  const truth = exactTurns(env, policy);
  const exact_nt = truth.advantage_nt(batch);
  const value_nt = truth.value_nt(batch);
  const turns = turnsOf(batch, kindOf);
  const exact = turns.map(({ nt }) => exact_nt[nt]!);
  return {
    J: truth.J,
    exact: Object.fromEntries(
      Object.entries(groupBy(turns.map(({ kind }, i) => [kind, exact[i]!] as const))).map(([kind, own]) => [
        kind,
        { mean: mean(own), count: own.length },
      ]),
    ),
    rules: Object.entries(rules).map(([rule, row]) => {
      const critic = critics[rule];
      const believed = critic === undefined ? value_nt : exactTurns(env, critic).value_nt(batch);
      const { advantage_ntl } = advantages(batch, row, believed, batch.oldLogProb_ntl);
      const given = turns.map(({ cells }) => mean(cells.map((i) => advantage_ntl[i]!)));
      const decided = exact.flatMap((x, i) =>
        Math.abs(x) > SURE ? [Math.sign(given[i]!) === Math.sign(x)] : [],
      );
      const kinds = groupBy(turns.map(({ kind }, i) => [kind, given[i]!] as const));
      return {
        rule,
        correlation: correlation(given, exact),
        ...directions(policy, batch, advantage_ntl, truth.gradient, groupSize),
        rightSign: decided.filter(Boolean).length / Math.max(1, decided.length),
        byKind: Object.fromEntries(Object.entries(kinds).map(([kind, own]) => [kind, mean(own)])),
      };
    }),
  };
}

/** The score-function gradient of each batch of eight groups, compared with the exact one. */
export function directions(
  policy: Policy,
  batch: Batch,
  advantage_ntl: Float64Array,
  exact: Float64Array,
  groupSize: number,
): { direction: number; oneBatch: number } {
  const [N, T, L] = batch.shape;
  const size = GROUPS_OF_A_BATCH * groupSize;
  const sum = new Float64Array(exact.length);
  const cosines: number[] = [];
  for (let from = 0; from + size <= N; from += size) {
    const rows = Array.from({ length: size }, (_, i) => from + i);
    const part = selectTrajectories(batch, rows);
    const dLogProb_ntl = advantage_ntl.slice(from * T * L, (from + size) * T * L);
    const gradient = policy.backward(part, { dLogProb_ntl });
    for (let i = 0; i < sum.length; i++) sum[i]! += gradient[i]!;
    cosines.push(cosine(gradient, exact));
  }
  return { direction: cosine(sum, exact), oneBatch: cosines.length === 0 ? 0 : mean(cosines) };
}

function cosine(a: Float64Array, b: Float64Array): number {
  let [ab, aa, bb] = [0, 0, 0];
  for (let i = 0; i < b.length; i++) {
    ab += a[i]! * b[i]!;
    aa += square(a[i]!);
    bb += square(b[i]!);
  }
  return aa === 0 || bb === 0 ? 0 : ab / Math.sqrt(aa * bb);
}

interface OneTurn {
  readonly nt: number;
  readonly kind: string;
  /** Its tokens that the policy sampled. */
  readonly cells: readonly number[];
}

function turnsOf(batch: Batch, kindOf: (info: Readonly<Record<string, unknown>>) => string): OneTurn[] {
  const [N, T, L] = batch.shape;
  return Array.from({ length: N }, (_, n) => n).flatMap((n) =>
    Array.from({ length: batch.turnCount_n[n]! }, (_, t) => {
      const nt = n * T + t;
      const cells = Array.from({ length: L }, (_, l) => nt * L + l).filter((i) => batch.mask_ntl[i] === 1);
      return { nt, kind: kindOf(batch.info_nt?.[n]?.[t] ?? {}), cells };
    }),
  );
}

function groupBy(pairs: readonly (readonly [string, number])[]): Record<string, number[]> {
  const groups: Record<string, number[]> = {};
  for (const [kind, x] of pairs) (groups[kind] ??= []).push(x);
  return groups;
}

/** Pearson's correlation; 0 where one side does not vary. */
export function correlation(a: readonly number[], b: readonly number[]): number {
  const [ma, mb] = [mean(a), mean(b)];
  let [ab, aa, bb] = [0, 0, 0];
  a.forEach((x, i) => {
    ab += (x - ma) * (b[i]! - mb);
    aa += square(x - ma);
    bb += square(b[i]! - mb);
  });
  return aa === 0 || bb === 0 ? 0 : ab / Math.sqrt(aa * bb);
}
