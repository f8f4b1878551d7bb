/** One file because a row is judged beside the others: a further release is one more entry here, with all in which it differs. */
import type { RecipeName, RecipeOverrides } from "turnwise";
import type { Part } from "./compare.js";
import type { Also } from "./fixture.js";
import { byAuthors, newer, notRun } from "./newer.js";
import {
  agentAlone,
  all,
  batchGuard,
  gapsAsSteps,
  groupAlone,
  k1InLoss,
  noAdvantage,
  meanOfTurns,
  oneAgent,
  openRlhfWhitening,
  trajectoryGuard,
  turnGuard,
  verlWhitening,
  type Form,
} from "./forms.js";

/** What the released code does otherwise, and where it stands there: a name in the fixture's `lines`. */
export interface Difference {
  readonly what: string;
  readonly at?: string;
}

/** A row beside the released functions that do what it is for. */
export interface Comparison {
  readonly row: RecipeName;
  /** In the fixture. */
  readonly case: string;
  /** The fields that make the row do what the released code does. */
  readonly fields?: RecipeOverrides;
  /** And what no field says. */
  readonly form?: Form;
  readonly differences?: readonly Difference[];
  /** The row does something else than the code that its paper or framework has released; other differences are settings, or guards. */
  readonly differs?: true;
  /** What is compared, if not everything. */
  readonly parts?: readonly Part[];
  /** The framework knows the return alone, and pays it at the end. */
  readonly paidAtEnd?: true;
  /** The reference plays the engine that wrote the batch, for a correction. */
  readonly engine?: "reference";
  /** What the batches have for this rule alone. */
  readonly also?: Also;
  /** How close they come where a guard of the code stands in an exponent, so that no form can state it; else 1e-12. */
  readonly within?: number;
}

const dual = "dualClip";
const dualClip: Difference = { what: "always dual-clips, at 3", at: "verl.dualClip" };
const drMasDualClip: Difference = { ...dualClip, at: "DrMAS.dualClip" };
const stepPoDualClip: Difference = { ...dualClip, at: "StepPO.dualClip" };
const alone: Difference = {
  what: "a group of one gets mean 0 and deviation 1; the row refuses it",
  at: "verl.singleton",
};
const allowAlone = { allowSingleton: true } as const;
const verlWhitens: Difference = {
  what: "divides by sqrt(var + 1e-8) instead of std + 1e-6",
  at: "verl.whiten",
};
const openRlhfWhitens: Difference = {
  what: "divides by sqrt(max(var, 1e-8)), n in the variance",
  at: "openrlhf.whiten",
};
const epsilonTrl: Difference = { what: "1e-4 is added to the deviation", at: "trl.epsilon" };
const epsilonOpenRlhf: Difference = { what: "1e-9 is added to the deviation", at: "openrlhf.epsilon" };
const ofTokens = (at: string): Difference => ({
  what: "every token's return to go, whitened over all tokens, as here",
  at,
});
const count = (at: string): Difference => ({ what: "1e-8 is added to the number of tokens", at });
type Regularizer = Exclude<NonNullable<RecipeOverrides["regularizer"]>, { readonly apply: unknown }>;
/** What a row charges in its loss for the distance to the reference. */
export type Penalty = NonNullable<Regularizer["klReference"]>;
const kl1 = { kl: { coef: 0.3, estimator: "k1" } } as const;
const plain = { aggregate: "tokenMean" } as const;
/** A penalty alone in the loss. */
const penalty = (kl: Penalty | null): RecipeOverrides => ({
  ratio: "none",
  gate: "none",
  aggregate: "tokenMean",
  scale: "none",
  regularizer: { klReference: kl && { coef: 1, ...kl } },
});

