import type { Batch } from "../../batch/batch";
import type { Metrics } from "../../base/glossary";
import { isConstant, positionsByKey, standardDeviation } from "../../base/statistics";
import { expectFinite } from "../../base/expect";
import type { Recipe } from "../recipe";
import { filterOf } from "./index";

/**
 * Which trajectories take part in the update (1) and which do not (0), group by group.
 *
 * none: all. zeroVariance: groups whose returns are not all equal. topStd: the floor(fraction * groups), at least one,
 * groups of largest standard deviation of returns, U(s0) = Std_{tau ~ pi(.|s0)}[R(tau)]; ties go to the group that
 * comes first in the order of its id, so that shuffled rows keep the same groups. topP: in that order, as many groups as hold
 * a share p of the sum of all deviations.
 *
 * Looks at raw returns, before any shaping or scaling.
 *
 * @see DAPO, arXiv 2503.14476, dynamic sampling; StarPO-S, arXiv 2504.20073, Eq. 7. The refill of dropped groups
 *   (`maxGenerations`) is the trainer's part
 * @throws {RangeError} if a return is not finite
 */
export function filterGroups(batch: Batch, { filter }: Recipe): { keep_n: Uint8Array; metrics: Metrics } {
  expectFinite("the group filter", "return_n", batch.return_n);
  const groups = [...positionsByKey(batch.groupId)].map(([id, members]) => {
    const returns = members.map((n) => batch.return_n[n]!);
    return { id, members, returns, deviation: isConstant(returns) ? 0 : standardDeviation(returns, false) };
  });
  const keep_n = new Uint8Array(batch.return_n.length);
  for (const group of filterOf(filter).kept(filter, groups)) for (const n of group.members) keep_n[n] = 1;
  const deviations = groups.map((group) => group.deviation);
  const count = Math.max(1, groups.length);
  return {
    keep_n,
    metrics: {
      "reward/std": deviations.reduce((a, b) => a + b, 0) / count,
      "reward/fracZeroStd": deviations.filter((x) => x === 0).length / count,
      "filter/fracKept": keep_n.reduce((a, b) => a + b, 0) / Math.max(1, keep_n.length),
    },
  };
}
