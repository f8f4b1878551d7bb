import type { Row } from "./row";
import { clip, clippedTokens, ourReuse, reuse, tokenClip } from "./shared";

/** Rules that judge a turn by where episodes ended: its own in hindsight, or all that went through its states. */
export const relabeled = {
  graphGpo: {
    title: "GraphGPO",
    equation: String.raw`A=A^E+wA^G,\quad A^E_i=\frac{R_i-\mathrm{mean}(R)}{\mathrm{std}(R)+\varepsilon},\quad A^G_t=\frac{x_t-\mathrm{mean}_s(x)}{\mathrm{std}_s(x)+\varepsilon},\quad s:\ \text{the group's turns that leave }s_t,\quad x_t=10\,\omega^{d(s_{t+1})},\quad d(s)=1+\min_{s\to s'}d(s'),\ d(\text{success})=0,\quad L=-\tfrac1M\sum\big(${clip}-\beta\,\mathrm{KL}_{ref}\big),\quad ${clippedTokens},\quad w=1,\ \omega=.1,\ \beta=.01`,
    source:
      "arXiv 2605.26684 [S]; examples/graphgpo/graph_credit.py (reverse_shortest_distances, graph_raw_returns, standardize_by_key) and run_alfworld_qwen2_5_1_5b.sh in redai-infra/Relax at 9545630, which reproduces the release in recipe/GraphGPO of langfengQ/verl-agent [P]",
    deviations: [
      "a state is what the agent observes, as in GiGPO; in the code, the observation, the commands that are possible and a record of what was seen",
      "an episode that fails ends in a state of its own, without a way to success; in the code in its last observation, which is no part of a batch here",
      "an episode succeeds if the world says so, or else if its return is above 0",
      "the exponent is the distance of the next state, as in the reproduction; the paper's Eq. 4 adds the turn's cost, 1, which but for the 1e-6 beside the deviation changes nothing",
      "no penalty of .1 for invalid actions",
      ourReuse,
    ],
    shown: [
      "with weight 0 it is GRPO with the mean over tokens and the KL to the reference",
      "in a group without a success the graph says nothing",
    ],
    fields: {
      ...tokenClip,
      advantage: "stateGraph",
      scale: "group",
      aggregate: "tokenMean",
      regularizer: { klReference: { coef: 0.01, form: "verl" } },
      update: reuse,
    },
  },
  hcapo: {
    title: "HCAPO",
    equation: String.raw`A_t=A^E+wA^H_t,\quad A^E_i=\frac{R_i-\mathrm{mean}(R)}{\mathrm{std}(R)+\varepsilon},\quad A^H_t=\frac{Q_t-\mathrm{mean}(Q)}{\mathrm{std}(Q)+\varepsilon}\ \text{over the group's turns},\quad A^H_t\ge0\ \text{in a success},\quad Q_t=\rho_t\gamma^{T-t}R,\quad\rho_t=\mathrm{clip}\Big(\frac{e^{s_t/5}}{\mathrm{mean}_ke^{s_k/5}},.8,1.2\Big),\quad s_t=\tfrac1{|y_t|}\log\pi(y_t\mid h_t,\text{outcome}),\quad L=-\tfrac1M\sum\big(${clip}-\beta\,\mathrm{KL}_{ref}\big),\quad ${clippedTokens},\quad w=1,\ \gamma=.95,\ \beta=.01`,
    source:
      "arXiv 2603.08754, Eq. 3 and 5 to 9 [S]; as transcribed in docs/methods_hcapo.md, RainyFields/Agentic-RL-CA at 126e514 [P]; no code is public",
    deviations: [
      "the hindsight probability of a turn is exact, by Bayes' rule on enumerated success probabilities; in the paper the policy reads the outcome in its prompt",
      "in a world with more than 10,000 sequences of turns, no turn is judged in hindsight, and stepReward/fracJudged is 0",
      "a failure is judged given the failure; the paper injects a success, and where a failure is paid 0 its Q is 0 either way",
      "mean and deviation of Q are those of all turns of the group, as in the paper's section 5.2 and Algorithm 1; the text next to Eq. 8 says at the same time step",
      "the mean over tokens is that of GiGPO's code, whose settings the paper keeps; its Eq. 9 averages each episode's turns first",
      "without smoothing, the paper's option: advantage.share .5 does it, and the last turn keeps its value",
      ourReuse,
    ],
    shown: [
      "with weight 0 it is GRPO with the mean over tokens and the KL to the reference",
      "its hindsight is that of the policy: a turn is as likely as among episodes that ended the same way (tested by counting)",
    ],
    fields: {
      ...tokenClip,
      reward: { step: "hindsight" },
      advantage: "hindsight",
      scale: "group",
      aggregate: "tokenMean",
      regularizer: { klReference: { coef: 0.01, form: "verl" } },
      update: reuse,
    },
  },
} as const satisfies Readonly<Record<string, Row>>;
