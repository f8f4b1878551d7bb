import { advantage, undiscounted } from "./contract";
import { tokenGae } from "./criticAdvantage";
import { gamma } from "./knobs";

export const returnToGo = advantage({
  help: "Return from a token on: a turn's reward falls on its last token, and a token's penalty on that token.",
  equation: String.raw`A_t=\sum_{k\ge t}\gamma^{k-t}R_k`,
  source: "REINFORCE++, arXiv 2501.03262; verl, trainer/ppo/core_algos.py, github.com/volcengine/verl",
  fields: { gamma: gamma(1) },
  label: () => "return to go",
  comparesGroups: false,
  scalesItself: false,
  needsCritic: false,
  criticDiscount: undiscounted,
  wholeTrajectory: false,
  exactBaseline: (o) => (o.gamma === 1 ? "none" : undefined),
  // GAE with lambda = 1 of a critic that says 0.
  assign: ({ gamma }, { batch, reward }) =>
    tokenGae(
      batch,
      reward,
      { gamma, lambda: 1 },
      { value_nt: new Float64Array(batch.shape[0] * batch.shape[1]) },
    ),
});
