/** One file because these rows are read and compared from top to bottom, as they stand in the printed table. */
// One file because the rules of a group are read beside each other: most differ from a neighbor by a field or two.
import { boundedStep } from "./boundedStep";
import { regularized } from "./regularized";
import type { Row } from "./row";
import {
  clip,
  clippedTokens,
  groupMeanAndStd,
  groupStd,
  noKl,
  oneStep,
  ourReuse,
  reuse,
  sumOfLogProbs,
  tokenClip,
  trlEpsilon,
  verlDualClips,
} from "./shared";

/** Rules that compare whole trajectories of a group and need no critic. */
export const criticFree = {
  reinforce: {
    title: "REINFORCE",
    equation: String.raw`L=-\frac1N\sum_i R_i\sum_t\log\pi_\theta(y_{i,t})`,
    source: "Williams, Machine Learning 8 (1992) [std]",
    deviations: ['without baseline; advantage: "mean" adds the group\'s'],
    shown: ["unbiased: mean of sampled gradients within 4 standard errors of the enumerated one"],
    fields: { ...sumOfLogProbs, update: oneStep },
  },
  reinforcePlusPlus: {
    title: "REINFORCE++",
    equation: String.raw`A_t=\frac{G_t-\mu_B}{\sigma_B},\quad G_t=\sum_{k\ge t}R_k\ \text{over tokens},\quad L=-\tfrac1M\sum ${clip},\quad ${clippedTokens}`,
    source:
      "arXiv 2501.03262; OpenRLHF 0.11.2, openrlhf/trainer/ppo_utils/experience_maker.py:330; verl 0.9.1, verl/trainer/ppo/core_algos.py:728 [P]",
    deviations: [
      "mean and deviation are those of all tokens of the batch, so a long trajectory counts more; n in the variance as OpenRLHF (experience_maker.py:332), where verl has n - 1 (verl/utils/torch_functional.py:343)",
      "the KL inside the reward is off; reward.kl switches it on: a token is charged its own KL and that of the tokens after it",
      "TRL's RLOOConfig(normalize_advantages=True) is another rule: leave-one-out advantages, one for each trajectory",
      verlDualClips(),
      ourReuse,
    ],
    shown: [
      "its advantages, loss and gradient are those of OpenRLHF's code, but for 1e-6 beside the deviation (CONFORMANCE.md)",
    ],
    fields: {
      ...tokenClip,
      advantage: "returnToGo",
      scale: { kind: "batch", unbiased: false },
      aggregate: "tokenMean",
      update: reuse,
    },
  },
  rloo: {
    title: "RLOO",
    equation: String.raw`A_i=R_i-\frac{1}{G-1}\sum_{j\ne i}R_j,\quad L=-\frac1N\sum_iA_i\sum_t\log\pi_\theta(y_{i,t})`,
    source: "arXiv 2402.14740; verl, TRL [P]",
    deviations: [],
    shown: [
      "unbiased: mean of sampled gradients within 4 standard errors of the enumerated one",
      "G / (G - 1) times REINFORCE with the group's own mean, exactly",
    ],
    fields: { ...sumOfLogProbs, advantage: "leaveOneOut", update: oneStep },
  },
  loop: {
    title: "LOOP",
    equation: String.raw`A_i=R_i-\frac{1}{G-1}\sum_{j\ne i}R_j,\quad L=-\tfrac1M\sum ${clip},\quad ${clippedTokens}`,
    source: "arXiv 2502.01600 [S], abstract [P]",
    deviations: [
      "the loss denominator is not known to us; tokenMean is our choice [U]",
      verlDualClips(),
      ourReuse,
    ],
    shown: [],
    fields: { ...tokenClip, advantage: "leaveOneOut", aggregate: "tokenMean", update: reuse },
  },
  grpo: {
    title: "GRPO",
    equation: String.raw`${groupStd},\quad L=-\frac1G\sum_i\frac{1}{|o_i|}\sum_t ${clip}`,
    source: "arXiv 2402.03300; TRL [P]",
    deviations: [
      noKl,
      trlEpsilon,
      "a group of one is refused",
      verlDualClips(" and averages over tokens: recipe verlGrpo"),
      ourReuse,
    ],
    shown: [
      "with groups of two prefers the worse arm of RAGEN's bandit at every policy (D_2 = -1/2) [D]",
      "with two hidden contexts lowers J from .2300 to .2131 in one step; without std it rises to .2444 [D]",
    ],
    fields: { ...groupMeanAndStd, ...tokenClip, aggregate: "sequenceMeanTokenMean", update: reuse },
  },
  verlGrpo: {
    title: "GRPO, as verl has it",
    equation: String.raw`${groupStd},\quad L=-\tfrac1M\sum\max\!\big(\min(rA,\mathrm{clip}(r)A),\,3A\big)\ \text{if}\ A<0`,
    source:
      "arXiv 2402.03300; verl 0.9.1, verl/trainer/ppo/core_algos.py:1323, verl/workers/config/actor.py:164 [P]",
    deviations: [
      "dual clip at 3, as verl's vanilla loss always has it (core_algos.py:1323), and the mean over tokens, its default (workers/config/actor.py:164)",
      "a group of one gets mean 0 and deviation 1 (core_algos.py:315); the code divides by 1 + 1e-6 there",
      "with seq-mean-token-mean the code adds 1e-8 to the number of tokens (core_algos.py:1196)",
      "the KL term is off, as in verl's default (workers/config/actor.py:171)",
      ourReuse,
    ],
    shown: [
      "as it stands, its advantages, loss and gradient are those of verl's code to 1e-12 (CONFORMANCE.md)",
    ],
    fields: {
      advantage: { kind: "mean", allowSingleton: true },
      scale: "group",
      ratio: "token",
      gate: { kind: "dualClip", dualClip: 3 },
      aggregate: "tokenMean",
      update: reuse,
    },
  },
  drGrpo: {
    title: "Dr. GRPO",
    equation: String.raw`A_i=R_i-\mathrm{mean}(R),\quad L=-\frac{1}{N\,L_{max}}\sum_{i,t} ${clip}`,
    source: "arXiv 2503.20783; TRL [P]",
    deviations: ["L_max is turns x tokens of the batch layout", ourReuse],
    shown: ["(G - 1) / G of the exact gradient, within 4 standard errors [D]"],
    fields: {
      ...tokenClip,
      advantage: "mean",
      aggregate: { kind: "constant", length: "maximum" },
      update: reuse,
    },
  },
  dapo: {
    title: "DAPO",
    equation: String.raw`${groupStd},\quad L=-\frac{\sum_i\sum_t ${clip}}{\sum_i|o_i|},\quad \epsilon_{lo}=.2,\ \epsilon_{hi}=.28`,
    source: "arXiv 2503.14476; TRL, verl recipe [P]",
    deviations: [
      "the length limits of the paper (20480, 4096) do not bind on small tasks",
      trlEpsilon,
      verlDualClips(),
      ourReuse,
    ],
    shown: [],
    fields: {
      ...groupMeanAndStd,
      ratio: "token",
      gate: { kind: "clip", clipLow: 0.2, clipHigh: 0.28 },
      aggregate: "tokenMean",
      filter: "zeroVariance",
      reward: { overlong: { maxLength: 20480, buffer: 4096 } },
      update: reuse,
    },
  },
  gspo: {
    title: "GSPO",
    equation: String.raw`s_i=\Big(\frac{\pi_\theta(o_i)}{\pi_{old}(o_i)}\Big)^{1/|o_i|},\quad L=-\frac1G\sum_i\min(s_iA_i,\mathrm{clip}(s_i)A_i)`,
    source: "arXiv 2507.18071; TRL, verl [P]",
    deviations: [
      "direct sequence form; verl's token form (verl/trainer/ppo/core_algos.py:1589) has the same gradient (tested)",
      trlEpsilon,
      "the paper's bounds 3e-4/4e-4 suit sequences of thousands of tokens: on turns of two tokens the first minibatch uses them up, so widen gate.clipLow and gate.clipHigh",
    ],
    shown: ["a length-normalized ratio is no density ratio: a clipped step lowers J from .4657 to .3478 [D]"],
    fields: {
      ...groupMeanAndStd,
      ratio: { level: "trajectory", pooling: "geometric" },
      gate: { kind: "clip", clipLow: 3e-4, clipHigh: 4e-4 },
      aggregate: "sequenceMeanTokenMean",
      update: { epochs: 1, minibatches: 4 },
    },
  },
  sapo: {
    title: "SAPO",
    equation: String.raw`L=-\frac1G\sum_i\frac{1}{|o_i|}\sum_t\frac4\tau\,\sigma(\tau(r_t-1))A,\quad \tau=1\ (A>0),\ 1.05\ (A\le0)`,
    source: "arXiv 2511.20347; TRL, verl, AReaL [P]",
    deviations: [trlEpsilon, ourReuse],
    shown: ["at ratio 1 has the gradient of REINFORCE, whatever its temperatures"],
    fields: {
      ...groupMeanAndStd,
      ratio: "token",
      gate: { kind: "sapo", tauPositive: 1, tauNegative: 1.05 },
      aggregate: "sequenceMeanTokenMean",
      update: reuse,
    },
  },
  maxRl: {
    title: "MaxRL",
    equation: String.raw`A_i=\frac{R_i-\mathrm{mean}(R)}{\mathrm{mean}(R)},\quad L=-\tfrac1M\sum\max\!\big(\min(rA,\mathrm{clip}(r)A),\,3A\big)\ \text{if}\ A<0`,
    source:
      "arXiv 2602.02710; verl/trainer/ppo/core_algos.py:437 in tajwarfahim/maxrl at c0698eb, src/prime_rl/orchestrator/algo/max_rl.py in PrimeIntellect-ai/prime-rl at 0d6738f [P]",
    deviations: [
      "a group whose mean is not above 0 gets 0 and nothing stands beside the mean, as in prime-rl; the authors add 1e-6, which makes a negative mean turn the sign: rewards are meant to be 0 or 1, and where penalties outweigh what was won, as at the start of LookUp-v0, nothing is learned",
      "a group of one is refused; the authors' code gives it 1e6 times its reward (core_algos.py:425), prime-rl gives it 0",
      "dual clip at 3 (core_algos.py:1207) and the mean over tokens (verl/trainer/config/ppo_trainer.yaml:234) are those of the authors' verl; both bend the truncated likelihood, which holds for the plain sum of log-probs",
      ourReuse,
    ],
    shown: [
      "with the plain sum of log-probs and rewards 0 or 1 its expected gradient is that of the log-likelihood truncated at order G - 1, exactly; prime-rl's comment says G, which holds for the form that also subtracts the mean where all fail [D]",
    ],
    fields: {
      advantage: "mean",
      scale: "mean",
      ratio: "token",
      gate: { kind: "dualClip", dualClip: 3 },
      aggregate: "tokenMean",
      update: reuse,
    },
  },
  opo: {
    title: "OPO",
    equation: String.raw`A_i=R_i-\frac{\sum_jl_jR_j}{\sum_jl_j},\quad L=-\frac1N\sum_iA_i\sum_t\log\pi_\theta(y_{i,t})`,
    source: "arXiv 2505.23585; verl 0.9.1, verl/trainer/ppo/core_algos.py:639 [P]",
    deviations: [
      "one step on the sum of log-probs, without a ratio, as exact on-policy training asks; verl has the estimator alone and leaves the loss to the trainer",
      "a group of one is refused; verl gives it its return (core_algos.py:679)",
      "l_j is the number of sampled tokens, the paper's stand-in for the squared norm of the score",
    ],
    shown: [
      "where all lengths are equal it is REINFORCE with the group's mean, (G - 1) / G of the exact gradient",
      "where lengths differ its expected step is no multiple of the exact gradient: a return is in its own baseline, weighted by its own length [D]",
    ],
    fields: { ...sumOfLogProbs, advantage: "lengthWeighted", update: oneStep },
  },
  reinforcePlusPlusBaseline: {
    title: "REINFORCE++-baseline",
    equation: String.raw`A_i=\frac{(R_i-\bar R)-\mu_B}{\sigma_B},\quad \mu_B,\sigma_B\ \text{over tokens},\quad L=-\tfrac1M\sum ${clip},\quad ${clippedTokens}`,
    source:
      "arXiv 2501.03262; OpenRLHF 0.11.2, openrlhf/trainer/ppo_utils/experience_maker.py:272 and :330 (reinforce_baseline); verl 0.9.1, verl/trainer/ppo/core_algos.py:536 [P]",
    deviations: [
      "n in the variance as OpenRLHF, whose authors wrote the paper; verl has n - 1 (verl/utils/torch_functional.py:343)",
      "the KL to the reference is off, as in verl's default (verl/workers/config/actor.py:171); regularizer.klReference switches it on",
      "a group of one is refused; verl keeps its return (core_algos.py:573)",
      verlDualClips(),
      ourReuse,
    ],
    shown: [
      "where all trajectories are equally long it is the group's mean with scale batch, exactly",
      "where lengths differ, tokens have mean 0 and trajectories do not: with one group, the baseline is the mean by length, which is OPO's",
    ],
    fields: {
      ...tokenClip,
      advantage: "mean",
      scale: { kind: "tokens", unbiased: false },
      aggregate: "tokenMean",
      update: reuse,
    },
  },
  reMax: {
    title: "ReMax",
    equation: String.raw`A_i=R_i-R(\tau_{greedy}),\quad L=-\frac1N\sum_iA_i\sum_t\log\pi_\theta(y_{i,t})`,
    source: "arXiv 2310.10505; verl 0.9.1, verl/trainer/ppo/core_algos.py:735 [P]",
    deviations: [
      "one greedy episode for each start, whatever the group size; the paper samples one response for each prompt, here groups: n and groupSize: 1",
      "in a world that draws, the greedy episode has its own draws after the start",
      "verl has the estimator alone and leaves the loss to the trainer; here one step on the sum of log-probs, without a ratio",
      "the paper's KL in the reward is off; reward.kl switches it on for the trajectory, not for the greedy episode",
    ],
    shown: [
      "unbiased: the expected step is the exact gradient, by enumeration",
      "where the policy is certain it is 0, and where the greedy episode fails it is REINFORCE",
    ],
    fields: {
      ...sumOfLogProbs,
      reward: { step: "greedyBaseline" },
      advantage: "returnPlusStep",
      update: oneStep,
    },
  },
  gpg: {
    title: "GPG",
    equation: String.raw`L=-\frac{\alpha}{B}\sum_i\frac{1}{|o_i|}\sum_t(R_i-\mathrm{mean}(R))\log\pi_\theta(y_t),\quad\alpha=\frac{B}{B-M},\quad M=\text{trajectories of groups without spread}`,
    source:
      "arXiv 2504.02546; VisualThinker-R1-Zero/src/open-r1-multimodal/src/open_r1/trainer/grpo_trainer.py:742 (loss), grpo_trainer.py:666 (advantage) in AMAP-ML/GPG at e096da8; verl 0.9.1, verl/trainer/ppo/core_algos.py:771 [P]",
    deviations: [
      "alpha times the mean over all is the mean over the groups that have a spread, which the filter keeps; the code divides by the share of these + 1e-5 (grpo_trainer.py:778)",
      "beta_th, the share below which the code samples more groups (grpo_trainer.py:639), is 0: filter.maxGenerations does that",
      "verl's alpha counts returns other than 0 instead (core_algos.py:810): with rewards of 0 and 1, a group that all solve counts there, and the failures of a mixed one do not",
      "the epochs are one, as there is no ratio; the learning rate is ours",
    ],
    shown: [
      "where all groups have a spread it is REINFORCE with the group's mean, averaged by token within each trajectory, exactly",
    ],
    fields: {
      advantage: "mean",
      ratio: "none",
      gate: "none",
      aggregate: "sequenceMeanTokenMean",
      filter: { kind: "zeroVariance", maxGenerations: 1 },
      update: oneStep,
    },
  },
  grpoPassK: {
    title: "GRPO for pass@k",
    equation: String.raw`A_i=\frac{\max_jR_j-\max_{j\ne i}R_j}{\mathrm{std}(R)+\varepsilon},\quad L=-\tfrac1M\sum ${clip},\quad ${clippedTokens}`,
    source: "arXiv 2503.19595; verl 0.9.1, verl/trainer/ppo/core_algos.py:472 (grpo_passk) [P]",
    deviations: [
      "k is the group size, as in verl; no group of one there either (core_algos.py:516)",
      "the loss is verl's default, whose dual clip never acts, as no advantage is below 0",
      ourReuse,
    ],
    shown: [
      "without the deviation its expected step is the gradient of the expected best of a group, so of pass@k for rewards of 0 and 1 (enumerated) [D]",
      "with rewards of 0 and 1 only a group with exactly one success teaches anything, and the deviation, which all these groups share, only scales the step",
    ],
    fields: {
      ...tokenClip,
      advantage: "bestOfGroup",
      scale: "group",
      aggregate: "tokenMean",
      update: reuse,
    },
  },
  ...boundedStep,
  ...regularized,
  pacedRl: {
    title: "PACED-RL",
    equation: String.raw`\delta_i=\log\hat Z+\log\pi(y_i)-\tfrac{R_i}{\beta}-\log\pi_{ref}(y_i),\quad L=\tfrac\beta2\,\mathrm{mean}\,\delta_i^2,\quad \log\hat Z=\mathrm{mean}_{group}\big(\tfrac{R_i}{\beta}+\log\tfrac{\pi_{ref}}{\pi}(y_i)\big);\quad A_i=R_i-\beta\log\tfrac{\pi_{old}}{\pi_{ref}}(y_i)-\beta\log\hat Z`,
    source:
      "arXiv 2602.12642, abstract [P], no public code known; its trajectory balance: FlowRL, arXiv 2509.15207, verl, recipe/flowrl/functions.py (compute_flowrl_objective_clip_only) [S]; log Z as the mean of a group: arXiv 2503.18929 [S]",
    deviations: [
      "the trajectory balance of the paper's GFlowNet at the first step of a batch: beta / 2 times its gradient, with Z held, which is the advantage above [D]",
      "log Z is the mean of the group, where the paper learns it with a network; partitions of turnwise/search enumerates it",
      "log-probs are summed over a trajectory, where FlowRL averages them over its tokens, and FlowRL divides rewards by the group's deviation and clips",
      "how tasks are chosen, by an accuracy that is read off Z, belongs to the world: curriculum with a PartitionSampler; the replay by the error of that estimate is not built",
      "beta 1/15 as FlowRL's coefficient 15 on the reward [S]",
      ourReuse,
    ],
    shown: [
      "its gradient is beta / 2 times that of the trajectory balance, by finite differences",
      "where the reference is the policy that sampled, it is REINFORCE with the group's mean",
    ],
    fields: {
      ...sumOfLogProbs,
      reward: { kl: { coef: 1 / 15, estimator: "k1" } },
      advantage: "mean",
      update: oneStep,
    },
  },
  tpo: {
    title: "TPO",
    equation: String.raw`L=-\frac1P\sum_{groups}\sum_iq_i\log p_i(\theta),\quad p_i=\frac{\pi_\theta(y_i)}{\sum_j\pi_\theta(y_j)},\quad q_i=\frac{p^{old}_ie^{u_i/\eta}}{\sum_jp^{old}_je^{u_j/\eta}},\quad u_i=\frac{R_i-\mathrm{mean}(R)}{\mathrm{std}(R)},\quad\eta=1;\quad A_i=G(q_i-p_i(\theta))\text{ before each step}`,
    source:
      "arXiv 2604.06159, Eq. 1 to 3; src/tpo/algorithms.py:296, src/tpo/experiments/_trial.py:340 (old shares), _trial.py:372 (loss) in JeanKaddour/tpo at 73473b9 [P]",
    deviations: [
      "the cross-entropy by its gradient, G (q - p) on each trajectory's log-prob divided by the number of trajectories, which is the mean over groups where all have one size [D]; the logged loss is that of the advantages",
      "u is 0 where all returns are equal and divided by the deviation (n) elsewhere; the code divides where that is above 1e-6 (algorithms.py:292)",
      "four epochs over the whole batch, as in the code's configurations (src/tpo/config.py:103); Adam instead of Muon, and the learning rate is ours",
    ],
    shown: [
      "its gradient is that of the cross-entropy, and vanishes where the policy meets the target (tested)",
      "with a high temperature of the target, its first step is that of the advantages G p (u - sum of p u) / eta [D]",
    ],
    fields: {
      ...sumOfLogProbs,
      advantage: "target",
      scale: { kind: "group", unbiased: false, epsilon: 0 },
      update: { epochs: 4, minibatches: 1, optimizer: { learningRate: 0.1 } },
    },
  },
  optimalToken: {
    title: "optimal token baseline",
    equation: String.raw`A_t=G_t-\frac{\sum_jG_{j,t}W_{j,t}}{\sum_jW_{j,t}},\quad W_t=\sum_{k\le t}\Big(1-2\pi(y_k)+\sum_v\pi(v)^2\Big),\quad L=-\frac1N\sum_{i,t}A_{i,t}\log\pi_\theta(y_{i,t})`,
    source:
      "arXiv 2602.07078; verl 0.9.1, verl/trainer/ppo/core_algos.py:990 (multi-turn), core_algos.py:871 [P]",
    deviations: [
      "verl has the estimator alone and leaves the loss to the trainer; here one step on the sum of log-probs, without a ratio",
      "1e-8 beside the sum of weights is left out (core_algos.py:1094); where all weights are 0 the baseline is",
      "the places that the longest trajectory alone reaches keep their return, as with handle_zero_tail (core_algos.py:1099)",
      "its importance weights under another rollout engine (core_algos.py:1047) are left out",
    ],
    shown: [
      "where all weights are equal it subtracts the group's mean of what is still earned",
      "its own return is in the baseline: its expected step is no multiple of the exact gradient [D]",
      "on a coin that pays with probability .1 a step of groups of 16 has half the relative variance of the group's mean, groups of 4 none less, and these shrink the expected step to .29 of the gradient [D]",
    ],
    fields: { ...sumOfLogProbs, advantage: "optimalToken", update: oneStep },
  },
  gdpo: {
    title: "GDPO",
    equation: String.raw`A_i=\frac{\sum_kA^{(k)}_i-\mu_B}{\sigma_B+\varepsilon},\quad A^{(k)}_i=\frac{R^{(k)}_i-\mathrm{mean}(R^{(k)})}{\mathrm{std}(R^{(k)})+\varepsilon},\quad L=-\tfrac1M\sum ${clip}`,
    source:
      "arXiv 2601.05242; TRL 1.16.0, trl/trainer/grpo_trainer.py:2790; verl 0.9.1, verl/trainer/ppo/core_algos.py:361 [P]",
    deviations: [
      "the parts of the reward are what the last turn earned, what the turns before it earned, and each term with which the rule shapes the reward; all weigh the same, as by default in both codes",
      "whitened over trajectories with n - 1 and 1e-4, as in TRL (grpo_trainer.py:2798); verl whitens over tokens (core_algos.py:466)",
      "a part without spread in a group gets 0",
      verlDualClips(),
      ourReuse,
    ],
    shown: [
      "with one part and no whitening it is GRPO's advantage; whitening alone scales that by one number for the batch, as every group's mean is 0",
      "in groups of four its expected step has cosine .25 with the exact gradient on the game \"look up\": a call's price of 1/8, which no answer drowns any more, weighs as much as an answer's 1 [D]",
    ],
    fields: {
      advantage: "components",
      scale: { kind: "group", epsilon: 1e-4 },
      ...tokenClip,
      aggregate: "tokenMean",
      update: reuse,
    },
  },
} as const satisfies Readonly<Record<string, Row>>;
