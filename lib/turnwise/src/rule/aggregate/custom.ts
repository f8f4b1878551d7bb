import { callCustom, named, customFunction } from "../custom/customFunction";
import { expectRepeats } from "../custom/customRepeats";
import { shown } from "../custom/customShown";
import type { ValueOf } from "../../schema";
import { aggregate, type Counts } from "./contract";

/** A turn that the policy sampled at least one token of, as an aggregate of your own sees it. */
export interface TurnCounts {
  /** The trajectory's row in the minibatch, and the turn's index; both from 0. */
  readonly n: number;
  readonly t: number;
  /** The layout: rows, turns and tokens at most. */
  readonly N: number;
  readonly T: number;
  readonly L: number;
  /** Sampled tokens of this turn, of this trajectory, and of all turns with this index. */
  readonly tokensOfTurn: number;
  readonly tokensOfTrajectory: number;
  readonly tokensAtTurn: number;
  /** Sampled tokens of the minibatch. */
  readonly tokens: number;
  /** Turns with sampled tokens: of this trajectory, and of the minibatch. */
  readonly turnsOfTrajectory: number;
  readonly turns: number;
  /** Trajectories with sampled tokens: in all, and at this turn index. */
  readonly trajectories: number;
  readonly trajectoriesAtTurn: number;
}

/** The weight of each token of a turn: one number for all of them, or one for each sampled token. */
export type AggregateFunction = (turn: TurnCounts) => number | ArrayLike<number>;

const fields = {
  by: customFunction<AggregateFunction>("The function: a turn in, the weight of its tokens out."),
};

type Own = ValueOf<typeof fields>;

const field = "aggregate";

export const custom = aggregate({
  help: "A function of your own: the counts of a turn in, the weight of its tokens out.",
  equation: String.raw`w_{nt}=f(\text{counts})`,
  source: "yours",
  fields,
  label: ({ by }) => by.label,
  everywhere: () => null,
  of: (o, counts, n, t) => 1 / weightsOf(o, counts, n, t)[0]!,
});

/**
 * The weights of a turn's sampled tokens.
 *
 * @throws {TypeError} if the function returns something else
 * @throws {RangeError} if a weight is not finite
 */
export function weightsOf(o: Own, counts: Counts, n: number, t: number): Float64Array {
  const { N, T, L, tokens_nt, tokens_n, tokens_t, turns_n, turns, tokens, rows, rows_t } = counts;
  const tokensOfTurn = tokens_nt[n * T + t]!;
  const turn: TurnCounts = {
    n,
    t,
    N,
    T,
    L,
    tokensOfTurn,
    tokensOfTrajectory: tokens_n[n]!,
    tokensAtTurn: tokens_t[t]!,
    tokens,
    turnsOfTrajectory: turns_n[n]!,
    turns,
    trajectories: rows,
    trajectoriesAtTurn: rows_t[t]!,
  };
  expectRepeats(field, o, () => callCustom(field, o, { ...turn }));
  const given = callCustom(field, o, turn) as unknown as number | ArrayLike<number> | undefined;
  const weights = typeof given === "number" ? new Float64Array(tokensOfTurn).fill(given) : given;
  if (weights?.length !== tokensOfTurn) {
    throw new TypeError(
      `Cannot apply ${named(field, o)}: it must return a weight, or one for each of the turn's ${tokensOfTurn} sampled tokens, but it returned ${shown(given)}.`,
    );
  }
  const found = Float64Array.from(weights);
  const bad = found.findIndex((weight) => !Number.isFinite(weight));
  if (bad === -1) return found;
  throw new RangeError(
    `Cannot apply ${named(field, o)}: weights must be finite, but token ${bad} of turn ${t} of trajectory ${n} gets ${shown(weights[bad])}.`,
  );
}
