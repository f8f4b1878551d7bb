import { withinGroup } from "../scale";
import { advantage, undiscounted } from "./contract";
import { groupAdvantage64 } from "./groupAdvantage";
import { allowSingleton } from "./knobs";

export const step = advantage({
  help: "Step reward of the turn, as it is; without one, the return minus the mean of its group.",
  equation: String.raw`A_t=s_t`,
  source:
    "AgentPRM, arXiv 2502.10325, where s is Q; scripts/dataproc/compute_prm_target.py:43 in github.com/sanjibanc/agent_prm at e471471",
  fields: { allowSingleton },
  label: () => "step reward",
  comparesGroups: true,
  scalesItself: false,
  takesStepReward: true,
  needsCritic: false,
  criticDiscount: undiscounted,
  wholeTrajectory: false,
  exactBaseline: () => undefined,
  assign({ allowSingleton: alone }, { batch, reward, scale }) {
    if (batch.step_nt) return { level: "turn", advantage: Float64Array.from(batch.step_nt) };
    const [N, T] = batch.shape;
    const outcome = groupAdvantage64(reward.return_n, batch.groupId, {
      baseline: "mean",
      allowSingleton: alone,
      ...withinGroup(scale),
    });
    return {
      level: "turn",
      advantage: Float64Array.from({ length: N * T }, (_, nt) => outcome[Math.floor(nt / T)]!),
    };
  },
});
