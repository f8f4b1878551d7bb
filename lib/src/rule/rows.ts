/** One file because a rule is judged beside the others: adding one is one more entry here, with all that is known of it. */
import type { Citation } from "./evidence";
import type { Given } from "../schema";
import type { recipeSchema } from "./schema";

/** What `recipe(name, overrides)` may change of a row: any part of it. What is left out keeps its value, and another choice starts from its own defaults. */
export type RecipeOverrides = Given<typeof recipeSchema> & {
  /** SeeUPO only: `theory` (paper, Eq. 3-9) or `authors` (released code). */
  readonly variant?: "theory" | "authors";
};

const clip = String.raw`\min\!\big(rA,\ \mathrm{clip}(r,1-\epsilon_{lo},1+\epsilon_{hi})A\big)`;
const clippedTokens = String.raw`r_t=\frac{\pi_\theta(y_t\mid\cdot)}{\pi_{old}(y_t\mid\cdot)}`;
const groupStd = String.raw`A_i=\frac{R_i-\mathrm{mean}(R)}{\mathrm{std}(R)+\varepsilon}`;
const turnRatio = String.raw`w_k=\exp\Big(\tfrac{1}{|y^k|}\sum_{t\in k}\log\tfrac{\pi_\theta(y_t)}{\pi_{old}(y_t)}\Big)`;
const gae = String.raw`\delta_t=r_t+\gamma V_{t+1}-V_t,\quad A_t=\sum_l(\gamma\lambda)^l\delta_{t+l}`;
const clipBias = String.raw`g\leftarrow g\,/\,\max(1,\lVert C\rVert_2),\quad C=\mathbb{E}\big[\tfrac{1}{|y|}\sum_{t\,clipped}w_tA_t\nabla\log\pi\big]`;

const valuesPerTurn =
  "where the critic values turns only, a token has the value of its turn; advantages are whitened over the batch, as verl does, with 1e-6 beside the deviation in the place of sqrt(var + 1e-8) (verl/utils/torch_functional.py:343) [P]";
const ourReuse = "epochs, minibatches and learning rate are ours, for small policies";
const noKl = "the KL term is off, as TRL's default beta = 0 [P]; switch it on with regulariser.klReference";
const trlEpsilon =
  "the standard deviation has n - 1, as torch.std, and 1e-6 beside it, as in verl; TRL has 1e-4 (trl/trainer/grpo_trainer.py:2787) [P]";
const doubtfulDivision =
  'reviews give division by ||C||; the floor 1 is our guard, since C = 0 whenever nothing is clipped; the formula of the second version ("clipping-triggered normalization") is unverified [U]';

/** What verl's loss adds to every row that runs there; 0.9.1 is the release that `lib/CONFORMANCE.md` runs. */
const verlDualClips = (more = ""): string =>
  `verl's vanilla loss never clips alone: it always dual-clips at 3 (0.9.1, verl/trainer/ppo/core_algos.py:1323)${more}; gate: "dualClip" does [P]`;

const tokenClip = { ratio: "token", gate: "clip" } as const;
const turnClip = { ratio: { level: "turn", pooling: "geometric" }, gate: "clip" } as const;
const sumOfLogProbs = {
  ratio: "none",
  gate: "none",
  aggregate: { kind: "constant", length: 1 },
} as const;
const groupMeanAndStd = { advantage: "mean", scale: "group" } as const;
const tokenCritic = { advantage: { kind: "gae", level: "token" }, scale: "batch" } as const;
const turnCritic = { advantage: { kind: "gae", level: "turn" }, scale: "batch" } as const;
const dividedByClipBias = { clippingTriggered: { kind: "gradNorm", floor: 1 } } as const;
const reuse = { epochs: 2, minibatches: 2 } as const;
const oneStep = { epochs: 1, minibatches: 1, optimiser: { learningRate: 0.1 } } as const;

/** A row: where it comes from, and its cells as differences from the plainest rule. */
interface Row extends Citation {
  readonly cells: RecipeOverrides;
}

/**
 * The plainest rule is the raw return, no ratio, the mean over tokens, one step, no regulariser. Epochs, minibatches and
 * optimisers are this library's own settings for small policies; all other cells follow the source, and `deviations` lists
 * where they depart from it.
 */
