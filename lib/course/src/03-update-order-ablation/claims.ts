import type { Claim } from "turnwise/internal/plot/index";
import { verdict } from "turnwise/internal/verdict/verdict";
import type { Reproduced } from "turnwise/internal/verdict/words";
import { exactOrderClaims, type ExactOrderResults } from "./exactClaims";
import { matchedClaims } from "./matched/claims";
import { isFinished } from "./matched/finished";
import type { MatchedRun } from "./matched/run";

/** Measurements for the claims about the order of turns. */
export interface UpdateOrderResults extends ExactOrderResults {
  /** `datasets/measured/order-matched.csv`. */
  readonly runs: readonly MatchedRun[];
  /** Runs that were computed again, and how many of them equal the stored ones. */
  readonly again: Reproduced;
}

/**
 * The claims of the lesson on the order of updates. Those of the preregistered study are decided once all its worlds are measured: before,
 * their families of comparisons would not be the ones that were announced.
 */
export function updateOrderClaims(results: UpdateOrderResults): Claim[] {
  return [
    ...Object.values(exactOrderClaims(results)),
    ...(isFinished(results.runs) ? matchedClaims(results.runs) : []),
    reproduction(results.again),
  ];
}

function reproduction({ equal, of }: Reproduced): Claim {
  return {
    claim: "Stored runs are what the library computes now",
    source: "this notebook",
    measured: `${equal} of ${of} live runs over worker threads equal the stored ones in all six digits`,
    verdict: verdict({ equal, of }),
  };
}
