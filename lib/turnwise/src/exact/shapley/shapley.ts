import { show } from "../../base/show";

/** A game in the sense of Shapley: what every coalition of players earns. */
export type CoalitionValue = (coalition: readonly string[]) => number;

/** Fair share of each player, and the value of its coalitions. */
export interface Shapley {
  /** The Shapley value of each player; they sum to what all earn beyond what nobody earns. */
  readonly value: Readonly<Record<string, number>>;
  /** Loss if this player alone leaves: the one-sided marginal. */
  readonly oneSided: Readonly<Record<string, number>>;
  /** Value of each coalition, by its players in order, joined by "+"; "" is the empty one. */
  readonly coalitions: Readonly<Record<string, number>>;
}

const MOST = 12;

/**
 * The exact Shapley value, by asking for every coalition once.
 *
 * ```
 * phi_i = sum over S without i of  |S|! (n - |S| - 1)! / n!  (v(S + i) - v(S))
 * ```
 * It is the only division that pays out all (efficiency), pays equal players equally (symmetry), pays nothing to a player who never
 * adds anything (null player), and adds up over games (linearity).
 *
 * @throws {RangeError} if there is no player, one twice, or more than twelve, or a coalition's value is not finite
 * @see Shapley, "A value for n-person games" (1953)
 * @example
 * import { shapley } from "turnwise/search";
 * // A left glove and two right ones: a pair sells for 1.
 * const gloves = shapley(["left", "right", "other right"], (who) => (who.includes("left") && who.length > 1 ? 1 : 0));
 * gloves.value.left!.toFixed(3); // => "0.667"
 * gloves.oneSided["right"]; // => 0
 */
export function shapley(players: readonly string[], value: CoalitionValue): Shapley {
  const n = players.length;
  if (n < 1 || n > MOST || new Set(players).size < n) {
    throw new RangeError(
      `Cannot divide a return: players must be 1 to ${MOST} different names, got ${show(players)}.`,
    );
  }
  const earned = new Float64Array(1 << n);
  const coalitions: Record<string, number> = {};
  for (let set = 0; set < 1 << n; set++) {
    const members = players.filter((_, i) => set & (1 << i));
    earned[set] = value(members);
    coalitions[members.join("+")] = earned[set];
    if (!Number.isFinite(earned[set])) {
      throw new RangeError(
        `Cannot divide a return: each coalition's value must be finite, but ${members.join("+") || "nobody"} has ${earned[set]}.`,
      );
    }
  }
  const all = (1 << n) - 1;
  const each = (of: (i: number) => number): Record<string, number> =>
    Object.fromEntries(players.map((name, i) => [name, of(i)]));
  return {
    value: each((i) => {
      let phi = 0;
      for (let set = 0; set <= all; set++) {
        if (set & (1 << i)) continue;
        phi += coalitionWeight(n, sizeOf(set)) * (earned[set | (1 << i)]! - earned[set]!);
      }
      return phi;
    }),
    oneSided: each((i) => earned[all]! - earned[all & ~(1 << i)]!),
    coalitions,
  };
}

/** |S|! (n - |S| - 1)! / n! of a coalition without the player: the weight of its marginal. */
export function coalitionWeight(n: number, size: number): number {
  return 1 / (n * choose(n - 1, size));
}

function choose(n: number, k: number): number {
  let ways = 1;
  for (let i = 0; i < k; i++) ways = (ways * (n - i)) / (i + 1);
  return ways;
}

function sizeOf(set: number): number {
  let size = 0;
  for (let rest = set; rest > 0; rest &= rest - 1) size++;
  return size;
}
