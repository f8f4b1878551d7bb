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
  "where the critic values turns only, a token has the value of its turn; advantages are whitened over the batch, as verl does [P]";
const ourReuse = "epochs, minibatches and learning rate are ours, for small policies";
const noKl = "the KL term is off, as TRL's default beta = 0 [P]; switch it on with regulariser.klReference";
const doubtfulDivision =
  'reviews give division by ||C||; the floor 1 is our guard, since C = 0 whenever nothing is clipped; the formula of the second version ("clipping-triggered normalization") is unverified [U]';

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
    equation: String.raw`A_i=\frac{R_i-\mu_B}{\sigma_B},\quad L=-\tfrac1M\sum ${clip},\quad ${clippedTokens}`,
    source: "TRL paper index [P]",
    deviations: ["the KL penalty inside the reward is off; reward.kl switches it on", ourReuse],
    shown: [],
    cells: { ...tokenClip, scale: "batch", aggregate: "tokenMean", update: reuse },
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
    deviations: ["the loss denominator is not known to us; tokenMean is our choice [U]", ourReuse],
    shown: [],
    cells: { ...tokenClip, advantage: "leaveOneOut", aggregate: "tokenMean", update: reuse },
  },
  ppo: {
    title: "PPO with GAE",
    equation: String.raw`${gae},\quad L=-\tfrac1M\sum ${clip}`,
    source: "arXiv 1707.06347; verl trainer/ppo/core_algos.py [P]",
    deviations: [valuesPerTurn, ourReuse],
    shown: ["its first inner step with lambda = 1 and V = 0 is REINFORCE"],
    cells: { ...tokenCritic, ...tokenClip, aggregate: "tokenMean", update: reuse },
  },
  grpo: {
    title: "GRPO",
    equation: String.raw`${groupStd},\quad L=-\frac1G\sum_i\frac{1}{|o_i|}\sum_t ${clip}`,
    source: "arXiv 2402.03300; verl, TRL [P]",
    deviations: [noKl, "standard deviation with n - 1 as torch.std", ourReuse],
    shown: [
      "with groups of two prefers the worse arm of RAGEN's bandit at every policy (D_2 = -1/2) [D]",
      "with two hidden contexts lowers J from .2300 to .2131 in one step; without std it rises to .2444 [D]",
    ],
    cells: { ...groupMeanAndStd, ...tokenClip, aggregate: "sequenceMeanTokenMean", update: reuse },
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
    deviations: ["the length limits of the paper (20480, 4096) do not bind on small tasks", ourReuse],
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
      "direct sequence form; verl's token form has the same gradient (tested)",
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
    deviations: [ourReuse],
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
    deviations: [noKl, "no behaviour-cloning warm-up", ourReuse],
    shown: [],
    cells: {
      ...groupMeanAndStd,
      ...tokenClip,
      aggregate: { kind: "turnMean", over: "trajectory" },
      update: reuse,
    },
  },
  drMas: {
    title: "Dr. MAS",
    equation: String.raw`A=\frac{R_i-\mu_k}{\sigma_k},\quad k=(\text{task},\text{agent})`,
    source: "arXiv 2602.08847; langfengQ/DrMAS compute_advantage [P]",
    deviations: [
      "with one agent every turn counts in the baseline, so it is GRPO weighted by turns",
      ourReuse,
    ],
    shown: [],
    cells: {
      ...tokenClip,
      advantage: { kind: "mean", groupBy: "taskAgent", allowSingleton: true },
      scale: "group",
      aggregate: "sequenceMeanTokenMean",
      update: reuse,
    },
  },
  gigpo: {
    title: "GiGPO",
    equation: String.raw`A=A^E+wA^S,\quad A^S_t=\frac{Ret_t-\mathrm{mean}_{\text{same anchor}}(Ret)}{F},\quad Ret_t=\sum_k\gamma^{k-t}r_k`,
    source: "arXiv 2505.10978; gigpo/core_gigpo.py in langfengQ/verl-agent [P]",
    deviations: [
      "the episode mean counts each trajectory once, as in langfengQ/DrMAS; verl-agent counts it once for each turn",
      'F = 1 (mean_norm), the function\'s default; scale: "group" gives the other',
      ourReuse,
    ],
    shown: [],
    cells: {
      ...tokenClip,
      advantage: { kind: "gigpo", weight: 1, gamma: 0.95 },
      aggregate: "tokenMean",
      regulariser: { klReference: { coef: 0.01, estimator: "k3" } },
      update: reuse,
    },
  },
  hiper: {
    title: "HiPER",
    equation: String.raw`A_{low}:\ \delta=r+\gamma V_{next}-V_{low};\quad A_{high}:\ \delta_k=\sum_j\gamma^jr_j+\gamma^{d_k}V_{high}'-V_{high};\quad A_{sw}=G_t-V_{term}`,
    source: "arXiv 2602.16165; hiper_hae/core_hae.py in JonP07/HiPER-agent [P]",
    deviations: [
      "segments and token roles come from the world; without them a trajectory is one segment of action tokens",
      "in training one value of each turn stands for V_low, V_high and V_term",
      "not whitened by role, and no KL of .01 in the loss, as the launchers have them (norm_adv=True; WebShop's)",
      "keep penalties are the environment's",
      "gamma and both lambdas .95 are ours",
      ourReuse,
    ],
    shown: [],
    cells: { ...tokenClip, advantage: "hierarchical", aggregate: "tokenMean", update: reuse },
  },
  starPo: {
    title: "StarPO (PPO form)",
    equation: String.raw`J=\mathbb{E}_{\tau\sim\pi}[R(\tau)],\quad ${gae},\ \gamma=\lambda=1`,
    source: "RAGEN, arXiv 2504.20073; RAGEN-AI/RAGEN [P]",
    deviations: [valuesPerTurn, ourReuse],
    shown: [],
    cells: {
      ...tokenCritic,
      ...tokenClip,
      aggregate: "tokenMean",
      regulariser: { klReference: { coef: 0.001, estimator: "k1" }, entropyCoef: 0.001 },
      update: reuse,
    },
  },
  starPoS: {
    title: "StarPO-S",
    equation: String.raw`U(s_0)=\mathrm{Std}_{\tau}[R(\tau)],\quad \text{keep the top }25\,\%;\quad \epsilon_{lo}=.2,\ \epsilon_{hi}=.28`,
    source: "RAGEN, arXiv 2504.20073, Eq. 7; rollout_filter_ratio .25 [P]",
    deviations: [valuesPerTurn, ourReuse],
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
    deviations: ["the value is taken before the turn, not at the state's last token", ourReuse],
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
  stPpo: {
    title: "ST-PPO",
    equation: String.raw`${turnRatio};\quad ${clipBias}`,
    source: "arXiv 2511.20718v1, Eq. 8 [R]",
    deviations: [doubtfulDivision, ourReuse],
    shown: [],
    cells: {
      ...turnCritic,
      ...turnClip,
      aggregate: "sequenceMeanTokenMean",
      regulariser: dividedByClipBias,
      update: reuse,
    },
  },
  soPpo: {
    title: "SO-PPO",
    equation: String.raw`${turnRatio};\quad ${clipBias}`,
    source: "arXiv 2511.20718v2, abstract [P]; presumably ST-PPO renamed [U]",
    deviations: [
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
      ourReuse,
    ],
    shown: ["with one agent it is PPO"],
    cells: {
      ...turnCritic,
      ratio: { level: "turn", pooling: "product" },
      gate: "clip",
      aggregate: { kind: "constant", length: 1 },
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
      "one deviation constant: (A - mean) / (std + 1e-6) instead of a switch at std 1e-6",
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
      regulariser: { klReference: { coef: 0.002, estimator: "k3" } },
      update: oneStep,
    },
  },
} as const satisfies Readonly<Record<string, Row>>;

/** The name of a row of the table. */
export type RecipeName = keyof typeof rows;
