/** One file because records, charts, alarms and the pages of help read one list: no metric has a name outside of it. */

/** One metric: its unit, what it measures, and when to worry. */
export interface MetricEntry {
  readonly unit: string;
  readonly meaning: string;
  readonly worryWhen: string;
}

/** Every metric there is, by name: records, charts and alarms know no others. A new metric is one entry here. */
export const glossary = {
  "reward/mean": {
    unit: "reward",
    meaning: "mean undiscounted return of the trajectories sampled for this update",
    worryWhen: "it falls for many updates after having risen",
  },
  "reward/std": {
    unit: "reward",
    meaning: "mean over groups of the standard deviation of returns within a group (population form)",
    worryWhen: "it drops towards 0 while reward/mean is below the optimum: nothing is left to learn from",
  },
  "reward/fracZeroStd": {
    unit: "fraction of groups",
    meaning: "groups whose trajectories all have the same return, which carry no gradient",
    worryWhen: "it nears 1 before the reward is optimal",
  },
  "filter/fracKept": {
    unit: "fraction of trajectories",
    meaning: "trajectories that the rule's filter lets into the update",
    worryWhen: "it is small: the gradient comes from few groups",
  },
  "stepReward/mean": {
    unit: "reward",
    meaning: "mean of the rule's step reward over the turns that it judges",
    worryWhen: "it rises while reward/mean does not: the policy is paid for something else than the task",
  },
  "stepReward/fracJudged": {
    unit: "fraction of turns",
    meaning: "turns that the rule's step reward says something about",
    worryWhen: "it is 0: the world names nothing that the rule could judge by, and the outcome alone is left",
  },
  "stepReward/evaluations": {
    unit: "evaluations per trajectory",
    meaning: "contexts on which a policy is evaluated for the step reward alone, besides sampling",
    worryWhen: "it exceeds the number of turns: judging costs more than acting",
  },
  "stepReward/preferenceLoss": {
    unit: "nats per pair",
    meaning:
      "-log of the probability that the second policy of an implicit step reward gives to the better of two trajectories",
    worryWhen: "it stays at 0.69, a coin's: the step reward says nothing yet",
  },
  "stepReward/preferenceAccuracy": {
    unit: "fraction of pairs",
    meaning:
      "pairs of a group in which an implicit step reward ranks the better trajectory first, before it learns from them",
    worryWhen: "it is near 0.5 after many updates, or near 1 while reward/mean stands still",
  },
  "advantage/mean": {
    unit: "advantage",
    meaning: "mean advantage over active tokens",
    worryWhen: "it is far from 0 for a group-relative rule: the baseline does not fit",
  },
  "advantage/std": {
    unit: "advantage",
    meaning: "standard deviation of the advantage over active tokens (population form)",
    worryWhen: "it is orders of magnitude above 1 or exactly 0",
  },
  "advantage/fracClamped": {
    unit: "fraction of trajectories",
    meaning: "advantages cut by the clamp of the rule's scale",
    worryWhen: "it is above a few per cent: outliers steer the update",
  },
  "policy/loss": {
    unit: "loss",
    meaning: "the surrogate that was minimized, regularizers included",
    worryWhen: "it is not finite; its value alone says nothing about learning",
  },
  "policy/entropy": {
    unit: "nats per token",
    meaning: "mean entropy of the next-token distribution over active tokens",
    worryWhen: "it collapses within a few updates, or rises fast while the reward falls",
  },
  "policy/approxKl": {
    unit: "nats per token",
    meaning:
      "estimate of KL(old || new), the divergence of the present policy from the one that sampled: the mean of (r - 1) - log r over sampled tokens, right on average, with r limited to e^20",
    worryWhen: "it exceeds about 0.1 in one update",
  },
  "policy/klReference": {
    unit: "nats per token",
    meaning:
      "the divergence between policy and reference that the rule charges, a mean over sampled contexts: in the rule's direction, exact with its estimator exact, else that estimate with its correction and clamp",
    worryWhen: "it grows without bound",
  },
  "policy/klOld": {
    unit: "nats per token",
    meaning:
      "the divergence between policy and old policy that the rule charges, a mean over sampled contexts: in the rule's direction, exact with its estimator exact, else that estimate with its correction and clamp",
    worryWhen: "it grows within an update: the steps are too large",
  },
  "policy/clipFracLow": {
    unit: "fraction of tokens",
    meaning:
      "active tokens that the lower clip bound limits (advantage below 0): their gradient is dropped, or bounded where the rule keeps it, as CISPO does",
    worryWhen: "it is above about 0.3: most of the batch is too old to learn from",
  },
  "policy/clipFracHigh": {
    unit: "fraction of tokens",
    meaning:
      "active tokens that the upper clip bound limits (advantage above 0): their gradient is dropped, or bounded where the rule keeps it, as CISPO does",
    worryWhen: "it is above about 0.3: most of the batch is too old to learn from",
  },
  "policy/clipFrac": {
    unit: "fraction of tokens",
    meaning: "both clip bounds together, as read from logs of trainers that do not tell them apart",
    worryWhen: "it is above about 0.3: most of the batch is too old to learn from",
  },
  "policy/clipFracDual": {
    unit: "fraction of tokens",
    meaning: "active tokens whose gradient the dual clip removed (very large ratio, advantage below 0)",
    worryWhen: "it is not 0: single tokens have wild ratios",
  },
  "policy/ratioMax": {
    unit: "ratio",
    meaning: "largest probability ratio of the rule's level over active tokens",
    worryWhen: "it is above about 10",
  },
  "policy/ratioMin": {
    unit: "ratio",
    meaning: "smallest probability ratio of the rule's level over active tokens",
    worryWhen: "it is below about 0.1",
  },
  "policy/fracRatioLimited": {
    unit: "fraction of tokens",
    meaning: "active tokens whose log-ratio hit the numerical limit of 20 nats",
    worryWhen: "it is not 0",
  },
  "policy/fracDropped": {
    unit: "fraction of tokens",
    meaning: "active tokens that the rule's entropyShare or covariance leaves out of the objective",
    worryWhen: "it is far from what the rule asks for: entropies that tie at the threshold all count",
  },
  "policy/fracPenalized": {
    unit: "fraction of tokens",
    meaning: "active tokens that the rule's covariance charges for their distance from the old policy",
    worryWhen: "it is above a few per cent: the charge then holds the whole policy",
  },
  "policy/entropyCoef": {
    unit: "loss per nat",
    meaning: "weight of the entropy bonus that this update paid, in a rule with an entropy target",
    worryWhen: "it stays at its upper bound while the entropy stays below its target",
  },
  "policy/answerCrossEntropy": {
    unit: "nats per token",
    meaning: "negative log-prob of the environment's answers, in a rule that learns to predict them",
    worryWhen: "it rises while the loss falls: the policy forgets what the environment answers",
  },
  "policy/gradNorm": {
    unit: "norm",
    meaning: "global L2 norm of the gradient before clipping: the root of the sum of all squares",
    worryWhen: "it spikes far above its running median",
  },
  "policy/clippedGradNorm": {
    unit: "norm",
    meaning: "L2 norm of the gradient of the terms that the clip removed",
    worryWhen: "it grows: clipping hides most of what the batch says",
  },
  "policy/stepScale": {
    unit: "factor",
    meaning: "factor on the learning rate, in a rule that shortens steps whose weights are uneven",
    worryWhen: "it stays below about 0.5: few trajectories steer the updates",
  },
  "policy/carryMin": {
    unit: "ratio",
    meaning: "smallest carried product of the ratios of turns already updated, over trajectories",
    worryWhen: "it is near 0: those trajectories no longer count",
  },
  "policy/carryMax": {
    unit: "ratio",
    meaning: "largest carried product of the ratios of turns already updated, over trajectories",
    worryWhen: "it is above about 5: one trajectory steers the update",
  },
  "mismatch/kl": {
    unit: "nats per token",
    meaning:
      "estimate of KL(rollout || trainer) over sampled tokens: the mean of log pi_rollout - log pi_trainer, right on average (verl: rollout_corr/kl)",
    worryWhen: "it grows while training goes on: the engines drift apart",
  },
  "mismatch/approxKl": {
    unit: "nats per token",
    meaning:
      "the same divergence as the mean of (w - 1) - log w with w = pi_trainer / pi_rollout, never negative (verl: rollout_corr/k3_kl)",
    worryWhen: "it exceeds about 0.01 before any correction",
  },
  "mismatch/logProbGap": {
    unit: "nats per token",
    meaning:
      "mean distance between the log-probs of trainer and rollout engine (TRL: sampling/sampling_logp_difference/mean)",
    worryWhen: "it grows while training goes on",
  },
  "mismatch/logProbGapMax": {
    unit: "nats",
    meaning:
      "largest distance between the log-probs of trainer and rollout engine over sampled tokens (TRL: sampling/sampling_logp_difference/max)",
    worryWhen: "it is above about 3: a token that one engine finds likely, the other hardly ever writes",
  },
  "mismatch/probGap": {
    unit: "probability",
    meaning:
      "mean distance between the probabilities that trainer and rollout engine give to sampled tokens (verl: training/rollout_probs_diff_mean)",
    worryWhen: "it is above about 0.01, or grows while training goes on",
  },
  "mismatch/probGapMax": {
    unit: "probability",
    meaning:
      "largest distance between the probabilities that trainer and rollout engine give to a sampled token (verl: training/rollout_probs_diff_max)",
    worryWhen: "it is near 1 in most updates",
  },
  "mismatch/correlation": {
    unit: "correlation",
    meaning:
      "Pearson correlation of the probabilities that trainer and rollout engine give to sampled tokens (verl: training/rollout_actor_probs_pearson_corr)",
    worryWhen: "it falls below about 0.95: the engines no longer run the same policy",
  },
  "mismatch/ratioMax": {
    unit: "ratio",
    meaning:
      "largest pi_trainer / pi_rollout of a sampled token, before any correction (TRL's sampling/importance_sampling_ratio/max and verl's rollout_corr/rollout_is_max are after it)",
    worryWhen: "it is above about 10: single tokens steer an uncorrected update",
  },
  "mismatch/chiSquaredToken": {
    unit: "squared ratio",
    meaning:
      "the mean of the squared ratio of a token less 1, the variance of exact weights (verl: rollout_corr/chi2_token)",
    worryWhen: "it is above about 1: weights add more noise than they remove bias",
  },
  "mismatch/chiSquaredTrajectory": {
    unit: "squared ratio",
    meaning: "the same with the product of a trajectory's ratios (verl: rollout_corr/chi2_seq)",
    worryWhen: "it is above about 1: few trajectories steer an update with exact weights",
  },
  "mismatch/fracTruncated": {
    unit: "fraction of tokens",
    meaning:
      "sampled tokens whose weight the rule's correction cut at its upper bound (verl: rollout_corr/rollout_is_ratio_fraction_high)",
    worryWhen: "it is above a few per cent: the truncation biases the gradient",
  },
  "mismatch/fracMasked": {
    unit: "fraction of tokens",
    meaning:
      "sampled tokens that the rule's correction masked or dropped (verl: rollout_corr/rollout_rs_masked_fraction, rollout_is_oob_ratio)",
    worryWhen: "it nears 1: nothing is left to learn from",
  },
  "mismatch/weightMean": {
    unit: "weight",
    meaning:
      "mean weight of the sampled tokens after the rule's correction (verl: rollout_corr/rollout_is_mean; TRL: sampling/importance_sampling_ratio/mean)",
    worryWhen: "it is far from 1: the step is longer or shorter than it seems",
  },
  "mismatch/effectiveSampleSize": {
    unit: "fraction of tokens",
    meaning:
      "(sum of weights)^2 / (number of tokens times the sum of squared weights), after the rule's correction (verl: rollout_corr/rollout_is_eff_sample_size)",
    worryWhen: "it is below about 0.3: few tokens steer the update",
  },
  "staleness/mean": {
    unit: "updates",
    meaning:
      "mean number of updates between the policy that wrote a trajectory and the one that learns from it (verl: training/off_policy/trajectory_staleness/mean)",
    worryWhen: "it grows: rollouts cannot keep up with training",
  },
  "staleness/max": {
    unit: "updates",
    meaning: "the same of the oldest trajectory of the batch (prime-rl: off_policy/max)",
    worryWhen: "it is at the limit that the trainer drops at",
  },
  "critic/explainedVariance": {
    unit: "fraction",
    meaning: "1 - Var(return - value) / Var(return) over turns",
    worryWhen: "it is at or below 0: the critic is worse than a constant",
  },
  "critic/loss": {
    unit: "reward squared",
    meaning: "half the mean squared error of the values",
    worryWhen: "it grows",
  },
  "turns/mean": {
    unit: "turns",
    meaning: "mean number of turns of a trajectory",
    worryWhen: "it falls to 1: the agent has stopped to interact",
  },
  "rollout/steps": {
    unit: "environment steps",
    meaning:
      "steps taken in the environment for this update; what a fork shares with another trajectory counts once",
    worryWhen: "rules are compared at equal updates while one of them takes more steps",
  },
  "tools/calls": {
    unit: "calls per trajectory",
    meaning:
      "mean number of well-formed tool calls in a trajectory; absent unless the world's info.call says what a turn was",
    worryWhen: "it falls to 0 on a task that needs tools",
  },
  "tools/malformed": {
    unit: "calls per trajectory",
    meaning:
      "mean number of turns in a trajectory that the environment could not parse; absent unless the world's info.call says what a turn was",
    worryWhen: "it does not fall: the agent has not learned the form of a call",
  },
  "tools/failed": {
    unit: "fraction of calls",
    meaning: "tool calls that ended in an error (TRL: tools/failure_frequency)",
    worryWhen: "it grows: the agent calls tools that do not exist, or with arguments that they refuse",
  },
  "success/mean": {
    unit: "fraction of trajectories",
    meaning: "trajectories whose task is solved at their end, by the environment's verifier",
    worryWhen: "it falls while reward/mean rises: the reward is being gamed",
  },
  "reward/trueScore": {
    unit: "reward",
    meaning: "mean of the score that is meant, where the reward is only a proxy of it",
    worryWhen: "it parts from reward/mean",
  },
  "response/distinct": {
    unit: "fraction of trajectories",
    meaning: "distinct responses (all tokens that the agent sampled in a trajectory) per trajectory",
    worryWhen: "it nears the number of tasks over that of trajectories while the reward is below the optimum",
  },
  "response/topShare": {
    unit: "fraction of trajectories",
    meaning: "share of the most frequent response in the batch: the echo itself",
    worryWhen: "it grows while the reward does not",
  },
  "response/mutualInformation": {
    unit: "nats",
    meaning: "mutual information between task and response, with the correction of Miller and Madow",
    worryWhen: "it falls: the agent says the same whatever it is asked",
  },
  "response/conditionalEntropy": {
    unit: "nats per token",
    meaning:
      "entropy of the response given its task, estimated from log-probs (RAGEN-2: conditional_entropy_est)",
    worryWhen: "it falls to 0 while response/mutualInformation does not rise: every task gets one answer",
  },
  "response/retrievalAboveChance": {
    unit: "fraction of responses",
    meaning:
      "how often a response's own task is the one that makes it most likely, less what chance gives (RAGEN-2: retrieval_above_chance)",
    worryWhen: "it nears 0: responses no longer depend on their task",
  },
  "return/exact": {
    unit: "reward",
    meaning: "expected undiscounted return of the policy after the update, by enumeration",
    worryWhen: "it falls: that is no sampling noise",
  },
  "eval/return": {
    unit: "reward",
    meaning:
      "mean undiscounted return of the policy after the update, on episodes of the evaluation's own seeds",
    worryWhen: "it parts from reward/mean beyond its standard error: training sees easier episodes",
  },
  "eval/standardError": {
    unit: "reward",
    meaning: "standard error of eval/return over the evaluation's episodes",
    worryWhen: "it is as large as the differences that are read off the curve",
  },
  "eval/success": {
    unit: "fraction of trajectories",
    meaning: "evaluation episodes whose task is solved at their end, by the environment's verifier",
    worryWhen: "it falls while eval/return rises: the reward is being gamed",
  },
  "eval/trueScore": {
    unit: "reward",
    meaning:
      "mean over evaluation episodes of the score that is meant, where the reward is only a proxy of it",
    worryWhen: "it parts from eval/return",
  },
  "eval/turns": {
    unit: "turns",
    meaning: "mean number of turns of an evaluation episode",
    worryWhen: "it falls to 1: the agent has stopped to interact",
  },
  "tokens/mean": {
    unit: "tokens",
    meaning: "mean number of active tokens of a trajectory",
    worryWhen: "it runs to the limit, or to its minimum",
  },
  "tokens/fracTruncated": {
    unit: "fraction of trajectories",
    meaning:
      "trajectories that a limit on tokens cut off (TRL: completions/clipped_ratio; verl: response_length/clip_ratio)",
    worryWhen: "it grows: answers become longer than the limit, and what they earn is not about the task",
  },
} as const satisfies Record<string, MetricEntry>;

/** The name of a metric in the glossary. */
export type MetricName = keyof typeof glossary;

/** The metrics of one step or one update. */
export type Metrics = Partial<Record<MetricName, number>>;
