import type { GridCount } from "./gridJob";

/** A cell of the grid over random trees. */
export type Count = Pick<GridCount, "advantage" | "update" | "regime" | "decreases" | "trees">;

/** Measurements for the claims about the impossibility result. */
export interface ImpossibilityResults {
  /** One-step falls of the return on random trees, by rule and regime. */
  readonly counts: readonly Count[];
  /** Jackpot with the group's std: the expected push towards the better arm for groups of G at probability p. */
  readonly push: (G: number, p: number) => number;
  /** The p below which that push points away from the better arm; undefined where it does from everywhere. */
  readonly border: (G: number) => number | undefined;
  /** Exact training on guess-or-look-up with the group's std. */
  readonly lookUp: Readonly<Record<"std, G = 2" | "std, G = 4", { readonly minimum: number }>>;
  /** Mirror learning's conditions on the drift, by rule; those of "group std, ..." count. */
  readonly drifts: readonly {
    readonly rule: string;
    readonly nonNegative: boolean;
    readonly zeroAtOld: boolean;
    readonly flatAtOld: boolean;
  }[];
  /** Amount that the group's mean adds to the advantage in each history. */
  readonly offsets: readonly { readonly offset: number }[];
  /** Returns of exact training where the policy cannot tell two tasks apart. */
  readonly contexts: Readonly<Record<"no std" | "batch std" | "group std, G = infinity", readonly number[]>>;
  /** J of three arms of unequal length: before, and after a step with either ratio. */
  readonly ratios: { readonly before: number; readonly geometric: number; readonly product: number };
  /** End of exact training with a noisy tool: three small groups with std, then rules that keep the tool. */
  readonly noisyEnd: readonly { readonly rule: string; readonly "J at the end": number }[];
  /** Three dice over 300 updates. */
  readonly dice: Readonly<
    Record<"std, G = 2" | "std, G = 4" | "no std, G = 2", { readonly J: readonly number[] }>
  >;
  /** pi(lookup) at the end of exact training, and in how many sampled ones it ends above .5, few groups first. */
  readonly exactEnd: number;
  readonly strays: readonly {
    readonly groups: number;
    readonly seeds: number;
    readonly "end at looking up": number;
  }[];
  /** SeeUPO on random trees: optima missed after one greedy sweep, and falls of its clipped form. */
  readonly greedy: { readonly failures: number; readonly trees: number };
  readonly clipped: { readonly decreases: number; readonly trees: number };
  /** At a discount of 1/2: what acting now and waiting are worth, and whether the undiscounted rule waits. */
  readonly discounted: { readonly now: number; readonly wait: number; readonly waits: boolean };
}
