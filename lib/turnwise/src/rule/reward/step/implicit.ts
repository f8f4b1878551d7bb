import { number, oneOf } from "../../../schema";
import { stepReward } from "./contract";

export const implicit = stepReward({
  help: "A turn is judged by how much likelier a second policy finds it that has learned to prefer the better trajectory of each pair.",
  equation: String.raw`s_t=\beta\sum_{l\in t}\log\frac{\pi_\phi(y_l)}{\pi_{old}(y_l)},\quad L_\phi=-\log\sigma\big(Q_\phi(\tau^+)-Q_\phi(\tau^-)\big),\quad Q_\phi(\tau)=\mathrm{mean}_t\,s_t`,
  source:
    "iStar, arXiv 2509.19199; CharacterRL-iStar/istar/dp_rm.py:173 and istar/rm_utils.py:43 in github.com/Tongyi-ConvAI/Qwen-Character at 1de87a2",
  fields: {
    beta: number(0.05, { above: 0, help: "Step reward for a nat of log-ratio." }),
    pooling: oneOf(["mean", "sum"], {
      help: "Pooling of the steps of a trajectory for the preference: the released code takes their mean, the paper's formula their sum.",
    }),
    learningRate: number(0.06, {
      above: 0,
      help: "Step size of the second policy's Adam; twice the policy's, as in the released launchers.",
      slider: { min: 1e-3, max: 1, log: true },
    }),
  },
  label: ({ beta }) => [`implicit, beta ${beta}`],
  paid: false,
});
