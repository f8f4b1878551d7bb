import { expectKnown } from "../base/expect";
import { show } from "../base/show";
import { didYouMean } from "../base/suggest";

/** Step of a row of the policy, given the exact expected advantage of its actions. */
export type ExactStep =
  /** All mass on the best action; no change if nothing is better. */
  | { readonly kind: "greedy" }
  /** pi <- pi exp(eta A) / Z, with A given the information state. */
  | { readonly kind: "mirror"; readonly eta: number }
  /** The argmax of the clipped surrogate over the simplex; of several, the one nearest to the old policy. */
  | { readonly kind: "clip"; readonly clipLow: number; readonly clipHigh: number }
  /** Gradient ascent on the surrogate in the logits of a softmax. One step without a clip is REINFORCE. */
  | {
      readonly kind: "gradient";
      readonly learningRate: number;
      readonly steps: number;
      readonly clip: { readonly low: number; readonly high: number } | null;
    };

/** Facts about an update rule that the exact laboratory needs. */
export interface ExactRule {
  /** `critic` is Q - V of the exact critic; the others compare returns, `none` with 0 or with the batch. */
  readonly baseline: "mean" | "leaveOneOut" | "critic" | "none";
  /** `group` divides by the std within the group, `mean` by its mean, `batch` by the std over a batch of many groups. */
  readonly scale: "none" | "group" | "batch" | "mean";
  /** G; Infinity is the limit of large groups. */
  readonly groupSize: number;
  /** Divide by G - 1 in the group's variance. */
  readonly unbiased: boolean;
  readonly step: ExactStep;
  readonly order: "simultaneous" | "reverse" | "forward" | "random";
  /** Weighting of the advantage by the ratios of turns already updated: as they are, clipped to `carryClip`, or not at all. */
  readonly carry: "exact" | "clipped" | "off";
  readonly carryClip: readonly [low: number, high: number];
}

const plain: ExactRule = {
  baseline: "mean",
  scale: "none",
  groupSize: Infinity,
  unbiased: false,
  step: { kind: "gradient", learningRate: 1, steps: 1, clip: null },
  order: "simultaneous",
  carry: "off",
  carryClip: [0.8, 1.2],
};

const choices = {
  baseline: ["mean", "leaveOneOut", "critic", "none"],
  scale: ["none", "group", "batch", "mean"],
  order: ["simultaneous", "reverse", "forward", "random"],
  carry: ["exact", "clipped", "off"],
} as const satisfies { readonly [K in keyof ExactRule]?: readonly ExactRule[K][] };

/**
 * A rule for the exact laboratory: the plainest one (group mean, no std, one gradient step, all turns at once) with some
 * fields changed. A sequential order carries exactly unless `carry` says otherwise.
 *
 * @throws {RangeError} if fields contradict each other or a value is out of range
 */
export function exactRule(fields: Partial<ExactRule> = {}): ExactRule {
  expectKnown("make an exact rule", fields, Object.keys(plain));
  const sequential = fields.order !== undefined && fields.order !== "simultaneous";
  const rule: ExactRule = { ...plain, ...(sequential ? { carry: "exact" as const } : {}), ...fields };
  const fail = (message: string): never => {
    throw new RangeError(`Cannot make an exact rule: ${message}`);
  };
  for (const [name, values] of Object.entries(choices)) {
    const value = rule[name as keyof typeof choices];
    if (!(values as readonly string[]).includes(value))
      fail(
        `${name} must be one of ${values.join(", ")}, got ${show(value)}.${didYouMean(String(value), values)}`,
      );
  }
  const { groupSize: G, step } = rule;
  if (G !== Infinity && !(Number.isInteger(G) && G >= 2)) {
    fail(`groupSize must be an integer >= 2 or Infinity, got ${G}.`);
  }
  if (rule.order === "simultaneous" && rule.carry !== "off") {
    fail(`a simultaneous order must have carry "off", got "${rule.carry}".`);
  }
  const ofGroups = rule.scale === "group" || rule.scale === "mean";
  if (ofGroups && (rule.baseline === "critic" || rule.baseline === "none")) {
    fail(`scale "${rule.scale}" must have a group baseline, got "${rule.baseline}".`);
  }
  if (rule.baseline === "critic" && rule.carry === "clipped") {
    fail(`carry "clipped" must have a baseline on returns, got "critic".`);
  }
  if (step.kind === "mirror" && !(step.eta > 0)) fail(`eta must be > 0, got ${step.eta}.`);
  if (step.kind === "gradient" && !(step.learningRate > 0)) {
    fail(`learningRate must be > 0, got ${step.learningRate}.`);
  }
  if (step.kind === "gradient" && !(Number.isInteger(step.steps) && step.steps >= 1)) {
    fail(`steps must be an integer >= 1, got ${step.steps}.`);
  }
  return rule;
}

/** The argmax of the clipped surrogate. */
export function clipStep(clipLow = 0.2, clipHigh = clipLow): ExactStep {
  return { kind: "clip", clipLow, clipHigh };
}

/** One step of gradient ascent on the logits: the exact expectation of REINFORCE. */
export function gradientStep(learningRate: number): ExactStep {
  return { kind: "gradient", learningRate, steps: 1, clip: null };
}

/** Several steps of gradient ascent on the clipped surrogate of one batch. */
export function reuseStep(learningRate: number, steps: number, clip: number | null = 0.2): ExactStep {
  return {
    kind: "gradient",
    learningRate,
    steps,
    clip: clip === null ? null : { low: clip, high: clip },
  };
}
