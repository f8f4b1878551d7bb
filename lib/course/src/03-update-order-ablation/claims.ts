import type { Claim } from "turnwise/internal/plot/index";
import { verdict } from "turnwise/internal/verdict/verdict";
import type { Reproduced } from "turnwise/internal/verdict/words";
import { exactOrderClaims, type ExactOrderResults } from "./exactClaims";
import { matchedClaims } from "./matched/claims";
import type { MatchedRun } from "./matched/run";
import { retunedClaims } from "./matched/secondTuning";

/** Measurements for the claims about the order of turns. */
export interface UpdateOrderResults extends ExactOrderResults {
  /** `datasets/measured/order-matched.csv`. */
  readonly runs: readonly MatchedRun[];
  /** `datasets/measured/order-retuned.csv`. */
  readonly retuned: readonly MatchedRun[];
  /** Runs that were computed again, and how many of them equal the stored ones. */
  readonly again: Reproduced;
}

/** The claims of the lesson on the order of updates: of exact games, of the preregistered study, and of its second tuning. */
export function updateOrderClaims(results: UpdateOrderResults): Claim[] {
  return [
    ...Object.values(exactOrderClaims(results)),
    ...matchedClaims(results.runs),
    ...retunedClaims(results.retuned),
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
