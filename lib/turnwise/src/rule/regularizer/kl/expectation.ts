import type { KlOther, KlShape } from "./contract";

/** When the mean over the sampling policy's tokens is right: wherever the policy has moved, before it has moved, or never. */
export type Holds = "always" | "on policy" | "never";

/**
 * Mean of a penalty over the tokens of the old policy, in each context: whether it is the divergence of its direction,
 * and whether the mean of its gradient is that divergence's gradient.
 *
 * Weights hold up to 20 nats, and a clamped estimate within its limits.
 */
export interface Expectation {
  readonly value: Holds;
  readonly gradient: Holds;
  /** Completes "In each context, its mean ...". */
  readonly sentence: string;
}

/** A field that says what no penalty can mean: the field, what it must be, and why. */
export interface Senseless {
  readonly field: "direction" | "estimator" | "correction" | "clamp";
  /** Completes "must be ...". */
  readonly wanted: string;
}

/** Why there can be no such penalty in a loss; undefined where there can. */
export function senseless(other: KlOther, kl: KlShape): Senseless | undefined {
  const { direction, estimator, correction, clamp } = kl;
  const weighted = correction !== "none";
  if (estimator === "exact") {
    const reads = 'with estimator "exact", which reads whole distributions';
    if (weighted) return { field: "correction", wanted: `"none" ${reads}` };
    return clamp === null ? undefined : { field: "clamp", wanted: `null ${reads}` };
  }
  if (direction === "forward") return senselessForward(other, estimator, weighted);
  if (estimator !== "k1" || weighted) return undefined;
  const instead =
    '"exact", or "k1" with correction "importanceWeighted", in a loss, where the bare k1 has an expected gradient of';
  return {
    field: "estimator",
    wanted:
      other === "reference"
        ? `${instead} 0 and so charges nothing (as a reward it charges: reward.kl)`
        : `${instead} 0 on policy, and away from the old policy afterwards`,
  };
}

function senselessForward(
  other: KlOther,
  estimator: KlShape["estimator"],
  weighted: boolean,
): Senseless | undefined {
  if (estimator === "k2" || estimator === "k3+") {
    return {
      field: "estimator",
      wanted: '"exact", "k1" or "k3" with direction "forward", since the gradient of k2 is that of "reverse"',
    };
  }
  if (other === "old" && weighted) {
    return {
      field: "correction",
      wanted: '"none" with direction "forward", which wants the tokens from the old policy that drew them',
    };
  }
  if (other === "reference" && !weighted) {
    return {
      field: "correction",
      wanted:
        '"importanceWeighted" with direction "forward", which wants the tokens from the reference, while the old policy drew them',
    };
  }
  return undefined;
}

/** Mean of the penalty; see `Expectation`. */
export function klExpectation(other: KlOther, { direction, estimator, correction }: KlShape): Expectation {
  const named = other === "old" ? "old" : "reference";
  const own = direction === "reverse" ? `KL(new || ${named})` : `KL(${named} || new)`;
  if (estimator === "exact") {
    return { value: "always", gradient: "always", sentence: `is ${own}, and so is that of its gradient` };
  }
  const weighted = correction === "importanceWeighted";
  if (weighted || direction === "forward") {
    return estimator === "k2"
      ? {
          value: "never",
          gradient: "always",
          sentence: `is half the squared log-ratio's, and that of its gradient is the gradient of ${own}`,
        }
      : { value: "always", gradient: "always", sentence: `is ${own}, and so is that of its gradient` };
  }
  switch (estimator) {
    case "k1":
      return {
        value: other === "old" ? "never" : "on policy",
        gradient: "never",
        sentence:
          other === "old"
            ? "is -KL(old || new), so that its gradient leads away from the old policy"
            : `is ${own} on policy, but that of its gradient is 0`,
      };
    case "k2":
      return {
        value: "never",
        gradient: "on policy",
        sentence: `is half the squared log-ratio's, and on policy that of its gradient is the gradient of ${own}`,
      };
    case "k3+":
      return other === "old"
        ? {
            value: "never",
            gradient: "on policy",
            sentence: `is chi2(old || new) - KL(old || new), no divergence from the old policy; its gradient's is right on policy alone, where it is 0`,
          }
        : {
            value: "on policy",
            gradient: "on policy",
            sentence: `is ${own} on policy, and so is that of its gradient`,
          };
    case "k3":
      return other === "old"
        ? {
            value: "never",
            gradient: "never",
            sentence:
              "is chi2(old || new) - KL(old || new), which is no KL and grows without bound where new gives up what old did",
          }
        : {
            value: "on policy",
            gradient: "never",
            sentence: `is ${own} on policy, while that of its gradient is the gradient of KL(reference || new)`,
          };
  }
}
