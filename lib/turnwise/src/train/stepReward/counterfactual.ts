import { mean, positionsByKey } from "../../base/statistics";
import { solved } from "../../batch/solved";
import type { StepChoice } from "../../rule/reward/step";
import type { StepInput, StepOutput } from "./contract";
import { playedWithout, turnsOfAgent } from "./playedWithout";

type Choice = Extract<StepChoice, { kind: "counterfactual" }>;

/**
 * Bonus of the first agent for a team that succeeds where the others alone fail.
 *
 * ```
 * s_{1,t} = weight b,   r = 1 for a success and -1 else,   r' = the same without the first agent: mean of the group, or own
 *   event:       b = [r > 0 > r'] - [r < 0 < r']
 *   difference:  b = (r - r') / 2
 * ```
 * The other agents get none. Each trajectory is played once more, as by `playedWithout`.
 *
 * What the others reach alone does not depend on what the first agent writes. So, whatever it is, the bonus of a success is on
 * average one weight more than that of a failure.
 *
 * @see CCPO, arXiv 2603.21563; CCPO/examples/gspo_trainer/two_model/two_model_trainer.py:1065 in bhai114/ccpo at ea50d3a
 */
export function counterfactual(input: StepInput, choice: Choice): StepOutput {
  const { batch, env } = input;
  const [N, T] = batch.shape;
  const first = (env.spec.agents ?? ["agent"])[0]!;
  const without = playedWithout(input, first);
  const alone_n = batch.trajectoryId.map((id) => solved(without.played, without.rowOf.get(id)!));
  const team_n = alone_n.map((_, n) => solved(batch, n));
  const bonus_n = bonuses(team_n, alone_n, batch.groupId, choice);
  const step_nt = new Float64Array(N * T);
  let [sum, judged, turns] = [0, 0, 0];
  for (let n = 0; n < N; n++) {
    const earned = choice.weight * bonus_n[n]!;
    turns += batch.turnCount_n[n]!;
    for (const t of turnsOfAgent(batch, n, first)) {
      step_nt[n * T + t] = earned;
      sum += earned;
      judged++;
    }
  }
  return {
    step_nt,
    metrics: {
      "stepReward/mean": sum / Math.max(1, judged),
      "stepReward/fracJudged": judged / turns,
      "stepReward/evaluations": without.steps / N,
    },
  };
}

/** b of each trajectory, from the successes of the team and of the others alone. */
export function bonuses(
  team_n: readonly boolean[],
  alone_n: readonly boolean[],
  groupId: readonly string[],
  { bonus, baseline }: Pick<Choice, "bonus" | "baseline">,
): number[] {
  const sign = (success: boolean): number => (success ? 1 : -1);
  const own_n = alone_n.map(sign);
  const compared_n = baseline === "own" ? own_n : meansOfGroups(own_n, groupId);
  return team_n.map((success, n) => {
    const [team, alone] = [sign(success), compared_n[n]!];
    if (bonus === "difference") return (team - alone) / 2;
    return team > 0 && alone < 0 ? 1 : team < 0 && alone > 0 ? -1 : 0;
  });
}

function meansOfGroups(values: readonly number[], groupId: readonly string[]): number[] {
  const means: number[] = [];
  for (const members of positionsByKey(groupId).values()) {
    const center = mean(members.map((n) => values[n]!));
    for (const n of members) means[n] = center;
  }
  return means;
}