/** One for each row and release: in the order of the table of rows, the newer ones behind. */
export const comparisons: readonly Comparison[] = [
  { row: "reinforce", case: "verl: REINFORCE" },

  {
    row: "reinforcePlusPlus",
    case: "verl: REINFORCE++",
    fields: { scale: "none", gate: dual },
    form: verlWhitening,
    differences: [ofTokens("verl.tokens"), verlWhitens, dualClip],
  },
  {
    row: "reinforcePlusPlus",
    case: "OpenRLHF: REINFORCE++",
    fields: { scale: "none" },
    form: openRlhfWhitening,
    paidAtEnd: true,
    differences: [ofTokens("openrlhf.tokens"), openRlhfWhitens],
  },
  {
    row: "reinforcePlusPlus",
    case: "OpenRLHF: REINFORCE++, KL in the reward",
    fields: { scale: "none", reward: kl1 },
    form: openRlhfWhitening,
    paidAtEnd: true,
    differences: [
      ofTokens("openrlhf.tokens"),
      {
        what: "the KL of a token counts for the tokens before it, as here",
        at: "openrlhf.outcome",
      },
      openRlhfWhitens,
    ],
  },

  { row: "rloo", case: "verl: RLOO" },
  {
    row: "rloo",
    case: "TRL: RLOO, on policy",
    parts: ["advantage", "gradient"],
    differences: [
      {
        what: "a ratio instead of the log-prob: another loss with the same gradient",
        at: "trl.sequenceRatio",
      },
    ],
  },
  {
    row: "rloo",
    case: "TRL: RLOO",
    fields: { ratio: { level: "trajectory", pooling: "product" }, gate: "clip" },
    differences: [
      { what: "off policy the ratio of the whole trajectory is clipped at .2", at: "trl.sequenceRatio" },
    ],
  },
  {
    row: "rloo",
    case: "TRL: RLOO, KL in the reward",
    fields: { ratio: { level: "trajectory", pooling: "product" }, gate: "clip", reward: kl1 },
    differences: [{ what: "the same, with k1 in the reward", at: "trl.sequenceRatio" }],
  },

  {
    row: "loop",
    case: "OpenRLHF: RLOO, clipped",
    differences: [{ what: "the same rule; of LOOP itself there is no public code" }],
  },
  { row: "loop", case: "verl: RLOO, clipped", fields: { gate: dual }, differences: [dualClip] },
  { row: "loop", case: "StepPO: RLOO", fields: { gate: dual }, differences: [stepPoDualClip] },

  {
    row: "ppo",
    case: "verl: PPO",
    fields: { scale: "none", gate: dual },
    form: verlWhitening,
    differences: [dualClip, verlWhitens],
  },
  {
    row: "ppo",
    case: "verl: PPO, KL in the reward",
    fields: { scale: "none", gate: dual, reward: kl1 },
    form: verlWhitening,
    differences: [dualClip, verlWhitens],
  },
  {
    row: "ppo",
    case: "StepPO: token GAE",
    fields: { scale: "none", gate: dual },
    form: verlWhitening,
    differences: [stepPoDualClip, { ...verlWhitens, at: "StepPO.tokenWhiten" }],
  },
  {
    row: "ppo",
    case: "OpenRLHF: PPO",
    fields: { scale: "none" },
    form: openRlhfWhitening,
    paidAtEnd: true,
    differences: [
      openRlhfWhitens,
      { what: "knows the return alone, on the last token", at: "openrlhf.outcome" },
    ],
  },
  {
    row: "ppo",
    case: "OpenRLHF: PPO, gaps",
    fields: { scale: "none", advantage: { lambda: 0.9 } },
    form: all(gapsAsSteps, openRlhfWhitening),
    paidAtEnd: true,
    differences: [
      {
        what: "lambda .9; a retrieved token is a step of value 0, where verl and the row skip it",
        at: "openrlhf.gae",
      },
      openRlhfWhitens,
    ],
  },
  {
    row: "ppo",
    case: "OpenRLHF: PPO, dual clip",
    fields: { scale: "none", gate: dual },
    form: openRlhfWhitening,
    paidAtEnd: true,
    differences: [openRlhfWhitens],
  },
  {
    row: "ppo",
    case: "RAGEN: bi-level GAE",
    fields: {
      advantage: { kind: "biLevelGae", gamma: 1, lambda: 1, gammaTurn: 0.95, lambdaTurn: 1 },
      scale: "none",
      gate: dual,
    },
    form: verlWhitening,
    differences: [
      {
        what: "finds the end of a turn by a reward other than 0: compared without such rewards",
        at: "RAGEN.end",
      },
      dualClip,
      verlWhitens,
    ],
  },

  {
    row: "grpo",
    case: "verl: GRPO",
    fields: { advantage: allowAlone, gate: dual },
    form: all(trajectoryGuard, groupAlone),
    differences: [dualClip, alone, count("verl.count")],
  },
  { row: "grpo", case: "TRL: GRPO", fields: { scale: { epsilon: 1e-4 } }, differences: [epsilonTrl] },
  {
    row: "grpo",
    case: "TRL: GRPO, two-sided",
    fields: { scale: { epsilon: 1e-4 }, gate: dual },
    differences: [epsilonTrl, { what: "delta 3 is dual clip at 3", at: "trl.delta" }],
  },
  {
    row: "grpo",
    case: "TRL: GRPO, KL",
    fields: { scale: { epsilon: 1e-4 }, regularizer: { klReference: { coef: 0.04, form: "trl" } } },
    differences: [epsilonTrl, { what: "beta .04; k3 without a limit", at: "trl.k3" }],
  },
  {
    row: "grpo",
    case: "TRL: GRPO, KL, corrected",
    fields: {
      scale: { epsilon: 1e-4 },
      regularizer: { klReference: { coef: 0.04, form: "trlCorrected" } },
    },
    differences: [epsilonTrl, { what: "k3 times the ratio of new to old", at: "trl.corrected" }],
  },
  {
    row: "grpo",
    case: "OpenRLHF: GRPO",
    fields: { scale: { epsilon: 1e-9 } },
    form: trajectoryGuard,
    differences: [epsilonOpenRlhf, count("openrlhf.count")],
  },
  {
    row: "grpo",
    case: "verl-agent: GRPO",
    fields: {
      advantage: { groupBy: "taskAgent", allowSingleton: true },
      gate: dual,
      aggregate: "tokenMean",
    },
    form: all(oneAgent, batchGuard),
    differences: [
      {
        what: "a trajectory counts in mean and deviation once for each of its turns",
        at: "verl-agent.steps",
      },
      { what: "the mean over tokens", at: "verl-agent.aggregate" },
      { ...dualClip, at: "verl-agent.dualClip" },
      count("verl-agent.count"),
    ],
  },
  {
    row: "grpo",
    case: "StepPO: GRPO",
    fields: { advantage: allowAlone, gate: dual, aggregate: "tokenMean" },
    form: groupAlone,
    differences: [
      { what: "the mean over tokens, verl's default", at: "StepPO.aggregate" },
      stepPoDualClip,
      { ...alone, at: "StepPO.singleton" },
    ],
  },

  {
    row: "verlGrpo",
    case: "verl: agg_loss token-mean",
  },
  {
    row: "verlGrpo",
    case: "verl: GRPO",
    fields: { aggregate: "sequenceMeanTokenMean" },
    form: all(trajectoryGuard, groupAlone),
    differences: [
      { what: "run with seq-mean-token-mean, where 1e-8 is added to the number of tokens", at: "verl.count" },
      { what: "a group of one is divided by 1 + 1e-6", at: "verl.singleton" },
    ],
  },
  {
    row: "drGrpo",
    case: "verl: GRPO, no deviation",
    fields: { advantage: allowAlone, gate: dual },
    differences: [dualClip, alone],
  },
  { row: "drGrpo", case: "TRL: Dr. GRPO" },
  {
    row: "drGrpo",
    case: "OpenRLHF: Dr. GRPO",
    fields: { aggregate: "tokenMean" },
    differences: [{ what: "the mean over tokens: the length still divides", at: "openrlhf.tokenMean" }],
  },

  {
    row: "dapo",
    case: "verl: DAPO",
    fields: { advantage: allowAlone, gate: dual, reward: { overlong: null } },
    form: groupAlone,
    differences: [dualClip, alone],
  },
  { row: "dapo", case: "TRL: DAPO", fields: { scale: { epsilon: 1e-4 } }, differences: [epsilonTrl] },
  {
    row: "dapo",
    case: "TRL: DAPO, overlong",
    fields: { scale: { epsilon: 1e-4 }, reward: { overlong: { maxLength: 6, buffer: 4 } } },
    differences: [epsilonTrl],
  },
  {
    row: "dapo",
    case: "OpenRLHF: DAPO",
    fields: { scale: { epsilon: 1e-9 } },
    differences: [epsilonOpenRlhf],
  },
  {
    row: "dapo",
    case: "OpenRLHF: DAPO, overlong",
    fields: { scale: { epsilon: 1e-9 }, reward: { overlong: { maxLength: 6, buffer: 4 } } },
    differences: [epsilonOpenRlhf],
  },

  ...(["old", "near"] as const).flatMap((old): Comparison[] => [
    {
      row: "gspo",
      case: `verl: GSPO, ${old}`,
      fields: { advantage: allowAlone },
      form: all(trajectoryGuard, groupAlone),
      differences: [
        { what: "the ratio of a token with a stop-gradient: the same gradient", at: "verl.tokenForm" },
        alone,
        count("verl.count"),
      ],
    },
    {
      row: "gspo",
      case: `TRL: GSPO, ${old}`,
      fields: { scale: { epsilon: 1e-4 } },
      differences: [epsilonTrl],
    },
    {
      row: "gspo",
      case: `OpenRLHF: GSPO, ${old}`,
      fields: { scale: { epsilon: 1e-9 } },
      form: trajectoryGuard,
      differences: [epsilonOpenRlhf, count("openrlhf.count")],
    },
  ]),
  {
    row: "gspo",
    case: "verl: GSPO, token-mean",
    fields: plain,
    differences: [{ what: "the mean over tokens, verl's default", at: "verl.aggDefault" }],
  },

  {
    row: "sapo",
    case: "verl: SAPO",
    fields: { advantage: allowAlone },
    form: all(trajectoryGuard, groupAlone),
    differences: [alone, count("verl.count")],
  },
  { row: "sapo", case: "TRL: SAPO", fields: { scale: { epsilon: 1e-4 } }, differences: [epsilonTrl] },

  {
    row: "mGrpo",
    case: "WebAgent-R1: M-GRPO",
    fields: { aggregate: "sequenceMeanTokenMean" },
    differs: true,
    differences: [
      {
        what: "inherits TRL's loss (run in its form grpo), none of whose forms knows turns; the paper's, and the row's, averages each turn first",
        at: "WebAgent-R1.inherits",
      },
      { what: "1e-4 is added to the deviation, as here", at: "WebAgent-R1.epsilon" },
    ],
  },

  {
    row: "drMas",
    case: "DrMAS: Dr. MAS",
    form: all(batchGuard, agentAlone),
    differences: [
      {
        what: "an agent that takes one turn in a group gets mean 0 and deviation 1, as here; and is divided by 1 + 1e-6",
        at: "DrMAS.singleton",
      },
      { what: "the mean over tokens, as here", at: "DrMAS.aggregate" },
      { what: "always dual-clips, at 3, as here", at: "DrMAS.dualClip" },
      count("DrMAS.count"),
    ],
  },
  {
    row: "gigpo",
    case: "DrMAS: GiGPO",
    fields: { advantage: { allowSingleton: true }, gate: dual },
    form: batchGuard,
    differences: [
      { what: "each trajectory counts once in the episode's mean, as here", at: "DrMAS.seen" },
      drMasDualClip,
      { ...alone, at: "DrMAS.singleton" },
      count("DrMAS.count"),
    ],
  },
  {
    row: "gigpo",
    case: "DrMAS: GiGPO, deviation",
    fields: { advantage: { allowSingleton: true }, scale: "group", gate: dual },
    form: all(batchGuard, groupAlone),
    differences: [
      {
        what: "mean_std_norm, the trainer's default; the row has the function's, mean_norm",
        at: "DrMAS.mode",
      },
      drMasDualClip,
      count("DrMAS.count"),
    ],
  },
  {
    row: "gigpo",
    case: "verl-agent: GiGPO",
    fields: { advantage: { allowSingleton: true }, gate: dual },
    form: all(meanOfTurns, batchGuard),
    differences: [
      {
        what: "a trajectory counts in the episode's mean once for each of its turns",
        at: "verl-agent.gigpoSteps",
      },
      { ...dualClip, at: "verl-agent.dualClip" },
      count("verl-agent.count"),
    ],
  },
  {
    row: "gigpo",
    case: "StepPO: GiGPO",
    fields: { advantage: { allowSingleton: true }, gate: dual, regularizer: { klReference: null } },
    differences: [{ what: "run without the KL" }, stepPoDualClip],
  },

  {
    row: "hiper",
    case: "HiPER: HAE",
    fields: { advantage: { whitenRoles: false }, regularizer: { klReference: null } },
    form: batchGuard,
    differences: [
      {
        what: "a subgoal's tokens are trained only where a segment starts, as here",
        at: "HiPER.trained",
      },
      { what: "always dual-clips, at 3, as here", at: "HiPER.dualClip" },
      { what: "run without whitening, the trainer's default, and without the KL" },
      count("HiPER.count"),
    ],
  },
  {
    row: "hiper",
    case: "HiPER: HAE, normalized",
    fields: { regularizer: { klReference: null } },
    form: batchGuard,
    differences: [
      { what: "each role is whitened over its turns, n in the variance, as here", at: "HiPER.norm" },
      { what: "which the launchers set", at: "HiPER.launcher" },
      { what: "with KL .01, as in the row (left out in this run)", at: "HiPER.kl" },
      { what: "a subgoal's tokens are trained only where a segment starts, as here", at: "HiPER.trained" },
      { what: "always dual-clips, at 3, as here", at: "HiPER.dualClip" },
      count("HiPER.count"),
    ],
  },

  {
    row: "starPo",
    case: "verl: PPO, KL in the reward",
    fields: { scale: "none", gate: dual, reward: kl1, regularizer: { entropyCoef: 0 } },
    form: verlWhitening,
    differences: [{ what: "run with KL .3 and without the entropy bonus" }, dualClip, verlWhitens],
  },
  {
    row: "starPo",
    case: "verl: PPO, k1 in the loss",
    fields: { scale: "none", gate: dual, reward: { kl: null } },
    form: all(verlWhitening, k1InLoss(0.001)),
    differences: [
      {
        what: "with k1 in the loss, where it has no gradient on average; RAGEN's configuration has no KL there",
        at: "RAGEN.klOff",
      },
      dualClip,
      verlWhitens,
    ],
  },
  {
    row: "starPo",
    case: "verl: PPO, clip higher",
    fields: { scale: "none", gate: { kind: dual, clipHigh: 0.28 }, reward: { kl: null } },
    form: verlWhitening,
    differences: [
      { what: "clip .2 and .28 in every mode, and no KL: RAGEN's configuration", at: "RAGEN.clipHigh" },
      dualClip,
      verlWhitens,
    ],
  },
  {
    row: "starPoS",
    case: "verl: PPO, clip higher",
    fields: { scale: "none", gate: { kind: dual, clipHigh: 0.28 } },
    form: verlWhitening,
    differences: [dualClip, verlWhitens],
  },

  ...(["old", "near"] as const).map((old): Comparison => ({
    row: "stepPo",
    case: `StepPO: step GAE, ${old}`,
    fields: { scale: { epsilon: 1e-8 } },
    form: turnGuard,
    differences: [{ what: "1e-8 is added to the deviation", at: "StepPO.whiten" }, count("StepPO.count")],
  })),

  {
    row: "happo",
    case: "HARL: HAPPO",
    differences: [
      { what: "n in the variance, and 1e-5 is added to the deviation, as here", at: "HARL.whiten" },
      { what: "the mean over those who act, as here", at: "HARL.active" },
    ],
  },

  ...(["old", "near"] as const).map((old): Comparison => ({
    row: "seeUpoAuthors",
    case: `AgentEvolver: SeeUPO, ${old}`,
    fields: { scale: { epsilon: 0 } },
    differences: [
      { what: "nothing is added to the deviation where it is above 1e-6", at: "AgentEvolver.epsilon" },
    ],
  })),
  ...newer,
  ...byAuthors,
];

