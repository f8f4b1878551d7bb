import type { RecipeName, RecipeOverrides } from "turnwise";
import type { Comparison, Difference } from "./comparisons.js";
import {
  agentBaselines,
  batchGuard,
  greedyReturns,
  magnitudesOverMean,
  openRlhfWhitening,
  rolesBySign,
  sampledByReference,
  shareOfSamples,
  tokensLeft,
  trajectoryGuard,
  verlWhitening,
} from "./forms.js";

const epsilonTrl: Difference = { what: "1e-4 is added to the deviation", at: "trl.epsilon" };
const scale = { epsilon: 1e-4 } as const;
const summed: Difference = {
  what: "adds up: run with advantages as they are, over the number of trajectories",
  at: "SkyRL.sum",
};
const inOrder: Difference = { what: "who is left out is drawn there; run with the first candidates" };
const clip = { clipLow: 0.2, clipHigh: 0.2 } as const;
const wide = { kind: "clip", share: 0.2, min: 0.1, max: 0.6 } as const;
const lengthOne = { kind: "constant", length: 1 } as const;
const std = { advantage: "mean", scale: "group", aggregate: "tokenMean" } as const;

/** Weights and masks where the reference plays the engine that wrote the batch. */
const engine = (
  row: RecipeName,
  name: string,
  fields: RecipeOverrides,
  ...differences: Difference[]
): Comparison => ({
  row,
  case: name,
  fields,
  engine: "reference",
  differences,
});
const byTrl = (
  row: RecipeName,
  mode: string,
  correction: NonNullable<RecipeOverrides["correction"]>,
): Comparison =>
  engine(
    row,
    `TRL: engine, ${mode}`,
    { ...std, scale, gate: { kind: "clip", ...clip }, correction },
    epsilonTrl,
    {
      what: "vllm_importance_sampling_mode, with bounds that some tokens of the batch meet",
      at: "trl.engine",
    },
  );
const bounds: Difference = { what: "with bounds that some tokens of the batch meet" };

