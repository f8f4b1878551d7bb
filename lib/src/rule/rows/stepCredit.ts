import type { Row } from "./row";
import { clip, clippedTokens, noKl, oneStep, ourReuse, reuse, tokenClip, groupStd } from "./shared";

/** Rules that give every turn a credit of its own. */
export const stepCredit = {
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
  igpo: {
    title: "IGPO",
    equation: String.raw`r_t=p(\text{gold}\mid h_{t+1})-p(\text{gold}\mid h_t),\quad r_T=R,\quad A_t=\sum_{k\ge t}r_k-\frac1G\sum_j\sum_{k\ge t}r_{j,k},\quad L=-\tfrac1M\sum ${clip},\quad ${clippedTokens}`,
    source:
      "arXiv 2510.14967; scrl/llm_agent/generation.py:410 and verl/trainer/ppo/core_algos.py:193 in GuoqingWang1/IGPO at bff163b [P]; arXiv 2609.04813 is another IGPO",
    deviations: [
      "the gain is added to what the world pays the turn; in the paper turns before the last are paid nothing else",
      "positions are turns, where the code's are tokens; both count a trajectory that has ended as 0 in the mean",
      "no division by the deviation, as in the code, which computes it and leaves it out (core_algos.py:247)",
      "a world whose tasks name no answer pays no gain: the row is then the return to go minus the group's mean",
      noKl,
      ourReuse,
    ],
    shown: ["the gains of a trajectory sum to p before its last turn minus p at the start (tested)"],
    cells: {
      ...tokenClip,
      reward: { step: "informationGain" },
      advantage: "perPosition",
      aggregate: "tokenMean",
      update: reuse,
    },
  },
  onPolicyDistillation: {
    title: "On-policy distillation",
    equation: String.raw`A_t=-c\sum_{k\ge t}\gamma^{k-t}\log\tfrac{\pi_{old}(y_k\mid\cdot)}{\nu(y_k\mid\cdot)},\quad L=-\frac1N\sum_{i,t}r_{i,t}A_{i,t},\quad \nu=\text{teacher},\quad ${clippedTokens}`,
    source:
      "Thinking Machines Lab, On-Policy Distillation (2025); tinker-cookbook at 53aaf8d, tinker_cookbook/distillation/train_on_policy.py:85, :97; prime-rl at 559b447, src/prime_rl/trainer/rl/loss.py:199 (ref_kl_loss_fn); self-distillation, arXiv 2601.19897; with the full KL: GKD, arXiv 2306.13649 [P]",
    deviations: [
      "gamma 0 is the code's default: each token answers for itself alone; at gamma 1 the mean gradient is that of the KL over whole trajectories",
      'regulariser.klReference: { coef, estimator: "exact" } in the place of reward.kl is the full KL of every sampled context, as GKD has it',
      "the sum over tokens, as tinker's loss importance_sampling; averaged over the trajectories, so that a batch's size does not change the step",
      "prime-rl takes the present log-prob in the place of the sampler's, drops tokens whose probability fell by more than .2 (loss.py:219) and adds .001 (log r)^2 (loss.py:228): the same at the first step of a batch",
      "the teacher is the exact optimum of the world, softened to full support, where train gets no other",
      ourReuse,
    ],
    shown: ["its mean gradient is that of -KL(pi || nu) on the student's own states, by enumeration"],
    cells: {
      reward: { environment: 0, kl: { coef: 1, estimator: "k1" } },
      advantage: { kind: "returnToGo", gamma: 0 },
      ratio: "token",
      gate: "unclipped",
      aggregate: { kind: "constant", length: 1 },
      update: oneStep,
    },
  },
  iStar: {
    title: "iStar",
    equation: String.raw`A_t=A^E+wA^S_t,\quad A^E=R_i-\frac{1}{G-1}\sum_{j\ne i}R_j,\quad s_t=\beta\sum_{l\in t}\log\frac{\pi_\phi(y_l)}{\pi_{old}(y_l)},\quad L=-\tfrac1M\sum ${clip},\quad ${clippedTokens}`,
    source:
      "arXiv 2509.19199; CharacterRL-iStar/istar/core_istar.py:31, istar/dp_rm.py:190, istar/rm_utils.py:43 in Tongyi-ConvAI/Qwen-Character at 1de87a2 [P]",
    deviations: [
      'a turn is compared with all turns of its group, as the docstring of step_rloo_reward says (core_istar.py:106); its code keeps only each trajectory\'s first row in the mean (core_istar.py:129): advantage.among "firstTurns" does that',
      "a pair is any two trajectories of a group with different returns; the code pairs a score above 0 with one of at most 0 (rm_utils.py:103)",
      "the second policy is a copy of the first at the start, and its reference is the policy that sampled, as in the launchers (ref_path=null, examples/istar_trainer/run_webshop.sh:54)",
      "the second policy learns, as in the paper; in the code its log-ratios are detached before the loss (dp_rm.py:417), so that the loss gives its parameters no gradient",
      "dual clip at 3 is the code's (verl/trainer/config/ppo_trainer.yaml:54); no penalty for invalid actions",
      "a whole minibatch of the second policy is the batch; its learning rate is ours",
      ourReuse,
    ],
    shown: ["resumes to the same bits, second policy included (tested)"],
    cells: {
      reward: { step: "implicit" },
      advantage: "episodePlusStep",
      ratio: "token",
      gate: { kind: "dualClip", dualClip: 3 },
      aggregate: "tokenMean",
      update: reuse,
    },
  },
  treeGrpo: {
    title: "Tree-GRPO",
    equation: String.raw`A_i=\frac{R_i-\mathrm{mean}_{group}(R)}{\mathrm{std}_{group}(R)+\varepsilon}+\frac{R_i-\mathrm{mean}_{tree}(R)}{\mathrm{std}_{tree}(R)+\varepsilon}`,
    source:
      "arXiv 2509.21240; verl/trainer/ppo/ray_trainer_ts.py:168 and search_r1/llm_agent/generation_ts.py:554 in AMAP-ML/Tree-GRPO at 90b1709 [P]",
    deviations: [
      "trees of three leaves, a trunk and two that leave it in one round, as both search scripts have it (train_multihopqa_tree_search.sh:20); the last tree of a group is what is left of the group size",
      'a leaf leaves its trunk at one of the trunk\'s own turns, as in the code (tree_node.py:132): long episodes come more often than the policy writes them, so that the gradient is biased where lengths differ; forks.among: "limit" does away with that',
      "a trajectory alone in its tree has no advantage there; the code gives it its score (verl/trainer/ppo/core_algos.py:142)",
      "shared turns stand in every leaf and are trained once for each, as in the code",
      ourReuse,
    ],
    shown: ["without forks it is GRPO with its KL term, exactly"],
    cells: {
      ...tokenClip,
      forks: { kind: "random", leaves: 3 },
      advantage: "tree",
      scale: "group",
      aggregate: "tokenMean",
      regulariser: { klReference: { coef: 0.001, form: "verl" } },
      update: reuse,
    },
  },
  arpo: {
    title: "ARPO",
    equation: String.raw`P(\text{fork after turn }t)=p+w\,\frac{H_t-H_0}{\log V},\quad ${groupStd}`,
    source:
      "arXiv 2507.19849; ARPO/verl_arpo_entropy/verl/workers/rollout/vllm_rollout/vllm_rollout_with_tools.py:457 in dongguanting/ARPO at e257337 [P]",
    deviations: [
      "half of a group begins at the start, p .5 and w .2, as the scripts have it (ARPO/scripts/ARPO_7B_Reasoning_1node.sh:53); beam size 2: a turn is left once at most",
      "H is the mean entropy of the turn's tokens under the whole vocabulary; the code adds up the listed log-probs of the first twenty (vllm_rollout_with_tools.py:286)",
      "the soft form of the advantage: shared tokens are trained with the advantage of each trajectory that has them, which is what the released loss does",
      "that entropy marks the turns worth forking is disputed by arXiv 2606.12384",
      ourReuse,
    ],
    shown: ["with forks.initial 1 nobody forks, and it is GRPO with tokens averaged over the batch"],
    cells: {
      ...tokenClip,
      forks: "entropy",
      advantage: "mean",
      scale: "group",
      aggregate: "tokenMean",
      update: reuse,
    },
  },
} as const satisfies Readonly<Record<string, Row>>;