/** Rows of which there is no released code to run, and why. */
export const unreleased: Readonly<Partial<Record<RecipeName, string>>> = {
  ...notRun,
  turnPpo: "no public code known",
  sPpo: "no public code known",
  soPpo: "no public code known",
  soGrpo: "no public code known",
  seeUpo: "the paper's form; the released code is seeUpoAuthors",
};

/** Advantages and losses by themselves: what the fields can say that the rows do not. */
export const pieces: readonly Comparison[] = [
  ...(["turns", "turns, deviation"] as const).map((name): Comparison => ({
    row: "grpo",
    case: `CM2: ${name}`,
    fields: {
      advantage: { kind: "perTurn", credit: "reward", minGroup: 5 },
      scale: name === "turns" ? "none" : "group",
      gate: dual,
      aggregate: "tokenMean",
    },
    form: batchGuard,
    differences: [
      { what: "a turn that four or fewer have gets nothing, as with minGroup 5", at: "CM2.four" },
      { ...dualClip, at: "CM2.dualClip" },
      count("CM2.count"),
    ],
  })),
  ...(
    [
      ["token-mean", "tokenMean"],
      ["token-sum", { kind: "constant", length: 1 / 8 }],
      ["seq-mean-token-sum", { kind: "constant", length: 1 }],
      ["seq-mean-token-mean", "sequenceMeanTokenMean"],
      ["seq-mean-token-sum-norm", { kind: "constant", length: "maximum" }],
    ] as const
  ).map(([mode, aggregate]): Comparison => ({
    row: "grpo",
    case: `verl: agg_loss ${mode}`,
    fields: { aggregate, gate: dual },
    form: mode === "seq-mean-token-mean" ? trajectoryGuard : {},
    differences: [
      dualClip,
      ...(mode === "token-sum"
        ? [{ what: "a sum: constant, over the number of trajectories", at: "verl.tokenSum" }]
        : []),
    ],
  })),
  {
    row: "grpo",
    case: "TRL: GRPO, bnpo",
    fields: { aggregate: "tokenMean", scale: { epsilon: 1e-4 } },
    differences: [epsilonTrl],
  },
  {
    row: "grpo",
    case: "verl: ratios to 25 nats",
    fields: { gate: dual },
    form: trajectoryGuard,
    differences: [
      { what: "log-ratios are limited to 20 nats, as here", at: "verl.ratioLimit" },
      dualClip,
      count("verl.count"),
    ],
  },
  {
    row: "grpo",
    case: "OpenRLHF: ratios to 25 nats",
    fields: { scale: { epsilon: 1e-9 } },
    form: trajectoryGuard,
    differences: [
      { what: "log-ratios are limited to 20 nats, as here", at: "openrlhf.ratioLimit" },
      epsilonOpenRlhf,
      count("openrlhf.count"),
    ],
  },
];