/** Rules of 2025 and 2026 that choose, weigh or mask tokens. */
export const newer: readonly Comparison[] = [
  {
    row: "cispo",
    case: "verl: CISPO",
    fields: { gate: { clipLow: 0.2 } },
    differences: [{ what: "clips at .8 below as well", at: "verl.cispo" }],
  },
  {
    row: "cispo",
    case: "TRL: CISPO",
    fields: { scale },
    differences: [
      { what: "no lower bound, as here; epsilon_high is the bound itself", at: "trl.cispo" },
      epsilonTrl,
    ],
  },
  {
    row: "gmpo",
    case: "verl: GMPO",
    within: 1e-7,
    differences: [
      { what: "1e-8 is added to the number of tokens, in the exponent as well", at: "verl.geoCount" },
    ],
  },
  {
    row: "dppoTv",
    case: "verl: DPPO, total variation",
    fields: { ...std, gate: { cap: 3 } },
    differences: [
      { what: "its default cap is 3; run with GRPO's advantages, by the token", at: "verl.dppoCap" },
    ],
  },
  {
    row: "dppoTv",
    case: "prime-rl: DPPO",
    fields: {
      aggregate: "tokenMean",
      gate: { deltaLow: 0.2, deltaHigh: 0.2 },
      regularizer: { klOld: { coef: 0.002, estimator: "k2" } },
    },
    parts: ["advantage", "gradient"],
    differences: [
      {
        what: "delta .2, tau (log r)^2 with tau 1e-3 (k2 at .002), and the ratio instead of its constant times log pi: another loss with the same gradient below the cap",
        at: "prime-rl.tau",
      },
    ],
  },
  {
    row: "dppoKl",
    case: "verl: DPPO, KL",
    fields: { ...std, gate: { cap: 3 } },
    differences: [
      { what: "its default cap is 3; run with GRPO's advantages, by the token", at: "verl.dppoCap" },
    ],
  },
  {
    row: "maxRl",
    case: "SkyRL: MaxRL",
    form: magnitudesOverMean,
    parts: ["advantage"],
    differences: [
      {
        what: "1e-6 is added to the mean; compared on the sizes of the returns, as the mean is meant to be above 0",
        at: "SkyRL.maxrl",
      },
    ],
  },
  { row: "opo", case: "verl: OPO" },
  {
    row: "reinforcePlusPlusBaseline",
    case: "OpenRLHF: REINFORCE++-baseline",
    fields: { scale: "none" },
    form: openRlhfWhitening,
    paidAtEnd: true,
    differences: [
      { what: "the group's mean is taken off the return, as here", at: "openrlhf.baseline" },
      { what: "divides by sqrt(max(var, 1e-8)), n in the variance", at: "openrlhf.whiten" },
    ],
  },
  {
    row: "reinforcePlusPlusBaseline",
    case: "verl: REINFORCE++-baseline",
    fields: { advantage: { allowSingleton: true }, scale: "none", gate: "dualClip" },
    form: verlWhitening,
    differences: [
      { what: "a group of one keeps its return; the row refuses it", at: "verl.baselineAlone" },
      { what: "divides by sqrt(var + 1e-8) instead of std + 1e-6", at: "verl.whiten" },
      { what: "always dual-clips, at 3", at: "verl.dualClip" },
    ],
  },
  {
    row: "grpoPassK",
    case: "verl: GRPO, pass@k",
    differences: [{ what: "a group of one is refused, as here", at: "verl.passK" }],
  },
  {
    row: "gpg",
    case: "verl: GPG",
    form: trajectoryGuard,
    differences: [
      {
        what: "alpha counts the returns other than 0: in these batches all are, and all groups have a spread",
        at: "verl.gpgShare",
      },
      { what: "1e-8 is added to the number of tokens", at: "verl.count" },
    ],
  },
  {
    row: "reMax",
    case: "verl: ReMax",
    form: greedyReturns,
    differences: [{ what: "run with given returns of greedy episodes" }],
  },
  {
    row: "hierarchicalGrpo",
    case: "prime-rl: hierarchical GRPO",
    also: "trees",
    parts: ["advantage", "gradient"],
    differences: [
      {
        what: "the ratio instead of its constant times log pi: another loss with the same gradient; the proposer paid the mean of the attempts",
        at: "prime-rl.tau",
      },
    ],
  },
  {
    row: "c3",
    case: "C3: siblings",
    also: "trees",
    parts: ["advantage"],
    differences: [
      { what: "reward only: the mean of the siblings left, as here", at: "C3.others" },
      { what: "run without its loss; before its trainer standardizes siblings, which this rule does not" },
    ],
  },
  {
    row: "rae",
    case: "prime-rl: RAE",
    parts: ["advantage"],
    form: agentBaselines,
    differences: [{ what: "run without its loss, on one trace for each agent of a trajectory" }],
  },
  {
    row: "gdpo",
    case: "TRL: GDPO",
    differences: [
      { what: "normalize_then_sum, run on what the last turn earned and what those before it did" },
    ],
  },
  { row: "luspo", case: "TRL: LUSPO", fields: { scale }, differences: [epsilonTrl] },
  { row: "vespo", case: "TRL: VESPO", fields: { scale }, differences: [epsilonTrl] },
  {
    row: "offPolicyMask",
    case: "TRL: off-policy mask",
    fields: { scale, aggregate: "tokenMean", gate: { delta: 0.02 } },
    differences: [{ what: "run with delta .02, which the batch meets, in its form dapo" }, epsilonTrl],
  },
  { row: "dro", case: "verl: DRO" },
  {
    row: "clipCov",
    case: "verl: Clip-Cov",
    fields: { gate: clip },
    differences: [{ what: "the ratio is clipped at .2, its default" }, inOrder],
  },
  {
    row: "clipCov",
    case: "verl: Clip-Cov, wide",
    fields: { gate: clip, regularizer: { covariance: wide } },
    differences: [{ what: "a fifth of the tokens, between .1 and .6" }, inOrder],
  },
  {
    row: "clipCov",
    case: "SkyRL: Clip-Cov",
    fields: { gate: clip, aggregate: lengthOne, regularizer: { covariance: wide } },
    differences: [summed, inOrder],
  },
  { row: "klCov", case: "verl: KL-Cov", differences: [{ what: "a share of 2e-4 is one token as well" }] },
  {
    row: "klCov",
    case: "verl: KL-Cov, many",
    fields: { regularizer: { covariance: { share: 0.3, coef: 0.5 } } },
    differences: [{ what: "three tokens in ten, at half the charge" }],
  },
  {
    row: "klCov",
    case: "SkyRL: KL-Cov",
    fields: { aggregate: lengthOne, regularizer: { covariance: { share: 0.2 } } },
    differences: [{ what: "its default share is a fifth of the tokens" }, summed],
  },
  { row: "highEntropy", case: "TRL: top entropy 0.2", fields: { scale }, differences: [epsilonTrl] },
  {
    row: "highEntropy",
    case: "TRL: top entropy 0.55",
    fields: { scale, regularizer: { entropyShare: 0.55 } },
    differences: [epsilonTrl],
  },
  {
    row: "adaptiveEntropy",
    case: "TRL: adaptive entropy",
    fields: { scale, regularizer: { entropyCoef: 0.03 } },
    differences: [{ what: "below its target, where the bonus of .03 is paid", at: "trl.paid" }, epsilonTrl],
  },
  engine("tis", "verl: TIS", { correction: { high: 1.2 } }, bounds),
  engine("tis", "verl: TIS, trajectory", { correction: { level: "trajectory", high: 1.2 } }, bounds),
  byTrl("tis", "token_truncate", { kind: "truncate", level: "token", high: 1.2 }),
  byTrl("tis", "sequence_truncate", { kind: "truncate", level: "trajectory", high: 1.2 }),
  byTrl("mis", "sequence_mask", { kind: "mask", level: "trajectory", low: 0, high: 1.2 }),
  engine(
    "icePop",
    "verl: IcePop",
    { gate: "dualClip", aggregate: "tokenMean", correction: { low: 0.8, high: 1.25 } },
    bounds,
    { what: "always dual-clips, at 3; the mean over tokens", at: "verl.dualClip" },
  ),
  byTrl("icePop", "token_mask", { kind: "mask", level: "token", low: 0.8, high: 1.25 }),
  engine(
    "geoRs",
    "verl: Geometric rejection",
    { correction: { low: 1 / 1.1, high: 1 / 0.9 } },
    {
      what: "bounds .9 and 1.1 on the ratio of the engine to the trainer, one over this one",
      at: "verl.geoRs",
    },
  ),
  {
    row: "at2po",
    case: "ATPO: AT2PO",
    differences: [
      {
        what: "trees in which nobody left another; one that has forks agrees as well, in a test of its own (test/lib/conformance.test.ts)",
      },
    ],
  },
];