export const rows = {
  reinforce: {
    title: "REINFORCE",
    equation: String.raw`L=-\frac1N\sum_i R_i\sum_t\log\pi_\theta(y_{i,t})`,
    source: "Williams, Machine Learning 8 (1992) [std]",
    deviations: ['without baseline; advantage: "mean" adds the group\'s'],
    shown: ["unbiased: mean of sampled gradients within 4 standard errors of the enumerated one"],
    cells: { ...sumOfLogProbs, update: oneStep },
  },
  reinforcePlusPlus: {
    title: "REINFORCE++",
    equation: String.raw`A_t=\frac{G_t-\mu_B}{\sigma_B},\quad G_t=\sum_{k\ge t}r_k\ \text{over tokens},\quad L=-\tfrac1M\sum ${clip},\quad ${clippedTokens}`,
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
    cells: {
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
    cells: { ...sumOfLogProbs, advantage: "leaveOneOut", update: oneStep },
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
    cells: { ...tokenClip, advantage: "leaveOneOut", aggregate: "tokenMean", update: reuse },
  },
  ppo: {
    title: "PPO with GAE",
    equation: String.raw`${gae},\quad L=-\tfrac1M\sum ${clip}`,
    source: "arXiv 1707.06347; verl trainer/ppo/core_algos.py [P]",
    deviations: [valuesPerTurn, verlDualClips(), ourReuse],
    shown: ["its first inner step with lambda = 1 and V = 0 is REINFORCE"],
    cells: { ...tokenCritic, ...tokenClip, aggregate: "tokenMean", update: reuse },
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
    cells: { ...groupMeanAndStd, ...tokenClip, aggregate: "sequenceMeanTokenMean", update: reuse },
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
    cells: {
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
    cells: {
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
    cells: {
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
    shown: ["a length-normalised ratio is no density ratio: a clipped step lowers J from .4657 to .3478 [D]"],
    cells: {
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
    cells: {
      ...groupMeanAndStd,
      ratio: "token",
      gate: { kind: "sapo", tauPositive: 1, tauNegative: 1.05 },
      aggregate: "sequenceMeanTokenMean",
      update: reuse,
    },
  },
  mGrpo: {
    title: "M-GRPO (WebAgent-R1)",
    equation: String.raw`L=-\frac1G\sum_i\frac{1}{|\tau_i|}\sum_j\frac{1}{|a_{ij}|}\sum_t ${clip}`,
    source: "arXiv 2505.16421 [S]; README of weizhepei/WebAgent-R1 [P]",
    deviations: [
      "the paper averages the tokens of a turn first, then a trajectory's turns [S]; the released trainer has no loss of its own and inherits TRL's, none of whose forms knows turns (WebAgent-R1/Train/verifiers/verifiers/trainers/grpo_env_trainer.py:34): its form grpo is aggregate: \"sequenceMeanTokenMean\" [P]",
      "1e-4 is added to the deviation, as in the code (grpo_env_trainer.py:247)",
      noKl,
      "no behaviour-cloning warm-up",
      ourReuse,
    ],
    shown: [],
    cells: {
      advantage: "mean",
      scale: { kind: "group", epsilon: 1e-4 },
      ...tokenClip,
      aggregate: { kind: "turnMean", over: "trajectory" },
      update: reuse,
    },
  },
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
    cells: {
      advantage: { kind: "mean", groupBy: "taskAgent", allowSingleton: true },
      scale: "group",
      ratio: "token",
      gate: "dualClip",
      aggregate: "tokenMean",
      update: reuse,
    },
  },
  gigpo: {
    title: "GiGPO",
    equation: String.raw`A=A^E+wA^S,\quad A^S_t=\frac{Ret_t-\mathrm{mean}_{\text{same anchor}}(Ret)}{F},\quad Ret_t=\sum_k\gamma^{k-t}r_k`,
    source: "arXiv 2505.10978; gigpo/core_gigpo.py in langfengQ/verl-agent [P]",
    deviations: [
      "the episode mean counts each trajectory once, as in langfengQ/DrMAS at 19c632b (verl/trainer/ppo/core_algos.py:285); langfengQ/verl-agent at 2716b30 counts it once for each turn (gigpo/core_gigpo.py:180)",
      "F = 1 (mean_norm), the function's default; scale: \"group\" gives the other, the default of DrMAS's trainer (verl/trainer/ppo/ray_trainer.py:247)",
      'a group of one is refused; the code gives it its return (core_algos.py:554); the code dual-clips at 3 (verl-agent, verl/trainer/ppo/core_algos.py:485); gate: "dualClip" does',
      ourReuse,
    ],
    shown: [],
    cells: {
      ...tokenClip,
      advantage: { kind: "gigpo", weight: 1, gamma: 0.95 },
      aggregate: "tokenMean",
      regulariser: { klReference: { coef: 0.01, form: "verl" } },
      update: reuse,
    },
  },
  hiper: {
    title: "HiPER",
    equation: String.raw`A_{low}:\ \delta=r+\gamma V_{next}-V_{low};\quad A_{high}:\ \delta_k=\sum_j\gamma^jr_j+\gamma^{d_k}V_{high}'-V_{high};\quad A_{sw}=G_t-V_{term}`,
    source: "arXiv 2602.16165; hiper_hae/core_hae.py in JonP07/HiPER-agent at 9d3c118 [P]",
    deviations: [
      "segments and token roles come from the world; without them a trajectory is one segment of action tokens",
      "in training one value of each turn stands for V_low, V_high and V_term",
      "whitened by role over its turns, with n in the variance (hiper_hae/core_hae.py:500), and KL .01 in the loss, as both launchers set them (example_scripts/HiPER_trainer/run_alfworld.sh:63, run_alfworld.sh:35, run_webshop.sh:64, run_webshop.sh:36); the trainer's own defaults are neither",
      "a subgoal's tokens are trained only where a segment starts, as in the code (verl/trainer/ppo/ray_trainer.py:1402)",
      "dual clip at 3 is the code's (verl/trainer/ppo/core_algos.py:721), which adds 1e-8 to the number of tokens (verl/utils/torch_functional.py:149)",
      "keep penalties are the environment's",
      "gamma and the lambda of turns .95 are ours, where the trainer has 1 (verl/trainer/config/ppo_trainer.yaml:238, ppo_trainer.yaml:239); that of segments is the trainer's (ppo_trainer.yaml:252)",
      ourReuse,
    ],
    shown: [],
    cells: {
      advantage: { kind: "hierarchical", whitenRoles: true },
      ratio: "token",
      gate: "dualClip",
      aggregate: "tokenMean",
      regulariser: { klReference: { coef: 0.01, form: "verl" } },
      update: reuse,
    },
  },
  starPo: {
    title: "StarPO (PPO form)",
    equation: String.raw`J=\mathbb{E}_{\tau\sim\pi}[R(\tau)],\quad r_t\leftarrow r_t-\beta\log\tfrac{\pi_{old}}{\pi_{ref}},\quad ${gae},\ \gamma=\lambda=1`,
    source: "RAGEN, arXiv 2504.20073; ragen/trainer/agent_trainer.py in RAGEN-AI/RAGEN at 5eb79b8 [P]",
    deviations: [
      "the paper's version: KL .001 (k1) and clip .2 on both sides. KL is part of the reward, where the trainer puts it (ragen/trainer/agent_trainer.py:613; in April 2025, at fde1005, wherever use_kl_loss was off); in the loss, k1 has no gradient on average",
      "the repository's configuration has no KL at all (config/base.yaml:35, config/base.yaml:88) and clips at .2 and .28 in every mode (config/base.yaml:39), as it had at fde1005",
      valuesPerTurn,
      verlDualClips(),
      ourReuse,
    ],
    shown: [],
    cells: {
      ...tokenCritic,
      ...tokenClip,
      aggregate: "tokenMean",
      reward: { kl: { coef: 0.001, estimator: "k1" } },
      regulariser: { entropyCoef: 0.001 },
      update: reuse,
    },
  },
  starPoS: {
    title: "StarPO-S",
    equation: String.raw`U(s_0)=\mathrm{Std}_{\tau}[R(\tau)],\quad \text{keep the top }25\,\%;\quad \epsilon_{lo}=.2,\ \epsilon_{hi}=.28`,
    source: "RAGEN, arXiv 2504.20073, Eq. 7; rollout_filter_ratio .25 [P]",
    deviations: [valuesPerTurn, verlDualClips(), ourReuse],
    shown: [],
    cells: {
      ...tokenCritic,
      ratio: "token",
      gate: { kind: "clip", clipLow: 0.2, clipHigh: 0.28 },
      aggregate: "tokenMean",
      filter: { kind: "topStd", fraction: 0.25 },
      regulariser: { entropyCoef: 0.001 },
      update: reuse,
    },
  },
  stepPo: {
    title: "StepPO",
    equation: String.raw`\delta_t=r_t+\gamma V(s_{t+1})-V(s_t),\quad L=-\frac1K\sum_k\min(w_kA_k,\mathrm{clip}(w_k)A_k),\quad ${turnRatio}`,
    source: "arXiv 2604.18401; arft/core_algos.py in AgentR1/StepPO [P]",
    deviations: [
      "the value is taken before the turn, not at the state's last token",
      "1e-6 beside the deviation, where the code has 1e-8 (arft/core_algos.py:133)",
      ourReuse,
    ],
    shown: [],
    cells: { ...turnCritic, ...turnClip, aggregate: { kind: "turnMean", over: "batch" }, update: reuse },
  },
  turnPpo: {
    title: "Turn-PPO",
    equation: String.raw`${turnRatio},\quad L=-\mathbb{E}\Big[\tfrac{1}{|y|}\sum_t\min(w_kA_k,\mathrm{clip}(w_k)A_k)\Big]`,
    source: "arXiv 2511.20718v1, Eq. 4 and Lemma 4.1 [R]; geometric ratio [S]",
    deviations: [
      "how values are aggregated over a turn is unknown [U]; GAE at turn boundaries here",
      "no paper that we know pools by the arithmetic mean; ratio.pooling has it for comparison",
      ourReuse,
    ],
    shown: [],
    cells: { ...turnCritic, ...turnClip, aggregate: "sequenceMeanTokenMean", update: reuse },
  },
  sPpo: {
    title: "S-PPO",
    equation: clipBias,
    source: "arXiv 2511.20718v1, Eq. 7 [R]",
    deviations: [doubtfulDivision, ourReuse],
    shown: [],
    cells: {
      ...tokenCritic,
      ...tokenClip,
      aggregate: "sequenceMeanTokenMean",
      regulariser: dividedByClipBias,
      update: reuse,
    },
  },
  soPpo: {
    title: "SO-PPO (ST-PPO)",
    equation: String.raw`${turnRatio};\quad ${clipBias}`,
    source: "arXiv 2511.20718v1, Eq. 8 [R]; v2, abstract [P]",
    deviations: [
      'the rule of the first version, which calls it ST-PPO (recipe("stPpo") gives this row); the second calls its own SO-PPO, and whether that is the same rule is unknown [U]',
      doubtfulDivision,
      'clippingTriggered: "klPenalty", lambda * clip fraction * KL, is a form of our own for comparison; no paper has it',
      ourReuse,
    ],
    shown: ["with one-token turns and no normalisation it is PPO"],
    cells: {
      ...turnCritic,
      ...turnClip,
      aggregate: "sequenceMeanTokenMean",
      regulariser: dividedByClipBias,
      update: reuse,
    },
  },
  soGrpo: {
    title: "SO-GRPO",
    equation: String.raw`${groupStd};\quad ${turnRatio};\quad ${clipBias}`,
    source: "arXiv 2511.20718v2, abstract [P]; formula [U]",
    deviations: [
      doubtfulDivision,
      'the outcome advantage is shared by all turns; advantage: "perTurn" gives each turn its own',
      ourReuse,
    ],
    shown: [],
    cells: {
      ...groupMeanAndStd,
      ...turnClip,
      aggregate: "sequenceMeanTokenMean",
      regulariser: dividedByClipBias,
      update: reuse,
    },
  },
  happo: {
    title: "HAPPO, a turn as an agent",
    equation: String.raw`\mathbb{E}\big[\min(r_{i_m}M,\mathrm{clip}(r_{i_m})M)\big],\quad M=\prod_{j<m}\frac{\bar\pi^{i_j}}{\pi^{i_j}}\,\hat A`,
    source: "Zhong et al., JMLR 2024, Eq. 11; PKU-MARL/HARL [P]",
    deviations: [
      "agents are turns of one policy, which may share parameters: HAML's guarantee assumes they do not [P]",
      "the factor multiplies the advantage; being positive, that equals multiplying min(...) from outside (tested)",
      "advantages are whitened with n in the variance and 1e-5 beside the deviation (harl/runners/on_policy_ha_runner.py:45), and a turn's loss is the mean over those who act (harl/algorithms/actors/happo.py:81), as in the code at d539bad",
      ourReuse,
    ],
    shown: ["with one agent and the same whitening it is PPO"],
    cells: {
      advantage: { kind: "gae", level: "turn" },
      scale: { kind: "batch", unbiased: false, epsilon: 1e-5 },
      ratio: { level: "turn", pooling: "product" },
      gate: "clip",
      aggregate: { kind: "constant", length: 1, per: "turn" },
      order: { kind: "random", oldLogProb: "rollout", carry: { kind: "exact", pooling: "product" } },
      update: reuse,
    },
  },
  seeUpo: {
    title: "SeeUPO, as in the paper",
    equation: String.raw`\mathbb{E}_{D_t}\big[\min(\rho_tM_{t+1},\mathrm{clip}(\rho_t)M_{t+1})\big],\quad M_t=\rho_tM_{t+1},\quad M_{T+1}=R-\bar R(s_0)`,
    source: "arXiv 2602.06554, Eq. 3-9 and Algorithm 1 [P-copy]",
    deviations: [
      'no batch normalisation (Algorithm 1 has it; scale: "batch" adds it); no clamp',
      'the ratio is the product; the paper computes it "in a manner similar to GSPO"',
      "the convergence theorem assumes separate turn policies, exact advantages and argmax steps; shared parameters void it [R]",
      ourReuse,
    ],
    shown: [
      "Eq. 4 holds to 1e-12 on a three-turn tree",
      "one greedy reverse sweep with exact ratios reaches the optimum on 40 of 40 random trees [D]",
      "with one shared parameter J = 2p(1-p) falls from .48 to 0; with memoryless turns it traps at .6 where forward reaches 1 [D]",
    ],
    cells: {
      advantage: "mean",
      ratio: { level: "turn", pooling: "product" },
      gate: "clip",
      aggregate: { kind: "constant", length: 1 },
      order: { kind: "reverse", oldLogProb: "rollout", carry: { kind: "exact", pooling: "product" } },
      update: reuse,
    },
  },
  seeUpoAuthors: {
    title: "SeeUPO, as in the released code",
    equation: String.raw`M_t=\mathrm{clip}\big(\mathrm{clip}(\bar\rho_t,.8,1.2)\,M_{t+1},.8,1.2\big)\ \text{on}\ \mathrm{clamp}\Big(\frac{A-\mu_B}{\sigma_B},\pm3\Big)`,
    source: "modelscope/AgentEvolver, branch seeupo [P]",
    deviations: [
      "missing turns are masked; the code pads them with copies of the last turn, which leak into its statistics [P]",
      "ratios follow the trajectory id; the code's follow the row position [P]",
      "one deviation constant: (A - mean) / (std + 1e-6) instead of a switch at std 1e-6 (beyondagent/module/trainer/ba_ray_trainer.py:469)",
    ],
    shown: [
      "with the carry clipped to [0.8, 1.2] greedy reverse sweeps miss the optimum on 29 of 40 random trees, as without any carry [D]",
      "with one turn it is GSPO with the same normalisation",
    ],
    cells: {
      advantage: { kind: "mean", allowSingleton: true },
      scale: { kind: "batch", clamp: 3 },
      ratio: { level: "turn", pooling: "geometric" },
      gate: "clip",
      aggregate: { kind: "sequenceMeanTokenMean", per: "turn" },
      order: {
        kind: "reverse",
        oldLogProb: "recomputed",
        carry: { kind: "clipped", pooling: "geometric", low: 0.8, high: 1.2 },
      },
      regulariser: { klReference: { coef: 0.002, form: "seeUpo" } },
      update: oneStep,
    },
  },
} as const satisfies Readonly<Record<string, Row>>;

/** The name of a row of the table. */
export type RecipeName = keyof typeof rows;