const cut = { clamp: { logRatio: 20, value: 10 } } as const;
const k1Refused: Difference = {
  what: "no row has k1 in a loss, where it has no gradient on average: a form",
};
const cutAt: Difference = { what: "cut to +-10, where its gradient ends", at: "openrlhf.clamp" };

/** A penalty beside a release's, near and far from the reference. */
const beside = (release: string, kl: Penalty | null, differences: readonly Difference[], form?: Form) =>
  ["fours", "far"].map((batch): Comparison => ({
    row: "grpo",
    case: `${release}, ${batch}`,
    fields: penalty(kl),
    parts: ["loss", "gradient"],
    form: all(noAdvantage, form ?? {}),
    differences,
  }));

/** Penalties, alone in the loss: there is nothing else to compare. */
export const estimates: readonly Comparison[] = [
  ...beside("verl: kl_penalty k1", null, [k1Refused], k1InLoss(1)),
  ...beside("verl: kl_penalty k2", { estimator: "k2" }, []),
  ...beside("verl: kl_penalty k3", { form: "verl" }, [
    { what: "low_var_kl: k3 is cut to +-10, where its gradient ends", at: "verl.k3Clamp" },
  ]),
  ...beside("verl: kl_penalty k3+", { form: "verlStraightThrough" }, [
    {
      what: "the value of k3 with the gradient of k2, which is that of the KL on policy",
      at: "verl.straightThrough",
    },
  ]),
  ...beside("OpenRLHF: compute_approx_kl k1", null, [k1Refused, cutAt], k1InLoss(1, 10)),
  ...beside("OpenRLHF: compute_approx_kl k2", { form: "openRlhf" }, [cutAt]),
  ...beside("OpenRLHF: compute_approx_kl k3", { estimator: "k3", ...cut }, [cutAt]),
  {
    row: "grpo",
    case: "OpenRLHF: compute_approx_kl k3, corrected, fours",
    fields: penalty({ estimator: "k3" }),
    form: noAdvantage,
    parts: ["loss"],
    differences: [{ what: "the value of k3", at: "openrlhf.straightThrough" }],
  },
  {
    row: "grpo",
    case: "OpenRLHF: compute_approx_kl k3, corrected, fours",
    fields: penalty({ estimator: "k2", correction: "importanceWeighted" }),
    form: noAdvantage,
    parts: ["gradient"],
    differences: [
      {
        what: "with the gradient of k2 times the ratio of new to old, there at most 10",
        at: "openrlhf.straightThrough",
      },
    ],
  },
];
