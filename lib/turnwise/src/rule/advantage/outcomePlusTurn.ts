import type { Batch } from "../../batch/batch";
import { number } from "../../schema";
import { withinGroup, type ScaleChoice } from "../scale";
import { advantage, undiscounted } from "./contract";
import type { Credit, ShapedReward } from "./credit";
import { groupAdvantage64 } from "./groupAdvantage";

export const outcomePlusTurn = advantage({
  help: "The group advantage of the outcome, and on the first turn that of its own reward besides.",
  equation: String.raw`A=A_{outcome}+\lambda A_{turn}\,\mathbb{1}[\text{before the tool's result}]`,
  source:
    "MT-GRPO, arXiv 2505.11821; github.com/SiliangZeng/Multi-Turn-RL-Agent, verifiers/trainers/mt_grpo_env_trainer.py:202",
  fields: {
    weight: number(1, { atLeast: 0, help: "Weight of the turn's advantage, lambda." }),
  },
  label: ({ weight }) => `outcome + turn, w ${weight}`,
  comparesGroups: true,
  scalesItself: true,
  needsCritic: false,
  criticDiscount: undiscounted,
  wholeTrajectory: false,
  exactBaseline: () => undefined,
  assign: (o, { batch, reward, scale }) => outcomePlusTurnAdvantage(batch, reward, scale, o.weight),
});

/**
 * MT-GRPO: outcome and turn are compared apart, each within its group.
 *
 * ```
 * A_t = A_outcome + weight * A_turn   for t = 0, the turn that a tool answers
 * A_t = A_outcome                     after it
 * A_t = A_return                      where no tool answered: the trajectory ended with its first turn
 * ```
 * The turn's reward is what the first turn earned if another came after it, else 0; the outcome is the rest of the return.
 *
 * @see MT-GRPO, arXiv 2505.11821; `SiliangZeng/Multi-Turn-RL-Agent` at 7dbdd08, `verifiers/trainers/mt_grpo_env_trainer.py:172`
 */
function outcomePlusTurnAdvantage(
  batch: Batch,
  reward: ShapedReward,
  scale: ScaleChoice,
  weight: number,
): Credit {
  const [N, T] = batch.shape;
  const answered = (n: number): boolean => batch.turnCount_n[n]! > 1;
  const turn_n = Float64Array.from({ length: N }, (_, n) => (answered(n) ? reward.reward_nt[n * T]! : 0));
  const outcome_n = turn_n.map((turn, n) => reward.return_n[n]! - turn);
  const compared = (reward_n: ArrayLike<number>): Float64Array =>
    groupAdvantage64(reward_n, batch.groupId, { baseline: "mean", ...withinGroup(scale) });
  const ofReturn = compared(reward.return_n);
  const ofOutcome = compared(outcome_n);
  const ofTurn = compared(turn_n);
  const advantage = new Float64Array(N * T);
  for (let n = 0; n < N; n++) {
    advantage.fill(answered(n) ? ofOutcome[n]! : ofReturn[n]!, n * T, n * T + batch.turnCount_n[n]!);
    if (answered(n)) advantage[n * T]! += weight * ofTurn[n]!;
  }
  return { level: "turn", advantage };
}
