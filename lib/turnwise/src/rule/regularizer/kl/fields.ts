import { group, number, oneOf, orNull, shorthand } from "../../../schema";
import type { KlShape } from "./contract";
import { formLabel, klForms } from "./forms";

export const klCoef = number(0.001, {
  atLeast: 0,
  help: "Weight of the divergence.",
  slider: { min: 1e-4, max: 1, log: true },
});

export const klClamp = orNull(
  group(
    {
      logRatio: number(20, { above: 0, help: "The most that a log-ratio counts for.", unit: "nats" }),
      value: number(10, { above: 0, help: "The most that one token is charged.", unit: "nats" }),
    },
    { help: "Limits of one token's estimate, beyond which its gradient is 0; null for none." },
  ),
);

const meanings = Object.fromEntries(
  Object.entries(klForms).map(([name, { fields }]) => [name, fields]),
) as unknown as { readonly [K in keyof typeof klForms]: KlShape };

/** Fields of the divergence of every penalty, in addition to its weight. */
export const klFields = {
  form: shorthand(meanings, {
    help: "The penalty as a release computes it, instead of the four fields that follow.",
  }),
  direction: oneOf(["reverse", "forward"], {
    help: "Which of the two is charged: reverse, KL(new || other), or forward, KL(other || new), from the other's point of view.",
  }),
  estimator: oneOf(["exact", "k1", "k2", "k3", "k3+"], {
    help: "Estimator of the divergence: exact sums over the vocabulary of every sampled context; the others see one sampled token: k1 the log-ratio, k2 half its square, k3 the one that is never negative, k3+ the value of k3 with a better gradient.",
  }),
  correction: oneOf(["none", "importanceWeighted"], {
    help: "Correction for tokens of the old policy: importanceWeighted weighs a token of the old policy by its ratio to the policy that the estimate wants it from, so that value and gradient of k1 and k3 are right on average.",
  }),
  clamp: klClamp,
};

/** A few characters for the printed table. */
export function klLabel(kl: KlShape): string {
  const form = formLabel(kl);
  if (form !== undefined) return form;
  return [
    ...(kl.direction === "forward" ? ["forward"] : []),
    kl.estimator,
    ...(kl.correction === "none" ? [] : ["weighted"]),
    ...(kl.clamp === null ? [] : ["clamped"]),
  ].join(" ");
}

/** A field as rules have it today; one of an earlier version had neither direction nor correction nor clamp. */
export const writtenOut = <C extends Partial<KlShape>>(field: C): C & Omit<KlShape, "estimator"> => ({
  direction: "reverse",
  correction: "none",
  clamp: null,
  ...field,
});