/** Which groups a filter keeps, and the fields of the rule that keep the same. */
export const filters = [
  { row: "starPoS", case: "RAGEN: filter", fields: { filter: { fraction: 0.5 } } },
  { row: "ragenTopP", case: "RAGEN-2: filter, top-p", fields: { filter: { p: 0.5 } } },
] as const satisfies readonly Comparison[];

/** Rules by what their authors have released. */
export const byAuthors: readonly Comparison[] = [
  {
    row: "hgpo",
    case: "HGPO: history 2",
    fields: { gate: "dualClip" },
    within: 1e-6,
    form: batchGuard,
    differences: [
      { what: "always dual-clips, at 3", at: "HGPO.dualClip" },
      { what: "1e-6 is added to the sum of the weights", at: "HGPO.weights" },
      { what: "1e-8 is added to the number of tokens", at: "HGPO.count" },
    ],
  },
  {
    row: "optimalToken",
    case: "verl: optimal token baseline",
    parts: ["advantage"],
    within: 1e-6,
    differences: [{ what: "1e-8 is added to the sum of the weights", at: "verl.otbEpsilon" }],
  },
  {
    row: "vcpo",
    case: "VCPO: optimal baseline",
    fields: { scale: "none" },
    parts: ["advantage"],
    form: sampledByReference,
    within: 1e-6,
    differences: [
      { what: "1e-8 is added to the sum of the weights", at: "VCPO.baseline" },
      { what: "run with given squared norms of gradients, before the division by the deviation" },
    ],
  },
  {
    row: "vcpo",
    case: "VCPO: effective samples",
    parts: ["advantage"],
    form: shareOfSamples,
    within: 1e-6,
    differences: [
      { what: "1e-8 is added to the sum of squares", at: "VCPO.squares" },
      { what: "the share is compared, not an advantage: the factor on the learning rate before its root" },
    ],
  },
  {
    row: "agentOpsd",
    case: "AgentOPSD: turns",
    also: "steps",
    parts: ["advantage"],
    differences: [
      { what: "the belief begins at the group's mean return, as here", at: "AgentOPSD.prior" },
      { what: "run with given gaps to the teacher and GRPO's advantages" },
    ],
  },
  {
    row: "a2tgpo",
    case: "A2TGPO: turns",
    also: "steps",
    within: 1e-6,
    fields: { gate: { clipLow: 0.2, clipHigh: 0.25 } },
    differences: [
      { what: "sqrt(var + 1e-8) + 1e-6 instead of the deviation and 1e-6", at: "A2TGPO.spread" },
      {
        what: "turns next to each other with equal advantages share a ratio; none has in this batch",
        at: "A2TGPO.turns",
      },
      { what: "run with given gains, and with clip widths .2 and .25, which some turns meet" },
    ],
  },
  {
    row: "ccpo",
    case: "CCPO: roles",
    also: "steps",
    parts: ["advantage"],
    form: rolesBySign,
    differences: [
      { what: "its outcomes are 1 and -1; signs of given numbers play them", at: "CCPO.bonus" },
      { what: "run on trajectories in which an agent takes as many turns as in any other" },
    ],
  },
  {
    row: "tpo",
    case: "TPO: target",
    parts: ["advantage", "gradient"],
    differences: [
      { what: "divides by the deviation where it is above 1e-6", at: "TPO.spread" },
      { what: "run at the old log-probs, with returns as scores; the gradient is that of its cross-entropy" },
    ],
  },
  { row: "mtGrpo", case: "Multi-Turn-RL-Agent: MT-GRPO" },
  {
    row: "igpo",
    case: "IGPO: turns",
    fields: { gate: "dualClip" },
    form: batchGuard,
    differences: [
      { what: "positions are tokens: run with one for each turn" },
      { what: "always dual-clips, at 3", at: "IGPO.dualClip" },
      { what: "1e-8 is added to the number of tokens", at: "IGPO.count" },
    ],
  },
  {
    row: "m2po",
    case: "AReaL: M2PO",
    form: tokensLeft(0.04),
    differences: [
      {
        what: "its mask and its loss, run on the policy that sampled and the present one, with GRPO's advantages",
      },
      { what: "divides by the tokens that are left", at: "AReaL.count" },
    ],
  },
  {
    row: "rlPlus",
    case: "RL-PLUS: RL-PLUS",
    also: "demonstrations",
    fields: { regularizer: { entropyCoef: 0 } },
    differences: [
      {
        what: "a sum over trajectories, run over their number; the entropy bonus stands elsewhere",
        at: "RL-PLUS.sum",
      },
    ],
  },
  {
    row: "treeGrpo",
    case: "Tree-GRPO: tree",
    also: "trees",
    fields: { gate: "dualClip" },
    differences: [{ what: "always dual-clips, at 3", at: "Tree-GRPO.dualClip" }],
  },
  { row: "factualityFspo", case: "FSPO: step-wise GRPO", also: "steps" },
  {
    row: "rlAnything",
    case: "Open-AgentRL: steps",
    also: "steps",
    fields: { scale: { epsilon: 0 } },
    parts: ["advantage"],
    differences: [{ what: "nothing is added to the deviation", at: "Open-AgentRL.deviation" }],
  },
  {
    row: "opsd",
    case: "prime-rl: OPSD",
    differences: [
      {
        what: "run at the first step on a batch, with the policy after the demonstration as given log-probs; later it compares the present policy, and drops tokens whose probability fell by more than .2",
        at: "prime-rl: src/prime_rl/trainer/rl/loss.py:221",
      },
    ],
  },
  {
    row: "echo",
    case: "prime-rl: DPPO",
    fields: {
      gate: { kind: "dppo", divergence: "tv", deltaLow: 0.2, deltaHigh: 0.2, cap: 20 },
      regularizer: { klOld: { coef: 0.002, estimator: "k2" } },
    },
    parts: ["advantage", "gradient"],
    differences: [
      {
        what: "its loss for the policy's own tokens, tau (log r)^2 with tau 1e-3 included (k2 at .002); what the environment answered is compared in a test of its own (test/lib/conformance.test.ts)",
        at: "prime-rl.tau",
      },
    ],
  },
  { row: "onPolicyDistillation", case: "tinker-cookbook: On-policy distillation", parts: ["advantage"] },
  {
    row: "iStar",
    case: "iStar: RLOO",
    also: "steps",
    fields: { advantage: { among: "firstTurns" } },
    form: batchGuard,
    differs: true,
    differences: [
      {
        what: "the mean holds each trajectory's first turn alone, against its own docstring, which the row follows",
        at: "iStar.first",
      },
      { what: "run with given rewards of steps" },
      { what: "1e-8 is added to the number of tokens", at: "iStar.count" },
    ],
  },
];

/** Rows whose released code was read at the lines that they cite, and is not run here; or of which there is none. */
export const notRun: Readonly<Partial<Record<RecipeName, string>>> = {
  pacedRl: "no public code known",
  fairFspo: "no public code known",
  agentPrm:
    "released, and read; a pool of processes writes its targets from folders of rollouts, and weighs them by the turn's place",
  arpo: "released, and read; it is no function: forks are decided in the middle of a loop that generates with vLLM",
  perTurnLoo: "released in AgentCreditBench, and read",
  sharp: "no public code known",
  graphGpo:
    "released in recipe/GraphGPO of verl-agent, of which no copy could be read; the formula is that of a reproduction",
  hcapo: "no public code known",
  carl: "no code of the authors is public; a reproduction was read, in RainyFields/Agentic-RL-CA",
};
