import { count, fraction, number } from "../../../schema";
import { stepReward } from "./contract";

export const vote = stepReward({
  help: "Judges vote 1 or -1 on each turn; a vote is wrong now and then, a coin where there is no truth, and judges can learn.",
  equation: String.raw`s_t=\frac1V\sum_{v}\nu_v,\quad \nu_v\in\{1,-1\}`,
  source:
    "RLAnything, arXiv 2602.02488; reward/alfworld_rl_reward.py:287 in github.com/Gen-Verse/Open-AgentRL at 1fe5dbd",
  fields: {
    votes: count(3, { help: "Number of votes for each turn." }),
    error: fraction(0.2, { help: "Probability that a vote is wrong before the judge has learned anything." }),
    learningRate: number(0, {
      atLeast: 0,
      help: "Step size with which the judge learns from (outcome + mean vote) x vote; 0: it does not learn.",
    }),
  },
  label: ({ votes, error, learningRate }) => [
    `${votes} votes, error ${error}${learningRate === 0 ? "" : ", judge learns"}`,
  ],
  paid: false,
});
