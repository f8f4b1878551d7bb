import { distillation } from "./distillation";
import { relabeled } from "./relabeled";
import type { Row } from "./row";
import {
  clip,
  clippedTokens,
  groupStd,
  noKl,
  oneStep,
  ourReuse,
  reuse,
  sumOfLogProbs,
  tokenClip,
  turnRatio,
} from "./shared";

/** Rules that give every turn a credit of its own. */
export const stepCredit = {
  gigpo: {
    title: "GiGPO",
    equation: String.raw`A=A^E+wA^S,\quad A^E_i=\frac{R_i-\mathrm{mean}(R)}{F},\quad A^S_t=\frac{Ret_t-\mathrm{mean}_{\text{same anchor}}(Ret)}{F},\quad Ret_t=\sum_{k\ge t}\gamma^{k-t}R_k,\quad L=-\tfrac1M\sum\big(${clip}-\beta\,\mathrm{KL}_{ref}\big),\quad ${clippedTokens},\quad w=F=1,\ \gamma=.95,\ \beta=.01`,
    source: "arXiv 2505.10978; gigpo/core_gigpo.py in langfengQ/verl-agent [P]",
    deviations: [
      "the episode mean counts each trajectory once, as in langfengQ/DrMAS at 19c632b (verl/trainer/ppo/core_algos.py:285); langfengQ/verl-agent at 2716b30 counts it once for each turn (gigpo/core_gigpo.py:180)",
      "F = 1 (mean_norm), the function's default; scale: \"group\" gives the other, the default of DrMAS's trainer (verl/trainer/ppo/ray_trainer.py:247)",
      'a group of one is refused; the code gives it its return (core_algos.py:554); the code dual-clips at 3 (verl-agent, verl/trainer/ppo/core_algos.py:485); gate: "dualClip" does',
      ourReuse,
    ],
    shown: [],
    fields: {
      ...tokenClip,
      advantage: { kind: "gigpo", weight: 1, gamma: 0.95 },
      aggregate: "tokenMean",
      regularizer: { klReference: { coef: 0.01, form: "verl" } },
      update: reuse,
    },
  },
  ...relabeled,
  hiper: {
    title: "HiPER",
    equation: String.raw`A_{low}:\ \delta=R+\gamma V_{next}-V_{low};\quad A_{high}:\ \delta_k=\sum_j\gamma^jR_j+\gamma^{d_k}V_{high}'-V_{high};\quad A_{sw}=G_t-V_{term}`,
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
    fields: {
      advantage: { kind: "hierarchical", whitenRoles: true },
      ratio: "token",
      gate: "dualClip",
      aggregate: "tokenMean",
      regularizer: { klReference: { coef: 0.01, form: "verl" } },
      update: reuse,
    },
  },
  igpo: {
    title: "IGPO",
    equation: String.raw`R_t=p(\text{gold}\mid h_{t+1})-p(\text{gold}\mid h_t),\quad R_T=R,\quad A_t=\sum_{k\ge t}R_k-\frac1G\sum_j\sum_{k\ge t}R_{j,k},\quad L=-\tfrac1M\sum ${clip},\quad ${clippedTokens}`,
    source:
      "arXiv 2510.14967; scrl/llm_agent/generation.py:410 and verl/trainer/ppo/core_algos.py:193 in GuoqingWang1/IGPO at bff163b [P]; arXiv 2609.04813 is another IGPO",
    deviations: [
      "the gain is added to what the world pays the turn; in the paper turns before the last are paid nothing else",
      "positions are turns, where the code's are tokens; both count a trajectory that has ended as 0 in the mean",
      "no division by the deviation, as in the code, which computes it and leaves it out (core_algos.py:246)",
      "a world whose tasks name no answer pays no gain: the rule is then the return to go minus the group's mean",
      noKl,
      ourReuse,
    ],
    shown: ["the gains of a trajectory sum to p before its last turn minus p at the start (tested)"],
    fields: {
      ...tokenClip,
      reward: { step: "informationGain" },
      advantage: "perPosition",
      aggregate: "tokenMean",
      update: reuse,
    },
  },
  a2tgpo: {
    title: "A²TGPO",
    equation: String.raw`A_t=A^E+w\frac{1}{\sqrt{T-t}}\sum_{k=t}^{T-1}z_k,\quad A_T=A^E,\quad A^E_i=\frac{R_i-\mathrm{mean}(R)}{\mathrm{std}(R)+\varepsilon},\quad z_t=\frac{s_t-\mathrm{mean}(s)}{\mathrm{std}(s)+\varepsilon}\ \text{over the group's turns of index }t,\quad s_t=\ell(h_{t+1})-\ell(h_t),\ \ell=\tfrac1{|g|}\log\pi(\text{gold}\mid h),\quad L=-\tfrac1M\sum\min\!\big(w_kA,\ \mathrm{clip}(w_k,1-c_t\epsilon_{lo},1+c_t\epsilon_{hi})A\big),\quad c_t=1+\beta\big(2\sigma(z_t)-1\big),\quad ${turnRatio},\quad w=\beta=.3`,
    source:
      "arXiv 2605.06200, Eq. 2 to 12 and B.4; the authors' verl/trainer/ppo/core_algos.py:1172 (compute_igpo_step_advantage), :833 (compute_policy_loss_gspo_turn) and scripts/ATGPO_multihop_qwen3_4B.sh, as copied into manavsehgal/ai-field-notes at f68990d [P]",
    deviations: [
      "the gain is that of the log-prob, as in the code (verl/trainer/ppo/ray_trainer.py:1539) and the paper's Figure 2; its Eq. 3 has the probability",
      "the gains weigh .3, as in the launcher; the paper's Eq. 9 has no weight",
      "the mean over tokens is the code's default (scripts/config/ppo_trainer_dr.yaml:68); the paper's Eq. 12 averages each trajectory first: aggregate \"sequenceMeanTokenMean\"",
      "a gain of exactly 0 is a gain, as in the paper; in the code it marks no turn (core_algos.py:1224), so that the next turn takes its place and its tokens",
      "turns next to each other have ratios of their own; the code tells turns by their advantages, so that two with equal ones share a ratio (core_algos.py:903)",
      "1e-6 beside the deviation with n instead of sqrt(var + 1e-8) and 1e-6 (core_algos.py:1256)",
      "a world whose tasks name no answer pays no gain: the rule is then GRPO with a ratio for each turn",
      "clip widths .003 and .004 are the paper's: on turns of two tokens, the first step on a batch uses them up",
      noKl,
      ourReuse,
    ],
    shown: [
      "with weight 0 and spread 0 it is GRPO with one geometric ratio for each turn (tested)",
      "a group in which all turns of an index gain the same is told by its outcomes alone",
    ],
    fields: {
      ratio: { level: "turn", pooling: "geometric" },
      gate: { kind: "standingClip", clipLow: 0.003, clipHigh: 0.004, spread: 0.3 },
      reward: { step: "evidence" },
      advantage: "outcomePlusGains",
      scale: { kind: "group", unbiased: false },
      aggregate: "tokenMean",
      update: reuse,
    },
  },
  ...distillation,
  iStar: {
    title: "iStar",
    equation: String.raw`A_t=A^E+wA^S_t,\quad A^E=R_i-\frac{1}{G-1}\sum_{j\ne i}R_j,\quad s_t=\beta\sum_{l\in t}\log\frac{\pi_\phi(y_l)}{\pi_{old}(y_l)},\quad L=-\tfrac1M\sum ${clip},\quad ${clippedTokens}`,
    source:
      "arXiv 2509.19199; CharacterRL-iStar/istar/core_istar.py:28, istar/dp_rm.py:173, istar/rm_utils.py:43 in Tongyi-ConvAI/Qwen-Character at 1de87a2 [P]",
    deviations: [
      'a turn is compared with all turns of its group, as the docstring of step_rloo_reward says (core_istar.py:106); its code keeps only each trajectory\'s first row in the mean (core_istar.py:130): advantage.among "firstTurns" does that',
      "a pair is any two trajectories of a group with different returns; the code pairs a score above 0 with one of at most 0 (rm_utils.py:109)",
      "the second policy is a copy of the first at the start, and its reference is the policy that sampled, as in the launchers (ref_path=null, examples/istar_trainer/run_webshop.sh:53)",
      "the second policy learns, as in the paper; in the code its log-ratios are detached before the loss (dp_rm.py:417), so that the loss gives its parameters no gradient",
      "dual clip at 3 is the code's (verl/trainer/config/ppo_trainer.yaml:54); no penalty for invalid actions",
      "a whole minibatch of the second policy is the batch; its learning rate is ours",
      ourReuse,
    ],
    shown: ["resumes to the same bits, second policy included (tested)"],
    fields: {
      reward: { step: "implicit" },
      advantage: "episodePlusStep",
      ratio: "token",
      gate: { kind: "dualClip", dualClip: 3 },
      aggregate: "tokenMean",
      update: reuse,
    },
  },
  factualityFspo: {
    title: "FSPO (factuality)",
    equation: String.raw`A_t=\begin{cases}A_i&s_tA_i\ge 0\\-A_i&\text{else}\end{cases},\quad ${groupStd},\quad s_t\in\{1,-1,0\},\quad L=-\tfrac1M\sum ${clip},\quad ${clippedTokens}`,
    source:
      "arXiv 2505.24630; verl/trainer/ppo/ray_trainer.py:150, verl/workers/fsdp_workers.py:1035 in nusnlp/FSPO at 7f5e4f9 [P]; arXiv 2509.09177 is another FSPO",
    deviations: [
      "a turn is a sentence, and the world's verifier of single steps is the judge; reward.step.error makes it err",
      "a turn without a verdict keeps its advantage; in the code the tensor of verdicts begins as ones (fsdp_workers.py:1055), so that tokens behind the judged sentences count as true, and it is laid on the response from its first token, wherever the reasoning begins (fsdp_workers.py:1093)",
      "the KL term, .001 in the launcher (curriculum.sh:21), is off; regularizer.klReference switches it on",
      ourReuse,
    ],
    shown: [],
    fields: {
      reward: { step: "factual" },
      advantage: "verdictSign",
      scale: "group",
      ...tokenClip,
      aggregate: "tokenMean",
      update: reuse,
    },
  },
  rlAnything: {
    title: "RLAnything, its policy",
    equation: String.raw`A_t=\frac{c_t-\mathrm{mean}_{\text{same }t}(c)}{\mathrm{std}_{\text{same }t}(c)},\quad c_t=R_i+\frac1V\sum_v\nu_{v,t},\quad L=-\tfrac1K\sum_k\tfrac1{|y_k|}\sum ${clip}`,
    source:
      "arXiv 2602.02488; reward/alfworld_rl_reward.py:31, :287, train/alfworld_train.py:475 in Gen-Verse/Open-AgentRL at 1fe5dbd [P]",
    deviations: [
      "judges are a table of noisy votes about the world's own verdict on the turn; reward.step.learningRate lets them learn",
      "1e-8 is added to the deviation, which has n in the variance; the code divides by it alone and gives 0 below 1e-8",
      "groups in which all succeed or all fail are left out and nothing is sampled in their place, which for groups of 8 is the code's bound of 1/8 to 7/8 (alfworld_rl_reward.py:272)",
      "turns whose advantage is 0 stay in the mean; the code drops them (alfworld_rl_reward.py:296)",
      "the KL term, .01 (k3) to the policy that sampled (train/alfworld_train.py:486), is off",
      "tasks are the world's own; acceptTask is the rule by which harder and easier ones are kept",
      ourReuse,
    ],
    shown: [],
    fields: {
      reward: { step: "vote" },
      filter: { kind: "zeroVariance", maxGenerations: 1 },
      advantage: "outcomePlusStep",
      scale: { kind: "group", unbiased: false, epsilon: 1e-8 },
      ...tokenClip,
      aggregate: { kind: "turnMean", over: "batch" },
      update: reuse,
    },
  },
  perTurnLoo: {
    title: "leave-one-out per turn",
    equation: String.raw`A_{i,t}=R_i-\mathrm{mean}_{j\ne i,\ \text{alive at}\ t}(R_j),\quad L=-\frac1N\sum_{i,t}A_{i,t}\log\pi_\theta(y_{i,t})`,
    source:
      "AgentCreditBench (2026); src/agent_credit_bench/estimators/turn_loo.py in hectopascal/agent-credit-bench at 02afaf3 [P]",
    deviations: [
      "there an advantage estimator alone; the loss is RLOO's",
      'a turn that no other trajectory reaches keeps its return, as there; advantage.onlyMember: "zero" drops it, which biases',
      "there all trajectories of a batch share one start; here those of a task are compared",
    ],
    shown: [
      "unbiased: its expected step is the exact gradient, on games whose trajectories differ in length [D]",
      "where all trajectories take as many turns, it is RLOO",
    ],
    fields: {
      ...sumOfLogProbs,
      advantage: { kind: "perTurn", credit: "return", baseline: "leaveOneOut", onlyMember: "credit" },
      update: oneStep,
    },
  },
  hgpo: {
    title: "HGPO",
    equation: String.raw`A_t=\frac{\sum_k(k+1)^\alpha A^{(k)}_t}{\sum_k(k+1)^\alpha},\quad A^{(k)}_t=\frac{Ret_t-\mathrm{mean}_{\text{same last }k\text{ observations}}(Ret)}{\mathrm{std}(Ret)+\varepsilon}`,
    source:
      "arXiv 2602.22817, ICLR 2026; recipe/hgpo/core_hgpo.py in xlan156/verl-agent at 8ca3a46 (verl-agent pull request 232) [P]",
    deviations: [
      "history 2, alpha 1, no episode group, the deviation with n, gamma .95 and KL .01 are the launchers' (recipe/hgpo/run_qwen2.5_1.5b_alfworld_train.sh)",
      "the weights sum to 1; the code adds 1e-6 to their sum (core_hgpo.py:202)",
      "an advantage below 1e-9 counts as the 0 that the code leaves out (core_hgpo.py:196)",
      "with advantage.episode every trajectory counts once in the episode's mean; the code counts it once for each turn (core_hgpo.py:176)",
      'the code dual-clips at 3 (verl/trainer/ppo/core_algos.py:485); gate: "dualClip" does',
      ourReuse,
    ],
    shown: [
      "with history 0 and no deviation it is GiGPO's advantage among visits alone; with the episode group (A^E + 2 A^S) / 3 where neither is 0",
    ],
    fields: {
      ...tokenClip,
      advantage: { kind: "hgpo", history: 2, alpha: 1, gamma: 0.95 },
      scale: { kind: "group", unbiased: false },
      aggregate: "tokenMean",
      regularizer: { klReference: { coef: 0.01, form: "verl" } },
      update: reuse,
    },
  },
  mtGrpo: {
    title: "MT-GRPO",
    equation: String.raw`A_t=A_{outcome}+\lambda A_{turn}\,\mathbb{1}[\text{before the tool's result}],\quad A=\frac{R-\mathrm{mean}(R)}{\mathrm{std}(R)+\varepsilon},\quad L=-\tfrac1M\sum ${clip}`,
    source:
      "arXiv 2505.11821; verifiers/trainers/mt_grpo_env_trainer.py:172 in SiliangZeng/Multi-Turn-RL-Agent at 7dbdd08 [P]",
    deviations: [
      "the code has functions for the turn's reward and others for the outcome's; here the turn's is what the first turn earned, if another came after it, and the outcome's is the rest of the return",
      "the code tells a tool's result by its tag and takes the first (mt_grpo_env_trainer.py:162); here a first turn that others follow has been answered",
      "1e-4 stands beside the deviation, as in the code (verifiers/trainers/grpo_env_trainer.py:267), and the KL is off, as in its launcher (scripts/run_mt_grpo.sh)",
      ourReuse,
    ],
    shown: [
      "where the first of several turns earns nothing it is GRPO with the mean over tokens; with lambda 0 it is that of what came after the first turns",
      "in groups of four its expected step has cosine .36 with the exact gradient on the game \"look up\": divided by its own deviation, a call's price of 1/8 weighs as much as an answer's 1 [D]",
    ],
    fields: {
      ...tokenClip,
      advantage: { kind: "outcomePlusTurn", weight: 1 },
      scale: { kind: "group", epsilon: 1e-4 },
      aggregate: "tokenMean",
      update: reuse,
    },
  },
  agentPrm: {
    title: "AgentPRM",
    equation: String.raw`A_t=\hat Q(h_t,a_t)-\hat V(h_t),\quad\hat Q(h,a)=\mathrm{mean}_{\tau\ni(h,a)}\sum_{k\ge t}R_k,\quad L=-\tfrac1M\sum ${clip},\quad ${clippedTokens}`,
    source:
      "arXiv 2502.10325; scripts/dataproc/compute_prm_target.py:43 in sanjibanc/agent_prm at e471471 [P]; arXiv 2511.08325 is another AgentPRM",
    deviations: [
      "a table of counts stands for the language model that is regressed to it, and trains the policy in the same update; the paper alternates: rollouts, regression, then RL on Q",
      "Q minus V of the same table, which changes no expectation but for the turn's own rollout in both; the code prefers the better of two turns by online DPO (scripts/train/online_dpo_vllm_thread.py)",
      "no discount; the code multiplies the outcome by gamma^t, t counted from the start (compute_prm_target.py:55), so that late turns are discounted more than early ones",
      "outcomes as they are; the code takes 2 R - 1 and maps the mean back (compute_prm_target.py:69, compute_prm_target.py:112)",
      "rollouts pass the same histories by forks: three leaves a tree, whose steps rollout/steps counts",
      noKl,
      ourReuse,
    ],
    shown: ["the table's Q tends to the exact Q of the policy (tested)"],
    fields: {
      ...tokenClip,
      forks: { kind: "random", leaves: 3 },
      reward: { step: "monteCarlo" },
      advantage: "step",
      aggregate: "tokenMean",
      update: reuse,
    },
  },
} as const satisfies Readonly<Record<string, Row>>;
