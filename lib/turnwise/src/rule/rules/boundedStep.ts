import type { Row } from "./row";
import { clippedTokens, groupMeanAndStd, groupStd, ourReuse, reuse, trlEpsilon } from "./shared";

const dppoCap =
  "the weight's cap of 20 is the one that the code writes (core_algos.py:1427); verl's own configuration puts 3 in its place (verl/workers/config/actor.py:163), the launcher 10000";

/** Critic-free rules that differ from GRPO in how they bound the step that a batch may take. */
export const boundedStep = {
  cispo: {
    title: "CISPO (MiniMax-M1)",
    equation: String.raw`${groupStd},\quad L=-\frac{\sum_{i,t}\mathrm{sg}[\min(r_t,1+\epsilon_{hi})]\,A_i\log\pi_\theta(y_t)}{\sum_i|o_i|}`,
    source:
      "MiniMax-M1, arXiv 2506.13585, Eq. 4; verl 0.9.1, verl/trainer/ppo/core_algos.py:2048; TRL 1.16.0, trl/trainer/grpo_trainer.py:3109 [P]",
    deviations: [
      "no bound below, as in the paper and in TRL; the paper names no bound above: .2 is verl's default (verl/workers/config/actor.py:160), which also clips at .8 below: gate.clipLow; ScaleRL (arXiv 2510.13786) caps the weight at 5: gate.clipHigh 4",
      trlEpsilon,
      ourReuse,
    ],
    shown: ["without a bound it has the gradient of the unclipped ratio, exactly"],
    fields: {
      ...groupMeanAndStd,
      ratio: "token",
      gate: { kind: "cispo", clipLow: 1, clipHigh: 0.2 },
      aggregate: "tokenMean",
      update: reuse,
    },
  },
  gmpo: {
    title: "GMPO",
    equation: String.raw`${groupStd},\quad L=-\frac1G\sum_iA_i\exp\Big(\tfrac1{|o_i|}\sum_td_{i,t}\Big),\quad d_{i,t}=\min(\log r_{i,t},\delta)\ (A_i>0),\quad d_{i,t}=\max(\log r_{i,t},-\delta)\ (A_i<0),\quad ${clippedTokens},\quad \delta=.4`,
    source:
      "arXiv 2507.20673, Eq. 4; callsys/GMPO at 1f7b092, train_zero_math_gmpo.py; verl 0.9.1, verl/trainer/ppo/core_algos.py:1929 [P]",
    deviations: [
      "bounds of .4 nats on both sides, as in the authors' launcher (scripts/qwen2.5-math-7b-gmpo.sh:20); for A < 0 a token's log-ratio is held above -.4",
      "verl adds 1e-8 to the number of tokens (core_algos.py:1984)",
      trlEpsilon,
      ourReuse,
    ],
    shown: ["where no token is clipped it is GSPO without a clip, exactly"],
    fields: {
      ...groupMeanAndStd,
      ratio: { level: "trajectory", pooling: "geometric" },
      gate: { kind: "logClip", logLow: 0.4, logHigh: 0.4 },
      aggregate: "sequenceMeanTokenMean",
      update: reuse,
    },
  },
  dppoTv: {
    title: "DPPO, total variation",
    equation: String.raw`L=-\frac{1}{N\,L_{max}}\sum_{(i,t)\in K}\mathrm{sg}[\min(r_t,20)]\,A_i\log\pi_\theta(y_t),\quad K:\ (\pi-\mu)\,\mathrm{sgn}A_i\le\delta`,
    source:
      "arXiv 2602.04879; verl 0.9.1, verl/trainer/ppo/core_algos.py:1380; prime-rl at 559b447, src/prime_rl/trainer/rl/loss.py:131 [P]",
    deviations: [
      "delta, advantages without deviation and the constant denominator are those of the authors' launcher (verl-project/verl at 8f11888, examples/dppo_trainer/run_qwen30b_dppo.sh:33, run_qwen30b_dppo.sh:60, run_qwen30b_dppo.sh:61)",
      dppoCap,
      "prime-rl's default is the same mask at .2 (packages/prime-rl-configs/src/prime_rl/configs/trainer.py:497) and adds tau (log r)^2",
      ourReuse,
    ],
    shown: ["with a delta of 1 nothing is masked, and it is the unclipped ratio with a cap, exactly"],
    fields: {
      advantage: "mean",
      ratio: "token",
      gate: { kind: "dppo", divergence: "tv", deltaLow: 0.15, deltaHigh: 0.15, cap: 20 },
      aggregate: { kind: "constant", length: "maximum" },
      update: reuse,
    },
  },
  dppoKl: {
    title: "DPPO, KL",
    equation: String.raw`L=-\frac{1}{N\,L_{max}}\sum_{(i,t)\in K}\mathrm{sg}[\min(r_t,20)]\,A_i\log\pi_\theta(y_t),\quad K:\ (\pi-\mu)A_i\le 0\ \text{or}\ D\le\delta,\quad D=\mu\log\tfrac{\mu}{\pi}+(1-\mu)\log\tfrac{1-\mu}{1-\pi}`,
    source: "arXiv 2602.04879; verl 0.9.1, verl/trainer/ppo/core_algos.py:1461 [P]",
    deviations: [
      "delta, advantages without deviation and the constant denominator are those of the authors' launcher (verl-project/verl at 8f11888, examples/dppo_trainer/run_qwen30b_dppo.sh:28, run_qwen30b_dppo.sh:60, run_qwen30b_dppo.sh:61)",
      dppoCap,
      ourReuse,
    ],
    shown: [],
    fields: {
      advantage: "mean",
      ratio: "token",
      gate: { kind: "dppo", divergence: "kl", deltaLow: 0.05, deltaHigh: 0.05, cap: 20 },
      aggregate: { kind: "constant", length: "maximum" },
      update: reuse,
    },
  },
  luspo: {
    title: "LUSPO",
    equation: String.raw`L=-\frac1G\sum_i|o_i|\min(s_iA_i,\mathrm{clip}(s_i)A_i),\quad s_i=\Big(\frac{\pi_\theta(o_i)}{\pi_{old}(o_i)}\Big)^{1/|o_i|}`,
    source: "arXiv 2602.05261; TRL 1.16.0, trl/trainer/grpo_trainer.py:3175 [P]",
    deviations: [
      "bounds of section 5.1, as TRL's paper index quotes them; they suit sequences of thousands of tokens: on turns of two tokens the first minibatch uses them up, so widen gate.clipLow and gate.clipHigh",
      trlEpsilon,
    ],
    shown: ["where all trajectories are equally long it is GSPO times their length, exactly"],
    fields: {
      ...groupMeanAndStd,
      ratio: { level: "trajectory", pooling: "geometric" },
      gate: { kind: "clip", clipLow: 2e-3, clipHigh: 2.5e-3 },
      aggregate: { kind: "constant", length: 1 },
      update: { epochs: 1, minibatches: 4 },
    },
  },
  fairFspo: {
    title: "FSPO (fair sequence clipping)",
    equation: String.raw`L=-\frac1G\sum_i\min\!\big(W_iA_i,\ e^{\mathrm{clip}(\log W_i,\pm c\sqrt{|o_i|})}A_i\big),\quad W_i=\prod_tr_t`,
    source: "arXiv 2509.09177v3, abstract [P]; the form of the objective [D]",
    deviations: [
      "fair sequence clipping, not the FSPO of factuality (arXiv 2505.24630)",
      "no code is released that we know; the band c sqrt(L) around 0 is that of the third version, the first one moves its middle by an estimate of the KL",
      "c = .2 is ours: for a trajectory of one token it is about PPO's clip",
      trlEpsilon,
      ourReuse,
    ],
    shown: [
      "with trajectories of one token it is PPO's clip at e^c and e^-c, exactly",
      "on a random walk of log-ratios it accepts the same share at every length, within 5 points, after a small step; after a larger one the sum drifts by L KL and leaves a band that grows with the root of L (enumerated) [D]",
    ],
    fields: {
      ...groupMeanAndStd,
      ratio: { level: "trajectory", pooling: "product" },
      gate: { kind: "fairClip", band: 0.2 },
      aggregate: { kind: "constant", length: 1 },
      update: reuse,
    },
  },
} as const satisfies Readonly<Record<string, Row>>;
