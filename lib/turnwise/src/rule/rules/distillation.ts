import type { Row } from "./row";
import { clip, clippedTokens, oneStep, ourReuse, reuse, tokenClip } from "./shared";

/** Rules in which a teacher grades the tokens that the policy itself has written. */
export const distillation = {
  onPolicyDistillation: {
    title: "On-policy distillation",
    equation: String.raw`A_t=-c\sum_{k\ge t}\gamma^{k-t}\log\tfrac{\pi_{old}(y_k\mid\cdot)}{\nu(y_k\mid\cdot)},\quad L=-\frac1N\sum_{i,t}r_{i,t}A_{i,t},\quad \nu=\text{teacher},\quad ${clippedTokens}`,
    source:
      "Thinking Machines Lab, On-Policy Distillation (2025); tinker-cookbook at 53aaf8d, tinker_cookbook/distillation/train_on_policy.py:85, :97; prime-rl at 559b447, src/prime_rl/trainer/rl/loss.py:199 (ref_kl_loss_fn); self-distillation, arXiv 2601.19897; with the full KL: GKD, arXiv 2306.13649 [P]",
    deviations: [
      "gamma 0 is the code's default: each token answers for itself alone; at gamma 1 the mean gradient is that of the KL over whole trajectories",
      'regularizer.klReference: { coef, estimator: "exact" } instead of reward.kl is the full KL of every sampled context, as GKD has it',
      "the sum over tokens, as tinker's loss importance_sampling; averaged over the trajectories, so that a batch's size does not change the step",
      "prime-rl takes the present log-prob instead of the sampler's, drops tokens whose probability fell by more than .2 (loss.py:221) and adds .001 (log r)^2 (loss.py:228): the same at the first step of a batch",
      "the teacher is the exact optimum of the world, softened to full support, where train gets no other",
      ourReuse,
    ],
    shown: ["its mean gradient is that of -KL(pi || nu) on the student's own states, by enumeration"],
    fields: {
      reward: { environment: 0, kl: { coef: 1, estimator: "k1" } },
      advantage: { kind: "returnToGo", gamma: 0 },
      ratio: "token",
      gate: "unclipped",
      aggregate: { kind: "constant", length: 1 },
      update: oneStep,
    },
  },
  opsd: {
    title: "OPSD",
    equation: String.raw`A_t=\log\frac{\pi_{old}(y_t\mid d,\cdot)}{\pi_{old}(y_t\mid\cdot)},\quad L=-\tfrac1M\sum r_tA_t,\quad d=\text{demonstration},\quad ${clippedTokens}`,
    source:
      "On-policy self-distillation, arXiv 2601.18734, siyan-zhao/OPSD; the same idea as SDFT, arXiv 2601.19897; prime-rl at 559b447, src/prime_rl/orchestrator/algo/opsd.py:76, src/prime_rl/trainer/rl/loss.py:225, loss.py:227 [P]",
    deviations: [
      "the demonstration is the transcript of an episode from the same start, played by the exact optimum of the world where train gets no other teacher; prime-rl's is a text of the task, in a system message of its own (opsd.py:73)",
      "the teacher is the policy as it was before the update, as in prime-rl, where it is the live one (opsd.py:45); the paper's is a moving average of the weights",
      "the reverse KL, estimated from the sampled token, as in prime-rl; its terms that begin to act after the first step of a batch are left out: tokens whose probability fell by more than .2 (loss.py:221) and .001 (log r)^2 (loss.py:229)",
      "the policy must read tokens, as an mlp, gru or transformer with a window for demonstration and episode, and must follow a demonstration already, which no untrained policy does; in a table the contexts after a demonstration have rows of their own, which nothing trains: there the rule leads back to the policy's beginning",
      ourReuse,
    ],
    shown: [
      "its mean gradient is that of -KL(pi || pi after the demonstration) on the student's own states, by enumeration",
      "in a table that begins uniform, it is the gradient of the entropy (tested)",
    ],
    fields: {
      reward: { environment: 0, kl: { coef: 1, estimator: "k1", reference: "shown" } },
      advantage: { kind: "returnToGo", gamma: 0 },
      ratio: "token",
      gate: "unclipped",
      aggregate: "tokenMean",
      update: oneStep,
    },
  },
  agentOpsd: {
    title: "AgentOPSD",
    equation: String.raw`A_k=A_i\big((1-\lambda)+\lambda m_k\big),\quad m_k=\mathrm{clip}(1+b\,\mathrm{sgn}(A_i)\,z_k,1\pm b),\quad z=\text{z-score of }V_k-V_{k-1},\quad\mathrm{logit}V_k=\mathrm{logit}\bar R+\sum_{j\le k}\sum_{l\in j}\log\tfrac{\nu(y_l)}{\pi_{old}(y_l)},\quad L=-\tfrac1M\sum ${clip}`,
    source:
      "arXiv 2608.05987; verl/trainer/ppo/opsd_utils.py:463 (turn level, signed), examples/agentopsd_trainer/run_alfworld_3b.sh:11 in ZethWang/AgentOPSD at 0c478b2 [P]",
    deviations: [
      "the teacher is the exact optimum of the world, softened to full support; in the code it is the policy itself that reads a skill beforehand, which a table cannot",
      "lambda .5 does not fade; the code's own lambda can (warmdown_steps)",
      "the belief begins at the mean return of the group, between 1e-4 and 1 - 1e-4, as in the code: rewards are meant to be 0 or 1",
      "the group's deviation has n - 1 and 1e-6, each trajectory counting once",
      "KL .01 to the frozen start, as in the launcher (run_alfworld_3b.sh:45); no penalty for invalid actions",
      "off here: verl's entropy bonus of .001, which the launcher keeps (verl/trainer/config/ppo_trainer.yaml:57), and the code's dual clip at 3 (verl/trainer/ppo/core_algos.py:485)",
      ourReuse,
    ],
    shown: [
      "with weight 0, or turns that all move the belief by as much, it is GRPO with the mean over tokens",
      "no advantage changes its sign, or by more than a tenth: the weights are 1 - lambda b to 1 + lambda b",
    ],
    fields: {
      ...tokenClip,
      reward: { step: "teacherGap" },
      advantage: "belief",
      scale: "group",
      aggregate: "tokenMean",
      regularizer: { klReference: { coef: 0.01, form: "verl" } },
      update: reuse,
    },
  },
} as const satisfies Readonly<Record<string, Row>>;
