import { stepReward } from "./contract";

export const teacherGap = stepReward({
  help: "A turn is judged by how much likelier a teacher finds it than the policy that sampled it, in nats.",
  equation: String.raw`s_t=\sum_{l\in t}\log\frac{\nu(y_l\mid\cdot)}{\pi_{old}(y_l\mid\cdot)},\quad \nu=\text{teacher}`,
  source:
    "AgentOPSD, arXiv 2608.05987; verl/trainer/ppo/opsd_utils.py:390 in github.com/ZethWang/AgentOPSD at 0c478b2",
  fields: {},
  label: () => ["gap to a teacher"],
  paid: false,
});
