import type { Row } from "./row";
import {
  clip,
  clippedTokens,
  groupMeanAndStd,
  noKl,
  oneStep,
  ourReuse,
  reuse,
  tokenClip,
  trlEpsilon,
} from "./shared";

const betweenEngines = String.raw`\rho=\frac{\pi_{old}}{\pi_{rollout}}`;

const weighted = (weight: string): string =>
  String.raw`L=-\tfrac1M\sum ${weight}\,${clip},\quad ${clippedTokens},\quad ${betweenEngines}`;

/** GRPO as verl has it: what verl's correction is laid over. */
const verl = {
  ...groupMeanAndStd,
  advantage: { kind: "mean", allowSingleton: true },
  ratio: "token",
  gate: { kind: "dualClip", dualClip: 3 },
  aggregate: "tokenMean",
  update: reuse,
} as const;

const overVerl = "laid over recipe verlGrpo, as the correction can be laid over any rule";
const onceABatch =
  "weights are computed once a batch, before the first step, as verl's trainer does in its decoupled mode (verl/trainer/ppo/ray_trainer.py:1658)";

/** Rules that correct for a batch which another policy, or another engine, has sampled. */
export const offPolicy = {
  tis: {
    title: "TIS",
    equation: weighted(String.raw`\min(\rho,C)`),
    source:
      "Yao et al., https://fengyao.notion.site/off-policy-rl; verl 0.9.1, verl/trainer/ppo/rollout_corr_helper.py:596, preset decoupled_token_is [P]",
    deviations: [overVerl, onceABatch, ourReuse],
    shown: [
      "the plain importance weight where C is infinite; by trajectory, its gradient at the first step is then unbiased whatever the engine sampled from (enumerated)",
      "without mismatch it is recipe verlGrpo",
    ],
    fields: { ...verl, correction: { kind: "truncate", level: "token", high: 2 } },
  },
  mis: {
    title: "MIS, as TRL has it",
    equation: weighted(String.raw`\rho(y)\,1\{\rho(y)\le C\}`),
    source:
      "https://richardli.xyz/post/rl-collapse-part3 (Seq-MIS); TRL 1.16.0, trl/trainer/grpo_trainer.py:2686, its default sequence_mask with C = 3 (trl/trainer/grpo_config.py:934) [P]",
    deviations: [
      "TRL's loss dapo, its default: the mean over the tokens of the batch (trl/trainer/grpo_config.py:801)",
      "TRL takes tokens without a log-prob from the engine for weight 1 (grpo_trainer.py:2665); here every token has one",
      trlEpsilon,
      noKl,
      ourReuse,
    ],
    shown: ["without mismatch it is GRPO averaged over tokens"],
    fields: {
      ...groupMeanAndStd,
      ...tokenClip,
      correction: { kind: "mask", level: "trajectory", low: 0, high: 3 },
      aggregate: "tokenMean",
      update: reuse,
    },
  },
  icePop: {
    title: "IcePop",
    equation: String.raw`L=-\frac1G\sum_i\frac1{|o_i|}\sum_t\mathcal{M}(\rho_t)\,u_t,\quad u=${clip},\quad\mathcal{M}(k)=k\ \text{if}\ k\in[\alpha,\beta],\ \text{else}\ 0,\quad ${betweenEngines}`,
    source:
      "arXiv 2510.18855 [S]; verl 0.9.1, verl/trainer/config/algorithm.py:216, preset decoupled_token_icepop with .5 and 5 [P]",
    deviations: [
      "the mean over the tokens of each trajectory, as GRPO's; verl leaves the choice to the rule",
      noKl,
      trlEpsilon,
      ourReuse,
    ],
    shown: ["without mismatch it is recipe grpo", "masked tokens stay in the denominators"],
    fields: {
      ...groupMeanAndStd,
      ...tokenClip,
      correction: { kind: "mask", level: "token", low: 0.5, high: 5 },
      aggregate: "sequenceMeanTokenMean",
      update: reuse,
    },
  },
  geoRs: {
    title: "Geometric rejection",
    equation: String.raw`L=-\frac1{M'}\sum_{i\ kept} ${clip},\quad i\ \text{kept if}\ \alpha\le\exp\Big(\tfrac1{|o_i|}\sum_t\log\rho_t\Big)\le\beta,\quad ${betweenEngines}`,
    source:
      "https://richardli.xyz/post/rl-collapse-part3 (Geo-Mask); verl 0.9.1, verl/trainer/config/algorithm.py:262, preset decoupled_geo_rs, and rollout_corr_helper.py:342 (seq_mean_k1) [P]",
    deviations: [
      "verl's bounds are on the mean of log pi_rollout - log pi_old (rollout_corr_helper.py:263), so on 1 over this ratio: at .999 and 1.001 nearly the same",
      "arXiv 2512.23075 by the same authors drops a sequence by its worst token, not by the mean; verl has that as seq_max_k2 and seq_max_k3",
      "the bounds .999 and 1.001 suit sequences of thousands of tokens: where an engine rounds at all, short ones are all dropped, so widen correction.low and correction.high",
      "a critic goes on learning from dropped turns",
      overVerl,
      ourReuse,
    ],
    shown: ["without mismatch it is recipe verlGrpo", "what is dropped leaves the denominators too"],
    fields: { ...verl, correction: { kind: "reject", level: "trajectory", low: 0.999, high: 1.001 } },
  },
  rlPlus: {
    title: "RL-PLUS",
    equation: String.raw`A_i=R_i-\mathrm{mean}(R),\quad L=-\frac{1}{N\,L_{max}}\Big(\sum_{on}r_tA+\sum_{shown}\frac{2\pi}{\pi_{old}+\frac12(\pi_{old}+1)}\,\mathrm{sg}[(1-\pi)^{1/2}]A\Big)`,
    source:
      "arXiv 2508.00222; rl_plus/verl/verl/recipe/rlplus_core_alg.py:69 (loss), :135-137 (weight), :164-167 (advantage), exp_scripts/train_RL-PLUS.sh:30, :75, :84-86 in YihongDong/RL-PLUS at eb4aa4d [P]",
    deviations: [
      "advantages are the whole group's, the demonstration among them, without its deviation, as the launcher sets them (train_RL-PLUS.sh:30, :84); the file's own split form, whose mean leaves demonstrations out (rlplus_core_alg.py:45), is not what it runs",
      "a sum over tokens that is divided by the largest length, as loss_remove_token_mean does (train_RL-PLUS.sh:85, rlplus_core_alg.py:195), and by the number of trajectories, which the code's sum is not",
      "the demonstration is played again by a teacher, the exact optimum of the world where train gets no other; the paper has one stored solution for each task",
      "a teacher's turn is learned like one of the policy's, with what the world answered as context",
      "the entropy bonus has the denominator of the policy's term; in the code it is a mean over tokens (rl_plus/verl/verl/recipe/rlplus_actor.py:195), so that against that term it weighs L_max over the number of tokens as much",
      ourReuse,
    ],
    shown: [
      "without demonstrations its gradient is that of an unclipped Dr. GRPO with an entropy bonus",
      "a token that the policy is sure of gets no push from a demonstration",
    ],
    fields: {
      demonstrations: 1,
      advantage: "mean",
      ratio: "token",
      gate: "rlPlus",
      aggregate: { kind: "constant", length: "maximum" },
      regularizer: { entropyCoef: 0.001 },
      update: reuse,
    },
  },
  vespo: {
    title: "VESPO",
    equation: String.raw`L=-\frac{1}{\sum_i|o_i|}\sum_i\mathrm{sg}\big[W_i^ke^{\lambda(1-W_i)}\big]A_i\sum_t\log\pi_\theta(y_t),\quad W_i=\prod_tr_t`,
    source:
      "arXiv 2602.10693, section 3.4; recipe/vespo/code/core_algos.py in FloyedShen/VESPO at aa1f3045; TRL 1.16.0, trl/trainer/grpo_trainer.py:2972 [P]",
    deviations: [
      "k and lambda are 2 and 3 after a good outcome, 3 and 2 after a bad one: TRL's defaults (trl/trainer/grpo_config.py:730)",
      "TRL limits every token's log-ratio to 20 nats and that of the trajectory to log 1e-8 below (grpo_trainer.py:2997, grpo_trainer.py:3006); here the trajectory's is limited to 20 nats on both sides, as in the authors' code, where the weight is 0 in either",
      trlEpsilon,
      ourReuse,
    ],
    shown: ["the weight is largest at W = k / lambda, and 1 at W = 1"],
    fields: {
      ...groupMeanAndStd,
      ratio: { level: "trajectory", pooling: "product" },
      gate: { kind: "gamma", kPositive: 2, lambdaPositive: 3, kNegative: 3, lambdaNegative: 2 },
      aggregate: "tokenMean",
      update: reuse,
    },
  },
  m2po: {
    title: "M2PO",
    equation: String.raw`L=-\frac{1}{\sum_i|o_i|}\sum_{i,t}M_{it}\,r_tA_i,\quad \tfrac{\sum M(\log r)^2}{\sum M}<.04`,
    source:
      "arXiv 2510.01161; inclusionAI/AReaL at 4aef98d, areal/trainer/ppo/actor.py:769, docs/en/algorithms/m2po.md [P]",
    deviations: [
      "tau .04 as in AReaL's example (examples/math/gsm8k_m2po.yaml:82)",
      "the log-ratio is that of the present policy to the one that sampled, as in the paper; AReaL takes that of the policy at the start of the update (actor.py:448), and clips what has happened since",
      "the denominator counts masked tokens too, as in the paper; AReaL counts those that are left (areal/utils/functional/functional.py, loss_mask_count)",
      "the mean square is that of the tokens that a step sees at once, as in AReaL: a micro-batch masks its own; tokens that are equally far off go together",
      trlEpsilon,
      ourReuse,
    ],
    shown: ["with a bound that nothing meets it is the unclipped ratio, exactly"],
    fields: {
      ...groupMeanAndStd,
      ratio: "token",
      gate: { kind: "secondMoment", tau: 0.04 },
      aggregate: "tokenMean",
      update: reuse,
    },
  },
  offPolicyMask: {
    title: "GRPO with DeepSeek-V3.2's sequence mask",
    equation: String.raw`L=-\frac1G\sum_i\frac{M_i}{|o_i|}\sum_t ${clip},\quad M_i=0\ \text{if}\ A_i<0,\ \tfrac1{|o_i|}\sum_t\log\tfrac{\pi_{old}}{\pi}>\delta`,
    source: "DeepSeek-V3.2, arXiv 2512.02556, Eq. 9; TRL 1.16.0, trl/trainer/grpo_trainer.py:2945 [P]",
    deviations: [
      "the paper names no delta: .5 is TRL's proposal (grpo_config.py:346)",
      "the paper's other changes to GRPO (no deviation, an unbiased KL, replayed routing and sampling masks) are not part of this rule",
      "where turns are updated one by one, the mean is that of the turn",
      noKl,
      trlEpsilon,
      ourReuse,
    ],
    shown: ["with a delta that no trajectory meets it is GRPO, exactly"],
    fields: {
      ...groupMeanAndStd,
      ratio: "token",
      gate: { kind: "offPolicyMask", delta: 0.5 },
      aggregate: "sequenceMeanTokenMean",
      update: reuse,
    },
  },
  vcpo: {
    title: "VCPO",
    equation: String.raw`A_i=\frac{1}{\mathrm{std}(R)}\Big(R_i-\frac{\sum_jw_j^2\lVert\nabla\log\pi(\tau_j)\rVert^2R_j}{\sum_jw_j^2\lVert\nabla\log\pi(\tau_j)\rVert^2}\Big),\quad L=-\frac1N\sum_i\frac{\min(w_i,C)}{|o_i|}A_i\sum_t\log\pi_\theta(y_{i,t}),\quad\eta\leftarrow\eta\sqrt{\tfrac{(\sum_iw_i)^2}{N\sum_iw_i^2}},\quad w=\frac{\pi_{old}(\tau)}{\pi_{rollout}(\tau)}`,
    source:
      "arXiv 2602.17616; README.md, recipe/fully_async_policy/staleness_utils.py:415 (baseline), staleness_utils.py:319 (effective samples), verl/workers/actor/megatron_actor.py:883 (learning rate), megatron_actor.py:811 (deviation) and the launchers in recipe/fully_async_policy/shell/vcpo, in mit-han-lab/vcpo at c7f030f [P]",
    deviations: [
      "the baseline weighs by the squared ratio once, as in the paper; the code takes the norm of a gradient that has the truncated ratio in it already (megatron_actor.py:522, megatron_actor.py:1002, megatron_actor.py:1038) and multiplies by the squared ratio again (staleness_utils.py:455), so by its fourth power where nothing is truncated",
      "no 1e-8 beside the sum of weights and of squares (staleness_utils.py:319)",
      "ratios and norms are those before the update; the launchers take one step for each batch, where that is the same. The factor on the learning rate is computed at each step",
      "the loss takes the mean over the tokens of each trajectory, while the norms are those of the sum, as in the code (megatron_actor.py:779)",
      "base 1 is the default of the code (verl/trainer/config/actor/actor.yaml:240); its launcher for tools takes .55: update.stepScale.base",
      "weight decay .1 is left out; the learning rate is ours, for small policies",
    ],
    shown: [
      "where the batch is the policy's own, every step has the full learning rate",
      "weighed as its baseline weighs, the advantages of a group sum to 0",
      "with squared norms in proportion to lengths and without mismatch, its baseline is OPO's",
      "its own return is in the baseline: its expected step is no multiple of the exact gradient [D]",
    ],
    fields: {
      advantage: "optimalTrajectory",
      scale: { kind: "group", unbiased: false, epsilon: 0 },
      correction: { kind: "truncate", level: "trajectory", high: 8 },
      ratio: "none",
      gate: "none",
      aggregate: "sequenceMeanTokenMean",
      update: { ...oneStep, stepScale: "effectiveSamples" },
    },
  },
  dro: {
    title: "DRO",
    equation: String.raw`L=-\frac1M\sum_{i,t}\Big(A_i\log\pi_\theta(y_t)-\tfrac\beta2\big(\log r_t\big)^2\Big)`,
    source:
      "arXiv 2405.19107 (per trajectory, with a learned value) [S]; verl 0.9.1, verl/trainer/ppo/core_algos.py:2015 [P]",
    deviations: [
      "token by token with the advantage of a group, as in verl; the paper has trajectories and a learned value",
      "verl has no default for beta (verl/workers/config/actor.py:100): .1 is ours",
      "beyond 20 nats the spring pulls no harder, as no log-ratio is followed further here",
      trlEpsilon,
      ourReuse,
    ],
    shown: ["with beta 0 it is REINFORCE with the group's advantage, exactly"],
    fields: {
      ...groupMeanAndStd,
      ratio: "token",
      gate: { kind: "dro", beta: 0.1 },
      aggregate: "tokenMean",
      update: reuse,
    },
  },
} as const satisfies Readonly<Record<string, Row>>;
