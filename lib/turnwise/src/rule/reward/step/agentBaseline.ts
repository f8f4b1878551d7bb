import { number } from "../../../schema";
import { stepReward } from "./contract";

export const agentBaseline = stepReward({
  help: "Minus a running mean of the returns that the agent of the turn has had; every trajectory is judged before it counts.",
  equation: String.raw`s_t=-b_k,\quad b_k\leftarrow\alpha b_k+(1-\alpha)R,\quad k=\text{agent of turn }t`,
  source: "RAE, SPIRAL, arXiv 2506.24119; train_spiral.py:490 in github.com/spiral-rl/spiral at a02d0ed",
  fields: {
    decay: number(0.95, {
      atLeast: 0,
      below: 1,
      help: "Share of the running mean that a new return leaves, alpha.",
    }),
  },
  label: ({ decay }) => [`minus the agent's running mean, decay ${decay}`],
  paid: false,
});
