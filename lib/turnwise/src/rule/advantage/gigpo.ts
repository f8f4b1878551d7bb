import { number } from "../../schema";
import { gigpoAdvantage } from "./anchorStates";
import { advantage, undiscounted } from "./contract";
import { allowSingleton, gamma } from "./knobs";

export const gigpo = advantage({
  help: "The group advantage of the episode plus the advantage among all visits of the same observation.",
  equation: String.raw`A=A^E+wA^S,\quad A^E_i=\frac{R_i-\mathrm{mean}(R)}{F},\quad A^S_t=\frac{Ret_t-\mathrm{mean}_{\text{same anchor}}(Ret)}{F},\quad Ret_t=\sum_{k\ge t}\gamma^{k-t}R_k`,
  source: "GiGPO, arXiv 2505.10978; gigpo/core_gigpo.py in github.com/langfengQ/verl-agent",
  fields: {
    weight: number(1, { atLeast: 0, help: "Weight of the advantage among visits." }),
    gamma: gamma(0.95),
    allowSingleton,
  },
  label: ({ weight }) => `gigpo, w ${weight}`,
  comparesGroups: true,
  scalesItself: true,
  needsCritic: false,
  criticDiscount: undiscounted,
  wholeTrajectory: false,
  exactBaseline: () => undefined,
  assign: (o, { batch, reward, scale }) => gigpoAdvantage(batch, reward, o, scale),
});
