import { number, oneOf } from "../../../schema";
import { stepReward } from "./contract";

export const counterfactual = stepReward({
  help: "The first agent gets a bonus if the team succeeds where the others alone fail, and a malus the other way round.",
  equation: String.raw`s_{1,t}=\lambda\big([r>0>r']-[r<0<r']\big),\quad r=\pm1,\quad r'=\mathrm{mean}_{group}(r\text{ without agent }1)`,
  source:
    "CCPO, arXiv 2603.21563; CCPO/examples/gspo_trainer/two_model/two_model_trainer.py:1065 in github.com/bhai114/ccpo at ea50d3a",
  fields: {
    weight: number(0.2, {
      atLeast: 0,
      help: "Weight of the bonus, where success is 1 and failure -1; lambda.",
    }),
    bonus: oneOf(["event", "difference"], {
      help: "Size of the bonus: 1, 0 or -1 by who succeeds, or half the difference of the outcomes.",
    }),
    baseline: oneOf(["group", "own"], {
      help: "Outcome without the first agent: the mean of the group, or the trajectory's own.",
    }),
  },
  label: ({ weight }) => [`counterfactual x ${weight}`],
  paid: false,
});
