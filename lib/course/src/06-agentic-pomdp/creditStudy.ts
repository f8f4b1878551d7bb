import type { Env } from "turnwise/internal/env/index";
import { exactTurns } from "turnwise/internal/exact/index";
import type { Policy } from "turnwise/internal/policy/policy";
import { collect, type Batch } from "turnwise/internal/rollout/index";
import { advantages, type Recipe } from "turnwise/internal/rule/index";
import { mean } from "turnwise/internal/base/statistics";
import { createRng } from "turnwise/internal/base/rng";
import { correlation, directions } from "../shared/credit/directions";

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
