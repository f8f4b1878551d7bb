import { stepReward } from "./contract";

export const greedyBaseline = stepReward({
  help: "Minus the return of a greedy episode from the same start, for every turn: a baseline that costs one episode for each start.",
  equation: String.raw`s_t=-R(\tau_{greedy}),\quad \tau_{greedy}:\ y_t=\arg\max_v\pi(v\mid\cdot)`,
  source:
    "ReMax, arXiv 2310.10505; verl 0.9.1, verl/trainer/ppo/core_algos.py:735, github.com/volcengine/verl",
  fields: {},
  label: () => ["minus the greedy return"],
  paid: false,
});
