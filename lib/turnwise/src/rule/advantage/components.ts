import { flag } from "../../schema";
import { componentAdvantage } from "./componentAdvantage";
import { withinGroup } from "../scale";
import { advantage, undiscounted } from "./contract";

export const components = advantage({
  help: "The group advantage of each part of the reward by itself, summed and then whitened over the batch.",
  equation: String.raw`A_i=\frac{\sum_kA^{(k)}_i-\mu_B}{\sigma_B+\varepsilon},\quad A^{(k)}_i=\frac{R^{(k)}_i-\mathrm{mean}(R^{(k)})}{F_k}`,
  source:
    "GDPO, arXiv 2601.05242; TRL 1.16.0, trl/trainer/grpo_trainer.py:2790 (normalize_then_sum); github.com/NVlabs/GDPO",
  fields: {
    splitTurns: flag(true, {
      help: "Whether what the last turn earns and what the turns before it earn are two parts; else the task's reward is one.",
    }),
    whiten: flag(true, { help: "Whether the sum is whitened over the trajectories of the batch." }),
  },
  label: ({ whiten }) => `parts of the reward${whiten ? ", whitened" : ""}`,
  comparesGroups: true,
  scalesItself: true,
  needsCritic: false,
  criticDiscount: undiscounted,
  wholeTrajectory: true,
  exactBaseline: () => undefined,
  assign: (o, { batch, reward, scale }) => ({
    level: "trajectory",
    advantage: componentAdvantage(batch, reward, withinGroup(scale), o),
  }),
});
