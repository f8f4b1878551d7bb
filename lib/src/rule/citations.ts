import type { RecipeName } from "./rows";

/** Where a recipe comes from and how far this library's row departs from it. Tags are explained in `evidence`. */
export interface Citation {
  readonly title: string;
  /** LaTeX, without delimiters. */
  readonly equation: string;
  readonly source: string;
  readonly deviations: readonly string[];
  /** What exact computation or the test suite has shown about it. */
  readonly shown: readonly string[];
}

/** What the tags in square brackets mean. */
export const evidence = {
  P: "primary: paper text, official repository or official README",
  "P-copy": "paper text in a near-verbatim copy; formulas cross-checked against official code",
  R: "reviewer or careful third-party reading of the paper",
  S: "secondary note or blog; plausible, not checked against the paper",
  D: "our own derivation or numeric check; no claim of any paper",
  N: "only working notes say it",
  U: "could not be verified",
  std: "textbook standard",
} as const;

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

export const citations: Readonly<Record<RecipeName, Citation>> = {
  reinforce: {
    title: "REINFORCE",
    equation: String.raw`L=-\frac1N\sum_i R_i\sum_t\log\pi_\theta(y_{i,t})`,
    source: "Williams, Machine Learning 8 (1992) [std]",
    deviations: ['without baseline; advantage: "mean" adds the group\'s'],
    shown: ["unbiased: mean of sampled gradients within 4 standard errors of the enumerated one"],
  },
  reinforcePlusPlus: {
    title: "REINFORCE++",
    equation: String.raw`A_i=\frac{R_i-\mu_B}{\sigma_B},\quad L=-\tfrac1M\sum ${clip},\quad ${clippedTokens}`,
    source: "TRL paper index [P]",
    deviations: ["the KL penalty inside the reward is off; reward.kl switches it on", ourReuse],
    shown: [],
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
  },
  loop: {
    title: "LOOP",
    equation: String.raw`A_i=R_i-\frac{1}{G-1}\sum_{j\ne i}R_j,\quad L=-\tfrac1M\sum ${clip},\quad ${clippedTokens}`,
    source: "arXiv 2502.01600 [S], abstract [P]",
    deviations: ["the loss denominator is not known to us; tokenMean is our choice [U]", ourReuse],
    shown: [],
  },
  ppo: {
    title: "PPO with GAE",
    equation: String.raw`${gae},\quad L=-\tfrac1M\sum ${clip}`,
    source: "arXiv 1707.06347; verl trainer/ppo/core_algos.py [P]",
    deviations: [valuesPerTurn, ourReuse],
    shown: ["its first inner step with lambda = 1 and V = 0 is REINFORCE"],
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
  },
  drGrpo: {
    title: "Dr. GRPO",
    equation: String.raw`A_i=R_i-\mathrm{mean}(R),\quad L=-\frac{1}{N\,L_{max}}\sum_{i,t} ${clip}`,
    source: "arXiv 2503.20783; TRL [P]",
    deviations: ["L_max is turns x tokens of the batch layout", ourReuse],
    shown: ["(G - 1) / G of the exact gradient, within 4 standard errors [D]"],
  },
  dapo: {
    title: "DAPO",
    equation: String.raw`${groupStd},\quad L=-\frac{\sum_i\sum_t ${clip}}{\sum_i|o_i|},\quad \epsilon_{lo}=.2,\ \epsilon_{hi}=.28`,
    source: "arXiv 2503.14476; TRL, verl recipe [P]",
    deviations: ["the length limits of the paper (20480, 4096) do not bind on small tasks", ourReuse],
    shown: [],
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
  },
  sapo: {
    title: "SAPO",
    equation: String.raw`L=-\frac1G\sum_i\frac{1}{|o_i|}\sum_t\frac4\tau\,\sigma(\tau(r_t-1))A,\quad \tau=1\ (A>0),\ 1.05\ (A\le0)`,
    source: "arXiv 2511.20347; TRL, verl, AReaL [P]",
    deviations: [ourReuse],
    shown: ["at ratio 1 has the gradient of REINFORCE, whatever its temperatures"],
  },
  mGrpo: {
    title: "M-GRPO (WebAgent-R1)",
    equation: String.raw`L=-\frac1G\sum_i\frac{1}{|\tau_i|}\sum_j\frac{1}{|a_{ij}|}\sum_t ${clip}`,
    source: "arXiv 2505.16421 [S]; README of weizhepei/WebAgent-R1 [P]",
    deviations: [noKl, "no behaviour-cloning warm-up", ourReuse],
    shown: [],
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
  },
  gigpo: {
    title: "GiGPO",
    equation: String.raw`A=A^E+wA^S,\quad A^S_t=\frac{Ret_t-\mathrm{mean}_{\text{same anchor}}(Ret)}{F},\quad Ret_t=\sum_k\gamma^{k-t}r_k`,
    source: "arXiv 2505.10978; gigpo/core_gigpo.py in langfengQ/DrMAS [P]",
    deviations: [
      "the episode mean counts each trajectory once; the code counts steps by default",
      'F = 1 (mean_norm), the function\'s default; scale: "group" gives the other',
      ourReuse,
    ],
    shown: [],
  },
  hiper: {
    title: "HiPER",
    equation: String.raw`A_{low}:\ \delta=r+\gamma V_{next}-V_{low};\quad A_{high}:\ \delta_k=\sum_j\gamma^jr_j+\gamma^{d_k}V_{high}'-V_{high};\quad A_{sw}=G_t-V_{term}`,
    source: "arXiv 2602.16165; official-style code, repository not recorded [P]",
    deviations: [
      "segments and token roles come with the batch; without them a trajectory is one segment of action tokens",
      "keep penalties are the environment's",
      "gamma and both lambdas .95 are ours",
      ourReuse,
    ],
    shown: [],
  },
  starPo: {
    title: "StarPO (PPO form)",
    equation: String.raw`J=\mathbb{E}_{\tau\sim\pi}[R(\tau)],\quad ${gae},\ \gamma=\lambda=1`,
    source: "RAGEN, arXiv 2504.20073; RAGEN-AI/RAGEN [P]",
    deviations: [valuesPerTurn, ourReuse],
    shown: [],
  },
  starPoS: {
    title: "StarPO-S",
    equation: String.raw`U(s_0)=\mathrm{Std}_{\tau}[R(\tau)],\quad \text{keep the top }25\,\%;\quad \epsilon_{lo}=.2,\ \epsilon_{hi}=.28`,
    source: "RAGEN, arXiv 2504.20073, Eq. 7; rollout_filter_ratio .25 [P]",
    deviations: [valuesPerTurn, ourReuse],
    shown: [],
  },
  stepPo: {
    title: "StepPO",
    equation: String.raw`\delta_t=r_t+\gamma V(s_{t+1})-V(s_t),\quad L=-\frac1K\sum_k\min(w_kA_k,\mathrm{clip}(w_k)A_k),\quad ${turnRatio}`,
    source: "arXiv 2604.18401 [S]; README config gae + gspo [P]",
    deviations: ["the value is taken before the turn, not at the state's last token", ourReuse],
    shown: [],
  },
  turnPpo: {
    title: "Turn-PPO",
    equation: String.raw`${turnRatio},\quad L=-\mathbb{E}\Big[\tfrac{1}{|y|}\sum_t\min(w_kA_k,\mathrm{clip}(w_k)A_k)\Big]`,
    source: "arXiv 2511.20718v1, Eq. 4 and Lemma 4.1 [R]; geometric ratio [S]",
    deviations: [
      "how values are aggregated over a turn is unknown [U]; GAE at turn boundaries here",
      "the arithmetic mean of ratio.pooling appears in working notes only [N]",
      ourReuse,
    ],
    shown: [],
  },
  sPpo: {
    title: "S-PPO",
    equation: clipBias,
    source: "arXiv 2511.20718v1, Eq. 7 [R]",
    deviations: [doubtfulDivision, ourReuse],
    shown: [],
  },
  stPpo: {
    title: "ST-PPO",
    equation: String.raw`${turnRatio};\quad ${clipBias}`,
    source: "arXiv 2511.20718v1, Eq. 8 [R]",
    deviations: [doubtfulDivision, ourReuse],
    shown: [],
  },
  soPpo: {
    title: "SO-PPO",
    equation: String.raw`${turnRatio};\quad ${clipBias}`,
    source: "arXiv 2511.20718v2, abstract [P]; presumably ST-PPO renamed [U]",
    deviations: [
      doubtfulDivision,
      'clippingTriggered: "klPenalty" is lambda * clip fraction * KL, which working notes give and no source confirms [N]',
      ourReuse,
    ],
    shown: ["with one-token turns and no normalisation it is PPO"],
  },
  soGrpo: {
    title: "SO-GRPO",
    equation: String.raw`${groupStd};\quad ${turnRatio};\quad ${clipBias}`,
    source: "arXiv 2511.20718v2, abstract [P]; formula [U]",
    deviations: [
      doubtfulDivision,
      'the outcome advantage is shared by all turns; advantage: "perTurn" gives the turn-level reading of working notes [N]',
      ourReuse,
    ],
    shown: [],
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
  },
};
