import { fraction } from "../../../schema";
import { stepReward } from "./contract";

export const monteCarlo = stepReward({
  help: "A turn is judged by the mean outcome of all rollouts that took it after the same history, against that of all that came there.",
  equation: String.raw`s_t=\hat Q(h_t,a_t)-\hat V(h_t),\quad\hat Q(h,a)=\mathrm{mean}_{\tau\ni(h,a)}\sum_{k\ge t}\gamma^{k-t}R_k`,
  source:
    "AgentPRM, arXiv 2502.10325 (not 2511.08325, which shares the name); scripts/dataproc/compute_prm_target.py:43 in github.com/sanjibanc/agent_prm at e471471",
  fields: {
    gamma: fraction(1, { help: "Discount per turn of what comes after the turn." }),
    memory: fraction(0.5, {
      help: "Weight of earlier counts after each update: 0 forgets them, and 1 keeps all, those of older policies included.",
    }),
  },
  label: ({ memory }) => [`Monte Carlo Q - V, memory ${memory}`],
  paid: false,
});
