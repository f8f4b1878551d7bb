import { short } from "turnwise/internal/base/curve";
import { recipe, type Recipe, type RecipeOverrides } from "turnwise/internal/rule/index";
import { readTrainers } from "../configs/recognize";
import { Undecided } from "../lint/outcome";
import type { Subject } from "../lint/subject";
import type { MeasuredMismatch } from "./mismatch";
import type { TwinSetting } from "./setting";

/** Confidence that the small worlds can stand for a configuration. There is no high confidence: the model is missing. */
export type MappingConfidence = "fair" | "low";

/** A configuration as a setting of small worlds, with everything that was left out. */
export interface Mapping {
  readonly setting: TwinSetting;
  /** Settings taken over, each with its value. */
  readonly mapped: readonly (readonly [name: string, value: string])[];
  /** Settings taken over with another value, each with the reason. */
  readonly adjusted: readonly string[];
  /** Settings of the configuration without a counterpart here. */
  readonly left: readonly string[];
  readonly confidence: MappingConfidence;
  /** Why the confidence is no better. */
  readonly doubts: readonly string[];
}

/** At most this many trajectories are sampled for an update, in groups. */
export const TRAJECTORIES = 64;
const MOST_MEMBERS = 16;
const MOST_STEPS = 32;
const MOST_MINIBATCHES = 16;
const MOST_GENERATIONS = 3;
const MOST_STALE = 8;
const LARGEST_GAP = 1;

/** Properties of a run that no configuration contains. */
const neverMapped: readonly string[] = [
  "the model: size, pretraining, LoRA, precision",
  "the learning rate, its schedule, weight decay and the gradient clip: each world has a step size of Adam of its own, near the largest at which the healthy settings hold",
  "the tasks and the reward function",
  "lengths: the limit of answers, cut answers, penalties for length",
  `the batch: ${TRAJECTORIES} trajectories here`,
];

/**
 * A configuration as a setting of small worlds.
 *
 * @throws {RangeError} if its rule could not be read
 */
export function mappingOf(subject: Subject, mismatch: MeasuredMismatch | undefined): Mapping {
  const { read } = subject.parts;
  if (typeof read === "string") {
    throw new RangeError(`Cannot train a twin: the configuration must have a rule that can be read: ${read}`);
  }
  const adjusted: string[] = [];
  const left: string[] = [...neverMapped];
  const doubts: string[] = [];
  const { rule: asked, without } = read;

  const groupSize = decided(
    left,
    "the group size",
    () => readTrainers[subject.trainer].groupSize(subject.parts.given),
    () => subject.number("groupSize"),
  );
  const members = Math.min(MOST_MEMBERS, Math.max(1, Math.round(groupSize ?? 8)));
  if (groupSize !== undefined && groupSize !== members) {
    adjusted.push(`groups of ${members}, not ${groupSize}: a batch has ${TRAJECTORIES} trajectories`);
  }
  if (groupSize === undefined) doubts.push("the group size is not known: 8 is assumed");

  const temperature = decided(left, "the temperature", () => subject.number("temperature")) ?? 1;
  const warmth = Math.min(5, Math.max(0.2, temperature));
  if (warmth !== temperature) adjusted.push(`temperature ${warmth}, not ${temperature}`);
  const topP = decided(left, "top-p", () => subject.number("topP")) ?? 1;

  const stale = subject.has("staleness") ? decided(left, "staleness", () => stalenessOf(subject)) : 0;
  const staleness = Math.min(MOST_STALE, Math.ceil(stale ?? 0));
  if (stale !== undefined && staleness !== stale) {
    adjusted.push(`batches ${staleness} updates old, not ${stale}`);
  }

  const gap = Math.min(LARGEST_GAP, mismatch?.logProbGap ?? 0);
  if (mismatch !== undefined && gap !== mismatch.logProbGap) {
    adjusted.push(`a log-prob gap of ${short(gap)} nats, not ${short(mismatch.logProbGap)}`);
  }
  if (mismatch === undefined)
    left.push("the mismatch of engine and trainer: no log says how large it is, so there is none here");

  const rule = trainable(asked, { gap, subject, adjusted, left });
  if (without.length > 0) {
    doubts.push(
      `the trainer does ${without.length === 1 ? "something" : "things"} that no field of a rule expresses: ${without.map(({ flag }) => flag).join(", ")}`,
    );
  }
  if (rule.advantage.kind === "gae") {
    doubts.push("its critic is a table here, and learns in a few updates what a network learns slowly");
  }
  if (adjusted.length > 0) doubts.push("some values had to be changed");

  const { epochs, minibatches } = rule.update;
  return {
    setting: { rule, groupSize: members, temperature: warmth, topP, staleness, logProbGap: gap },
    mapped: [
      ["advantage", kindOf(rule.advantage)],
      ["scale", kindOf(rule.scale)],
      ["ratio and gate", `${rule.ratio.level}, ${gateInWords(rule.gate)}`],
      ["mean over", kindOf(rule.aggregate)],
      ["KL to the reference", klInWords(rule)],
      ["entropy bonus", String(rule.regularizer.entropyCoef)],
      ["correction", kindOf(rule.correction)],
      ["filter", kindOf(rule.filter)],
      ["steps per batch", `${epochs * minibatches} (${epochs} x ${minibatches})`],
      ["group size", String(members)],
      ["temperature", String(warmth)],
      ["top-p", String(topP)],
      ["staleness", `${staleness} updates`],
      ...(mismatch === undefined
        ? []
        : [["engine mismatch", `${short(gap)} nats a token (${mismatch.from})`] as const]),
    ],
    adjusted,
    left,
    confidence: without.length > 0 || adjusted.length > 1 || rule.advantage.kind === "gae" ? "low" : "fair",
    doubts,
  };
}

