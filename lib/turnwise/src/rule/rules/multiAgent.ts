import type { Row } from "./row";
import { clip, clippedTokens, ourReuse, reuse, tokenClip, trlEpsilon, verlDualClips } from "./shared";

/** Rules that know who took a turn. */
export const multiAgent = {
  drMas: {
    title: "Dr. MAS",
    equation: String.raw`A=\frac{R_i-\mu_k}{\sigma_k},\quad k=(\text{task},\text{agent})`,
    source: "arXiv 2602.08847; compute_advantage in langfengQ/DrMAS at 19c632b [P]",
    deviations: [
      "every turn of an agent counts in its baseline, as in the code with group_by_agent_id (verl/trainer/ppo/core_algos.py:543; without it, one average for each trajectory): with one agent it is GRPO weighted by turns",
      "an agent that takes one turn in a group gets mean 0 and deviation 1 (core_algos.py:554); the code divides by 1 + 1e-6 there",
      "the mean over tokens (verl/trainer/config/ppo_trainer.yaml:58) and dual clip at 3 (core_algos.py:880) are the code's, which adds 1e-8 to the number of tokens (verl/utils/torch_functional.py:149)",
      ourReuse,
    ],
    shown: [],
    fields: {
      advantage: { kind: "mean", groupBy: "taskAgent", allowSingleton: true },
      scale: "group",
      ratio: "token",
      gate: "dualClip",
      aggregate: "tokenMean",
      update: reuse,
    },
  },
  happo: {
    title: "HAPPO, a turn as an agent",
    equation: String.raw`\mathbb{E}\big[\min(r_{i_m}M,\mathrm{clip}(r_{i_m})M)\big],\quad M=\prod_{j<m}\frac{\bar\pi^{i_j}}{\pi^{i_j}}\,\hat A`,
    source: "Zhong et al., JMLR 2024, Eq. 11, arXiv 2304.09870; PKU-MARL/HARL [P]",
    deviations: [
      "agents are turns of one policy, which may share parameters: HAML's guarantee assumes they do not [P]",
      "the factor multiplies the advantage; being positive, that equals multiplying min(...) from outside (tested)",
      "advantages are whitened with n in the variance and 1e-5 beside the deviation over all agents, as the code at d539bad does where each agent has a state of its own (harl/runners/on_policy_ha_runner.py:45); by default it whitens those of each agent by themselves (harl/algorithms/actors/happo.py:122). A turn's loss is the mean over those who act, as in the code (happo.py:81)",
      "gamma and lambda are 1 and there is no entropy bonus; the code has .99, .95 and .01 (harl/configs/algos_cfgs/happo.yaml:104, happo.yaml:106, happo.yaml:94)",
      ourReuse,
    ],
    shown: ["with one agent and the same whitening it is PPO"],
    fields: {
      advantage: { kind: "gae", level: "turn" },
      scale: { kind: "batch", unbiased: false, epsilon: 1e-5 },
      ratio: { level: "turn", pooling: "product" },
      gate: "clip",
      aggregate: { kind: "constant", length: 1, per: "turn" },
      order: { kind: "random", oldLogProb: "rollout", carry: { kind: "exact", pooling: "product" } },
      update: reuse,
    },
  },
  hierarchicalGrpo: {
    title: "Hierarchical GRPO",
    equation: String.raw`A_{solver}=R_i-\mathrm{mean}_{tree}(R),\quad A_{proposer}=\mathrm{mean}_{tree}(R)-\mathrm{mean}_{trees}(\cdot),\quad L=-\tfrac1M\sum_{i,t}\Big(\mathrm{sg}[r_t]A\log\pi_\theta(y_t)\,\mathbb 1[(\pi-\mu)\,\mathrm{sgn}A\le\delta]-\tau(\log r_t)^2\Big)`,
    source:
      "prime-rl at 559b447, src/prime_rl/orchestrator/algo/hierarchical_grpo.py:33 and src/prime_rl/trainer/rl/loss.py:146 [P]; no paper",
    deviations: [
      "a proposal is the first turn, its attempts are the trajectories that go on from it: four, as in the documentation's example",
      "a proposal is paid the mean of what its attempts earn; in the code the environment pays the proposer what it wants",
      "the proposal stands in each of its attempts and is trained once for each; the code has it once",
      "the loss is the code's default, DPPO at .2 with tau .001 (loss.py:146); a weight of more than 20, which it does not limit, is 20",
      ourReuse,
    ],
    shown: [
      "without forks it is GRPO's advantage without the deviation",
      "an attempt that has no mate, and a proposal without another, have advantage 0",
    ],
    fields: {
      forks: { kind: "atTurn", turn: 1, leaves: 4 },
      advantage: "branches",
      ratio: "token",
      gate: { kind: "dppo", divergence: "tv", deltaLow: 0.2, deltaHigh: 0.2, cap: 20 },
      aggregate: "tokenMean",
      regularizer: { klOld: { coef: 0.002, estimator: "k2" } },
      update: reuse,
    },
  },
  c3: {
    title: "C3",
    equation: String.raw`A_{i,t}=x-\mathrm{mean}(x\text{ of the siblings}),\quad x=\text{mean return of what follows the turn},\quad\text{siblings: alternatives after the same transcript},\quad L=-\tfrac1M\sum ${clip},\quad ${clippedTokens}`,
    source:
      "arXiv 2603.06859; c3/credit/c3/provider.py:81 (leave-one-out), c3/credit/c3/provider.py:506 (reward only), in EIT-EAST-Lab/C3 at 628185b [P]",
    deviations: [
      "two roles: the first is the first turn, the second all that follows; the code has one turn for each role and a fork before each",
      "two first turns with four continuations each, the code's default (c3/mas/rollout_generator.py:547)",
      "credit from returns alone (reward_only); the code's default takes the siblings' mean of a critic that reads text as the baseline instead (openrlhf/cli/train_ppo_ray_tooling.py:925)",
      "as released, siblings are then standardized (openrlhf/trainer/ppo_utils/experience_maker.py:1156), after which leaving one out changes nothing: (x - mean) / sqrt(var + 1e-8) either way [D]; here they are not, as in the paper",
      "a first turn stands in each of its continuations and is trained once for each; the code has it once",
      ourReuse,
    ],
    shown: [
      "but for its denominator, the mean over tokens, it is unbiased: the siblings' mean does not depend on what it judges (enumerated)",
      "n / (n - 1) times hierarchical GRPO's advantage, n the number of siblings: only the relative size of the two roles differs",
    ],
    fields: {
      ...tokenClip,
      forks: { kind: "atTurn", turn: 1, leaves: 4 },
      advantage: { kind: "branches", baseline: "leaveOneOut" },
      aggregate: "tokenMean",
      update: reuse,
    },
  },
  rae: {
    title: "RAE (SPIRAL)",
    equation: String.raw`A_{i,t}=R_i-b_k,\quad b_k\leftarrow\alpha b_k+(1-\alpha)R_i\ \text{afterwards},\quad k=\text{agent of turn }t,\quad L=-\frac{1}{N\,L_{max}}\sum_{i,t} ${clip}`,
    source:
      "SPIRAL, arXiv 2506.24119; train_spiral.py:490 in spiral-rl/spiral at a02d0ed; src/prime_rl/orchestrator/algo/rae.py:42 in PrimeIntellect-ai/prime-rl at 559b447 [P]",
    deviations: [
      "baselines belong to an agent; the code has one for each game as well, and here a run has one world",
      "every agent is paid the team's return: no world here is a zero-sum game, for which the paper has the rule",
      "trajectories count in the order of the batch, those of all starts in one baseline",
      "the constant denominator is that of the authors' loss (train_spiral.py:752), the longest trajectory of the batch layout here",
      "the authors by default drop turns with an advantage of 0 (filter_zero_adv, train_spiral.py:75, train_spiral.py:513); they stay here",
      ourReuse,
    ],
    shown: [
      "unbiased: a baseline is fixed before the trajectory that it judges is drawn",
      "with one agent it is REINFORCE with a running mean",
    ],
    fields: {
      ...tokenClip,
      reward: { step: "agentBaseline" },
      advantage: "returnPlusStep",
      aggregate: { kind: "constant", length: "maximum" },
      update: reuse,
    },
  },
  sharp: {
    title: "SHARP",
    equation: String.raw`A_{i,t}=\frac{x_{i,t}-\mu_k}{\sigma_k},\quad x_{i,t}=R_i+\lambda_s\big(R(\tau)-R(\tau\setminus m)\big)+\lambda_pR_{tool},\quad k=(\text{task},\text{agent }m\text{ of turn }t),\quad L=-\frac1G\sum_i\frac{1}{|o_i|}\sum_t ${clip}`,
    source:
      "arXiv 2602.08335, broadcast, marginal and tool reward, normalized by agent [P]; no code is public",
    deviations: [
      "the weights of marginal and tool reward, 1 and .1, are ours: the paper's are known second hand only [S]",
      "an agent is masked by silence: the end of the turn, or the last word of the vocabulary throughout; each trajectory is played again from its start with the same draws, once for each agent",
      "the tool reward is the share of an agent's turns in the episode that the world could parse",
      "the marginal is one-sided: it is the Shapley value only where agents neither need nor replace each other (teamShapley has the exact one)",
      trlEpsilon,
      ourReuse,
    ],
    shown: [
      "without marginal and tool reward it is GRPO with one baseline for each agent",
      "what is left without an agent does not depend on what that agent writes: without tool reward and normalisation, the mean step is the plain one times 1 + lambda_s [D]",
    ],
    fields: {
      ...tokenClip,
      reward: { step: "marginal" },
      advantage: { kind: "agentPlusStep", allowSingleton: true },
      scale: "group",
      aggregate: "sequenceMeanTokenMean",
      update: reuse,
    },
  },
  ccpo: {
    title: "CCPO",
    equation: String.raw`A_{i,t}=x_{i,t}-\mathrm{mean}_{(\text{task},\,\text{agent})}(x),\quad x_{i,t}=2R_i+\lambda\big([r_i>0>r']-[r_i<0<r']\big)\mathbb 1[\text{agent }1],\quad r_i=\pm1,\quad r'=\mathrm{mean}_{task}(r\text{ without agent }1),\quad L=-\tfrac1M\sum ${clip},\quad ${clippedTokens},\quad\lambda=.2`,
    source:
      "arXiv 2603.21563v3; CCPO/examples/gspo_trainer/two_model/two_model_trainer.py:1065 and CCPO/examples/grpo_trainer/run_qwen2_5_1_5b_grpo_two_model.sh in bhai114/ccpo at ea50d3a [P]",
    deviations: [
      "the form with GRPO's token ratios; with GSPO's the ratio is the trajectory's. The paper takes any optimizer",
      "the code's rewards are 1 and -1; here a success pays 1 and a failure 0, twice as much after the weight of the environment's reward",
      "both agents learn from every batch; the code trains one of two models for ten steps and then the other",
      "the first agent is masked by silence, and each trajectory is played again from its start with the same draws; in the code the second agent gets a prompt of its own without the first one's words",
      "every turn of an agent counts in its baseline; in the code each agent has one",
      "the first version of the paper has another form: tanh of the difference, standardized by a moving average (CCPO-v1/src/verl/verl/workers/reward_manager/historical_normalizer.py:182)",
      "the paper's second credit, from the agents' opinions of themselves and each other, needs a language model",
      verlDualClips(),
      ourReuse,
    ],
    shown: [
      "where success alone is paid, the bonus multiplies the first agent's advantages by 1 + lambda / 2 in every group, whatever the others reach alone, unless that is exactly half of the group's tries; divided by the group's deviation, it changes nothing (tested) [D]",
      "with the trajectory's own outcome without the agent, the same holds on average, as that outcome does not depend on what the agent writes [D]",
    ],
    fields: {
      ...tokenClip,
      reward: { environment: 2, step: "counterfactual" },
      advantage: { kind: "agentPlusStep", allowSingleton: true },
      aggregate: "tokenMean",
      update: reuse,
    },
  },
} as const satisfies Readonly<Record<string, Row>>;
