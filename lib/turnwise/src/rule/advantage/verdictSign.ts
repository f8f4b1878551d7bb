import { withinGroup } from "../scale";
import { advantage, undiscounted } from "./contract";
import { groupAdvantage64 } from "./groupAdvantage";

export const verdictSign = advantage({
  help: "The group advantage of the trajectory, turned positive on a turn that is judged true and negative on one judged false.",
  equation: String.raw`A_t=\begin{cases}A_i&s_tA_i\ge 0\\-A_i&\text{else}\end{cases},\quad A_i=\frac{R_i-\mathrm{mean}(R)}{F}`,
  source:
    "FSPO, arXiv 2505.24630 (factuality, not 2509.09177); verl/trainer/ppo/ray_trainer.py:150 in github.com/nusnlp/FSPO at 7f5e4f9",
  fields: {},
  label: () => "verdictSign",
  comparesGroups: true,
  scalesItself: false,
  needsCritic: false,
  criticDiscount: undiscounted,
  wholeTrajectory: false,
  exactBaseline: () => undefined,
  assign(_, { batch, reward, scale }) {
    const [N, T] = batch.shape;
    const whole = groupAdvantage64(reward.return_n, batch.groupId, {
      baseline: "mean",
      ...withinGroup(scale),
    });
    const result = new Float64Array(N * T);
    for (let n = 0; n < N; n++) {
      for (let t = 0; t < batch.turnCount_n[n]!; t++) {
        const said = batch.step_nt?.[n * T + t] ?? 0;
        result[n * T + t] = said * whole[n]! >= 0 ? whole[n]! : 0 - whole[n]!;
      }
    }
    return { level: "turn", advantage: result };
  },
});