/** The first of several ways that tells; a setting that nobody knows is left out, and said to be. */
function decided(left: string[], name: string, ...ways: readonly (() => number)[]): number | undefined {
  const reasons: string[] = [];
  const values: number[] = [];
  for (const way of ways) {
    try {
      values.push(way());
    } catch (error) {
      if (!(error instanceof Undecided || error instanceof RangeError || error instanceof TypeError))
        throw error;
      reasons.push(error.message);
    }
  }
  // Frameworks that repeat a task in a loop of their own leave the trainer's number at 1.
  const value = values.find((one) => one !== 1) ?? values[0];
  if (value === undefined) left.push(`${name}: not decided: ${reasons[0]}`);
  return value;
}

function stalenessOf(subject: Subject): number {
  if (!subject.isOn("staleness")) return 0;
  const text = subject.text("staleness");
  const number = Number(text);
  return text === null || text.trim() === "" || Number.isNaN(number) ? 1 : number;
}

interface Around {
  readonly gap: number;
  readonly subject: Subject;
  readonly adjusted: string[];
  readonly left: string[];
}

/** The rule with what small worlds cannot do left out, and a number of steps that they can afford. */
function trainable(asked: Recipe, { gap, subject, adjusted, left }: Around): Recipe {
  const changes: { -readonly [K in keyof RecipeOverrides]: RecipeOverrides[K] } = {};
  const minibatches = Math.min(MOST_MINIBATCHES, Math.max(1, Math.round(asked.update.minibatches)));
  const epochs = Math.max(1, Math.min(Math.round(asked.update.epochs), Math.floor(MOST_STEPS / minibatches)));
  const steps = asked.update.epochs * asked.update.minibatches;
  if (epochs * minibatches !== steps)
    adjusted.push(`${epochs * minibatches} steps on each batch, not ${steps}`);
  if (asked.reward.overlong !== null) {
    left.push("the penalty for long answers");
    changes.reward = { ...asked.reward, overlong: null };
  }
  const { filter } = asked;
  if (filter.kind === "zeroVariance" && filter.maxGenerations > MOST_GENERATIONS) {
    adjusted.push(`at most ${MOST_GENERATIONS} batches to fill one, not ${filter.maxGenerations}`);
    changes.filter = { ...filter, maxGenerations: MOST_GENERATIONS };
  }
  if (gap === 0 && asked.correction.kind !== "none") {
    left.push("the correction between engine and trainer, which has nothing to correct where they agree");
    changes.correction = "none";
  }
  const comparesWithSampler = readTrainers[subject.trainer].comparesWithSampler === true;
  if (gap > 0 && !comparesWithSampler && ["none", "truncate"].includes(asked.correction.kind)) {
    changes.order = { ...asked.order, oldLogProb: "recomputed" } as NonNullable<RecipeOverrides["order"]>;
    if (asked.correction.kind === "none") {
      left.push(
        `what a mismatch does without a correction: ${subject.title} compares with log-probs of the trainer, and here tokens are drawn from the trainer's policy itself`,
      );
    }
  }
  return recipe("grpo", {
    ...asked,
    variant: undefined,
    name: undefined,
    ...changes,
    update: { epochs, minibatches, optimizer: recipe("grpo").update.optimizer },
  } as RecipeOverrides);
}

const kindOf = (choice: { readonly kind: string }): string => choice.kind;

const gateInWords = (gate: Recipe["gate"]): string => {
  const numbers = Object.entries(gate).flatMap(([name, value]) =>
    typeof value === "number" ? [`${name} ${value}`] : [],
  );
  return [gate.kind, ...numbers].join(" ");
};

const klInWords = ({ regularizer: { klReference }, reward: { kl } }: Recipe): string =>
  [
    ...(klReference === null ? [] : [`${klReference.coef} in the loss (${klReference.estimator})`]),
    ...(kl === null ? [] : [`${kl.coef} in the reward (${kl.estimator})`]),
  ].join(", ") || "none";
