import type { Figure, FigureName } from "./tally";

/** Figures of a rule at a setting: the mean over the policies. */
export interface CardRecord extends Readonly<Record<FigureName, Figure>> {
  readonly row: string;
  readonly world: string;
  /** Turns. */
  readonly horizon: number;
  /** P, and G: the batch has P x G trajectories. */
  readonly groups: number;
  readonly groupSize: number;
  /** Steps since the rollout. */
  readonly staleness: number;
  /** Nats. */
  readonly mismatch: number;
  /** Number of policies that the figures are means over. */
  readonly policies: number;
  /** `enumerated`: every group, so that figures are exact. `sampled`: with standard errors. */
  readonly method: "enumerated" | "sampled";
  /** Groups that were enumerated or batches that were sampled, of all policies together. */
  readonly batches: number;
}

/** Meaning and unit of each figure of the card. */
export const cardFigures: Readonly<
  Record<FigureName, { readonly unit: string; readonly about: string; readonly best: string }>
> = Object.freeze({
  scale: {
    unit: "1",
    about: "how long the expected update is along the exact gradient: <E g, grad J> / |grad J|^2",
    best: "any number above 0: the learning rate makes up for it",
  },
  bias: {
    unit: "|grad J|",
    about:
      "what the expected update, divided by its scale, is off the exact gradient: |E g / scale - grad J|",
    best: "0; infinite where the scale is not above 0",
  },
  expectedCosine: {
    unit: "1",
    about:
      "cosine of the expected update with the exact gradient; 0 where nothing is expected that noise would not hide",
    best: "1",
  },
  variance: {
    unit: "(reward / logit)^2",
    about: "variance of an update, the mean over the parameters, at the rule's own scale",
    best: "small beside the square of the scale",
  },
  signalToNoise: {
    unit: "1",
    about: "squared length of the expected update by the total variance of one batch's",
    best: "large",
  },
  cosine: {
    unit: "1",
    about: "cosine of one batch's update with the exact gradient, the mean over batches that move anything",
    best: "1",
  },
  wrongSign: {
    unit: "share of logits",
    about:
      "logits that the expected update moves against the exact gradient; where sampled, by more than two standard errors",
    best: "0",
  },
  wrongSignBatch: {
    unit: "share of logits",
    about: "logits that one batch moves against the exact gradient, the mean over batches",
    best: "0",
  },
  silent: { unit: "share of batches", about: "batches that move nothing", best: "0" },
  gain: {
    unit: "gain of the exact gradient",
    about:
      "rise of J by one update, all its steps, scaled to the length of the equal step, by that of a step of this length along the exact gradient",
    best: "1",
  },
  falls: { unit: "share of batches", about: "updates of the equal length that lower J", best: "0" },
  ownChange: {
    unit: "reward",
    about: "change of J by one update with the rule's own optimizer, fresh",
    best: "large",
  },
  ownFalls: {
    unit: "share of batches",
    about: "updates with the rule's own optimizer that lower J",
    best: "0",
  },
});

/** A figure with its standard error, such as "0.312 ± 0.004". */
export function figureText({ value, error }: Figure, digits = 3): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "–" : "∞";
  const text = value.toFixed(digits).replace(/^-(?=0(\.0*)?$)/, "");
  // A figure and its error stay on one line.
  return error === null ? text : `${text}\u00a0±\u00a0${error.toFixed(digits)}`;
}
