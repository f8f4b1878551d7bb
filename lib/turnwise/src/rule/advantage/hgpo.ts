import { flag, number, whole } from "../../schema";
import { advantage, undiscounted } from "./contract";
import { historyGroupAdvantage } from "./historyGroups";
import { gamma } from "./knobs";

export const hgpo = advantage({
  help: "The advantage among all visits of the same observation, averaged with those among visits that also share the observations before.",
  equation: String.raw`A_t=\frac{\sum_k(k+1)^\alpha A^{(k)}_t}{\sum_k(k+1)^\alpha},\quad A^{(k)}_t=\frac{Ret_t-\mathrm{mean}_{\text{same last }k\text{ observations}}(Ret)}{F},\quad Ret_t=\sum_j\gamma^{j-t}R_j`,
  source:
    "HGPO, ICLR 2026; recipe/hgpo/core_hgpo.py, verl-agent pull request 232 (github.com/xlan156/verl-agent)",
  fields: {
    history: whole(2, {
      atLeast: 0,
      help: "Number of observations before the present one that the finest groups share.",
    }),
    alpha: number(1, {
      atLeast: 0,
      help: "Exponent of the weights of finer groups; 0: all groups weigh the same.",
    }),
    episode: flag(false, { help: "Averages in the group advantage of the episode, with weight 1." }),
    gamma: gamma(0.95),
  },
  label: ({ history }) => `hgpo, history ${history}`,
  comparesGroups: true,
  scalesItself: true,
  needsCritic: false,
  criticDiscount: undiscounted,
  wholeTrajectory: false,
  exactBaseline: () => undefined,
  assign: (o, { batch, reward, scale }) => historyGroupAdvantage(batch, reward, o, scale),
});
