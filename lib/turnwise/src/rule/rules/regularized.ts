import type { Row } from "./row";
import { clip, groupMeanAndStd, ourReuse, reuse, tokenClip, trlEpsilon } from "./shared";

/** Relatives of GRPO that choose tokens by entropy or covariance, or steer the entropy. */
export const regularized = {
  clipCov: {
    title: "Clip-Cov",
    equation: String.raw`L=-\tfrac1M\sum_{t\notin I} ${clip},\quad I:\ \lfloor rM\rfloor\ \text{at random of}\ \{t:\omega_{lo}<(A_t-\bar A)(\log\pi_t-\overline{\log\pi})<\omega_{hi}\}`,
    source:
      "arXiv 2505.22617; PRIME-RL/Entropy-Mechanism-of-RL at 8850579, verl/trainer/ppo/core_algos.py:469, recipe/dapo/7b_clip_cov.sh:17-34; verl 0.9.1, verl/trainer/ppo/core_algos.py:1744; NovaSky-AI/SkyRL at a956457, skyrl/backends/skyrl_train/utils/ppo_utils.py:939 [P]",
    deviations: [
      "the authors' scripts set both bounds of the ratio to 1 (7b_clip_cov.sh:17-18); clipLow is 0.99 here, below which a ratio is as good as 0",
      "one token at least is left out of every step that has a candidate, as in the code (core_algos.py:501): of the small batches here that is more than the share of 2e-4 says; a share of 0, which the code refuses, leaves out none",
      "means, covariances and the share are those of a minibatch; the code has those of a micro-batch",
      "which candidates go is drawn by the trainer; a loss that is computed without draws takes the first of the batch",
      trlEpsilon,
      ourReuse,
    ],
    shown: ["with share 0 it is the rule without covariance, bit for bit"],
    fields: {
      ...groupMeanAndStd,
      ratio: "token",
      gate: { kind: "clip", clipLow: 0.99, clipHigh: 1 },
      aggregate: "tokenMean",
      filter: "zeroVariance",
      regularizer: { covariance: { kind: "clip", share: 0.0002, min: 1, max: 5 } },
      update: reuse,
    },
  },
  klCov: {
    title: "KL-Cov",
    equation: String.raw`L=-\tfrac1M\sum_t\big(rA-\beta\,|\log r|\,\mathbb{1}[t\in I]\big),\quad I:\ \text{the}\ \lfloor kM\rfloor\ \text{largest}\ (A_t-\bar A)(\log\pi_t-\overline{\log\pi})`,
    source:
      "arXiv 2505.22617; PRIME-RL/Entropy-Mechanism-of-RL at 8850579, verl/trainer/ppo/core_algos.py:426, recipe/dapo/7b_kl_cov.sh; verl 0.9.1, verl/trainer/ppo/core_algos.py:1849; NovaSky-AI/SkyRL at a956457, skyrl/backends/skyrl_train/utils/ppo_utils.py:1002 [P]",
    deviations: [
      "the share is the authors' for 7B, 2e-3: their k_percent of .2 is divided by 100 (core_algos.py:458); verl's default is 2e-4 (verl/workers/config/actor.py:98), SkyRL's .2 is a fifth of all tokens (skyrl/train/config/config.py:742)",
      "one token at least is charged, as in the code (core_algos.py:458); a share of 0 charges none",
      "a correction weighs what a token earns and not its charge; verl weighs both (verl/trainer/ppo/core_algos.py:1917)",
      "the charge is |log r|, whose slope does not shrink with the distance; of a policy that has not moved it is 0, and rounding below 1e-12 nats is no move",
      "means, covariances and the share are those of a minibatch; the code has those of a micro-batch",
      trlEpsilon,
      ourReuse,
    ],
    shown: ["with share 0 it is the rule without covariance, bit for bit"],
    fields: {
      ...groupMeanAndStd,
      ratio: "token",
      gate: "unclipped",
      aggregate: "tokenMean",
      filter: "zeroVariance",
      regularizer: { covariance: { kind: "penalty", share: 0.002, coef: 1 } },
      update: reuse,
    },
  },
  highEntropy: {
    title: "80/20 rule",
    equation: String.raw`L=-\frac1M\sum_{i,t}\mathbb{1}[H_{i,t}\ge\tau_\rho]\,u_{i,t},\quad u=${clip},\quad M=\sum_i|o_i|,\quad\rho=.2`,
    source:
      "arXiv 2506.01939, Eq. 5; TRL 1.16.0, trl/trainer/grpo_trainer.py:1380, 3049, 3143 (top_entropy_quantile) [P]",
    deviations: [
      "the other fields are DAPO's, on which the paper builds, without its length limits, which do not bind on small tasks",
      "entropies are those of the policy that is updated, and the threshold is that of a minibatch, as in TRL (grpo_trainer.py:3050); entropies that tie at the threshold all take part",
      "the denominator counts all tokens, as in the paper and in TRL (grpo_trainer.py:3170)",
      "an entropy bonus beside it goes to all tokens; TRL's goes to those that take part (grpo_trainer.py:3192)",
      trlEpsilon,
      ourReuse,
    ],
    shown: ["with a share of 1 it is DAPO, bit for bit"],
    fields: {
      ...groupMeanAndStd,
      ratio: "token",
      gate: { kind: "clip", clipLow: 0.2, clipHigh: 0.28 },
      aggregate: "tokenMean",
      filter: "zeroVariance",
      regularizer: { entropyShare: 0.2 },
      update: reuse,
    },
  },
  adaptiveEntropy: {
    title: "Adaptive entropy",
    equation: String.raw`L=-\tfrac1M\sum\big(${clip}+\alpha_kH\big),\quad\alpha_k=c_k\mathbb{1}[e_{k-1}<e^*],\quad c_{k+1}=c_k\pm\Delta`,
    source:
      "Skywork-OR1, arXiv 2505.22312; SkyworkAI/Skywork-OR1 at 64e96af, verl/trainer/ppo/core_algos.py:56-74, verl/trainer/ppo/ray_trainer.py:1168, verl/workers/actor/dp_actor.py:203-216; TRL 1.16.0, trl/trainer/grpo_trainer.py:3206-3240 [P]",
    deviations: [
      "target .2, step .005 and bounds 0 and 1 are TRL's defaults (trl/trainer/grpo_config.py:894-906); the authors' scripts step by 1e-4 up to .005 (or1_scripts/train/7b_8k.sh:14-17)",
      "the entropy is estimated from the log-probs of the batch's own tokens, once an update, and gates the bonus of the next one, as in the code (dp_actor.py:214, ray_trainer.py:1168); TRL takes exact entropies at every optimizer step, and pays at the target as well",
      "groups of equal returns are dropped and not drawn again, as in the code (ray_trainer.py:1061)",
      "the paper samples at temperature 1, in several stages of growing length; neither is a field of a rule",
      trlEpsilon,
      ourReuse,
    ],
    shown: [
      "the weight takes the states of the authors' own controller (their code, run)",
      "with step 0 it is a constant entropy bonus as long as the entropy stays below the target",
    ],
    fields: {
      ...groupMeanAndStd,
      ...tokenClip,
      aggregate: "tokenMean",
      filter: { kind: "zeroVariance", maxGenerations: 1 },
      regularizer: { entropyTarget: { target: 0.2, step: 0.005, min: 0, max: 1 } },
      update: reuse,
    },
  },
  echo: {
    title: "ECHO",
    equation: String.raw`L=-\tfrac1M\sum ${clip}-\frac{\lambda}{M_o}\sum_{o\,\in\,\text{answers}}\log\pi_\theta(o\mid\cdot),\quad A_i=R_i-\mathrm{mean}(R),\quad M_o=|\text{answers}|,\ \lambda=.1`,
    source:
      "arXiv 2605.24517; prime-rl at 559b447, src/prime_rl/orchestrator/algo/echo.py:67, src/prime_rl/trainer/rl/loss.py:246, loss.py:394, packages/prime-rl-configs/src/prime_rl/configs/algorithm.py:116 [P]",
    deviations: [
      "the policy must read tokens and be able to write the environment's, as an mlp, gru or transformer in a world with sharedVocabulary; for a table or a log-linear policy the second term is 0",
      "a turn's own tokens have GRPO's clip; prime-rl has its DPPO mask at .2 there and adds tau (log r)^2 (packages/prime-rl-configs/src/prime_rl/configs/trainer.py:497, src/prime_rl/trainer/rl/loss.py:146); advantages without a deviation are prime-rl's (src/prime_rl/orchestrator/algo/grpo.py:30)",
      "each term is divided by its own number of tokens in a minibatch; prime-rl counts those of a whole step",
      "every answer that another turn follows is charged in full; the paper leaves out warnings, and prime-rl the tags of its chat template (src/prime_rl/orchestrator/algo/echo.py:74)",
      ourReuse,
    ],
    shown: [
      "with weight 0 it is the rule without answers, bit for bit",
      "in a table, which has rows of their own for answers, the second term would move no turn (tested)",
    ],
    fields: {
      ...tokenClip,
      advantage: "mean",
      aggregate: "tokenMean",
      regularizer: { observationCoef: 0.1 },
      update: reuse,
    },
  },
} as const satisfies Readonly<Record<string, Row>>;
