import type { Row } from "./row";
import { clip, clippedTokens, groupMeanAndStd, noKl, ourReuse, reuse, tokenClip, trlEpsilon } from "./shared";

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

const overVerl = "laid over recipe verlGrpo, as the correction can be laid over any row";
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
    cells: { ...verl, correction: { kind: "truncate", level: "token", high: 2 } },
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
    cells: {
      ...groupMeanAndStd,
      ...tokenClip,
      correction: { kind: "mask", level: "trajectory", low: 0, high: 3 },
      aggregate: "tokenMean",
      update: reuse,
    },
  },
  icePop: {
    title: "IcePop",
    equation: String.raw`L=-\frac1G\sum_i\frac1{|o_i|}\sum_t\mathcal{M}(\rho_t;\alpha,\beta)\,${clip},\quad\mathcal{M}(k)=k\ \text{if}\ k\in[\alpha,\beta],\ \text{else}\ 0,\quad ${betweenEngines}`,
    source:
      "arXiv 2510.18855 [S]; verl 0.9.1, verl/trainer/config/algorithm.py:216, preset decoupled_token_icepop with .5 and 5 [P]",
    deviations: [
      "the mean over the tokens of each trajectory, as GRPO's; verl leaves the choice to the row",
      noKl,
      trlEpsilon,
      ourReuse,
    ],
    shown: ["without mismatch it is recipe grpo", "masked tokens stay in the denominators"],
    cells: {
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
    cells: { ...verl, correction: { kind: "reject", level: "trajectory", low: 0.999, high: 1.001 } },
  },
  rlPlus: {
    title: "RL-PLUS",
    equation: String.raw`A_i=R_i-\mathrm{mean}(R),\quad L=-\frac{1}{N\,L_{max}}\Big(\sum_{on}r_tA+\sum_{shown}\frac{2\pi}{\pi_{old}+\frac12(\pi_{old}+1)}\,\mathrm{sg}[(1-\pi)^{1/2}]A\Big)`,
    source:
      "arXiv 2508.00222; rl_plus/verl/verl/recipe/rlplus_core_alg.py:69 (loss), :135-137 (weight), :164-167 (advantage), exp_scripts/train_RL-PLUS.sh:30, :75, :84-86 in YihongDong/RL-PLUS at eb4aa4d [P]",
    deviations: [
      "advantages are the whole group's, the demonstration among them, without its deviation, as the launcher sets them (train_RL-PLUS.sh:30, :84); the file's own split form, whose mean leaves demonstrations out (rlplus_core_alg.py:45), is not what it runs",
      "a sum over tokens that is divided by the largest length, as loss_remove_token_mean does (train_RL-PLUS.sh:85, rlplus_core_alg.py:195), and by the number of trajectories, which the code's sum is not",
      "the demonstration is played anew by a teacher, the exact optimum of the world where train gets no other; the paper has one stored solution for each task",
      "a teacher's turn is learned like one of the policy's, with what the world answered as context",
      ourReuse,
    ],
    shown: [
      "without demonstrations its gradient is that of an unclipped Dr. GRPO with an entropy bonus",
      "a token that the policy is sure of gets no push from a demonstration",
    ],
    cells: {
      demonstrations: 1,
      advantage: "mean",
      ratio: "token",
      gate: "rlPlus",
      aggregate: { kind: "constant", length: "maximum" },
      regulariser: { entropyCoef: 0.001 },
      update: reuse,
    },
  },
} as const satisfies Readonly<Record<string, Row>>;
