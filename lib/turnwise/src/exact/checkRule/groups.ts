import { mean } from "../../base/statistics";
import type { Recipe } from "../../rule";
import { failing, figure, type Finding } from "./finding";
import { owns } from "./own";
import { paidMore, perTrajectory } from "./rewarded";
import { samples } from "./samples";
import { tokenGradient } from "./tokenGradient";

/** Effect of one more unit of a trajectory's reward: on its own advantage, on its group's and on those of other groups. */
export interface Influence {
  /** mean of the change of A_i by one more of R_i. */
  readonly own: number;
  /** The least of them. */
  readonly leastOwn: number;
  /** mean of its size for one more of R_j, where j is of the same group. */
  readonly mates: number;
  /** The same where j is of another group. */
  readonly strangers: number;
  /** The largest, where j is another trajectory. */
  readonly mostOther: number;
}

/** A whole unit: an advantage may go by ranks or thresholds, which have no slope. */
const STEP = 1;

export function influenceOf(rule: Recipe): Influence {
  const own: number[] = [];
  const mates: number[] = [];
  const strangers: number[] = [];
  for (const { rollout } of samples) {
    const { groupId } = rollout.batch;
    const asked = tokenGradient(rule, rollout);
    const before = perTrajectory(rollout, asked.advantage_ntl);
    for (const j of asked.rows) {
      const other = paidMore(rollout, (n) => (n === j ? STEP : 0));
      const after = perTrajectory(rollout, tokenGradient(rule, other).advantage_ntl);
      for (const i of asked.rows) {
        const slope = (after[i]! - before[i]!) / STEP;
        if (i === j) own.push(slope);
        else if (groupId[i] === groupId[j]) mates.push(Math.abs(slope));
        else strangers.push(Math.abs(slope));
      }
    }
  }
  return {
    own: mean(own),
    leastOwn: Math.min(...own),
    mates: mean(mates),
    strangers: strangers.length === 0 ? 0 : mean(strangers),
    mostOther: Math.max(0, ...mates, ...strangers),
  };
}

/** Checks which trajectories a trajectory's reward affects. */
export function groups(rule: Recipe): Finding {
  const { own, leastOwn, mates, strangers, mostOther } = influenceOf(rule);
  const figures = {
    "own advantage": own,
    "least own advantage": leastOwn,
    "same group": mates,
    "other groups": strangers,
  };
  const check = "groups";
  const failed = failing(check, figures);
  const judged = owns(rule, "advantage", "scale", "reward", "filter");
  const slight = SLIGHT * Math.max(Math.abs(own), mates, strangers);
  if (judged && !(own > slight) && mostOther > Math.abs(own)) {
    return failed(
      `Another trajectory's reward counts for more than its own: dA/dR is ${figure(own)} on average, up to ${figure(mostOther)} for others.`,
      "A trajectory may have got another one's reward.",
    );
  }
  if (judged && !(own > slight)) {
    return failed(
      `More reward does not raise a trajectory's own advantage: dA/dR is ${figure(own)} on average.`,
      "The sign: an advantage is the reward minus the baseline.",
    );
  }
  if (judged && strangers > slight && mates <= slight) {
    return failed(
      "Trajectories are compared with other groups and not with their own.",
      "Collect a group's rewards by its groupId.",
    );
  }
  const sentence =
    strangers > slight
      ? "A reward moves the advantages of its own group and of all others in the batch."
      : mates > slight
        ? "A reward moves the advantages of its group and no others."
        : "A reward moves the advantage of its own trajectory alone.";
  return { check, verdict: judged ? "passed" : "told", sentence, figures };
}

/** Smaller slopes count as none: rounding. */
const SLIGHT = 1e-3;
