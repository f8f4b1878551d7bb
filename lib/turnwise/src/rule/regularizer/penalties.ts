import type { MetricName } from "../../base/glossary";
import type { RegularizerChoice } from "./index";
import type { RewardChoice } from "../reward";
import { writtenOut, type KlOther, type KlShape } from "./kl";
import type { Recipe } from "../recipe";
import { clippingTriggeredOf } from "./triggered";

/** A divergence that a rule charges, wherever the field stands that says so. */
export interface Penalty {
  /** The field's path in the rule. */
  readonly path: string;
  readonly other: KlOther;
  readonly coef: number;
  readonly kl: KlShape;
  /** Under which its mean over the tokens is reported; none for a weight that changes with every step. */
  readonly metric?: MetricName;
}

/** Penalties of a rule, given the fraction of tokens outside the bounds. */
export function penaltiesOf(
  { klReference, klOld, clippingTriggered }: RegularizerChoice,
  fractionOutside: number,
): Penalty[] {
  const triggered = clippingTriggeredOf(clippingTriggered).penalty(clippingTriggered, fractionOutside);
  return [
    ...(klReference === null
      ? []
      : [
          {
            path: "regularizer.klReference",
            other: "reference" as const,
            coef: klReference.coef,
            kl: writtenOut(klReference),
            metric: "policy/klReference" as const,
          },
        ]),
    ...(klOld === null
      ? []
      : [
          {
            path: "regularizer.klOld",
            other: "old" as const,
            coef: klOld.coef,
            kl: writtenOut(klOld),
            metric: "policy/klOld" as const,
          },
        ]),
    ...(triggered === null
      ? []
      : [{ path: "regularizer.clippingTriggered", other: "old" as const, ...triggered }]),
  ];
}

/** Which whole distributions a rule reads, besides the policy's own: those of its exact divergences. */
export function distributionsOf(
  regularizer: RegularizerChoice,
  reward: RewardChoice,
): Readonly<Record<KlOther, boolean>> {
  const exact = penaltiesOf(regularizer, 1).filter(({ kl }) => kl.estimator === "exact");
  const of = (other: KlOther): boolean =>
    reward.kl?.estimator === "exact" || exact.some((penalty) => penalty.other === other);
  return { reference: of("reference"), old: of("old") };
}

/** Fields that rules of an earlier version lack, as they do nothing. */
const idle = {
  entropyTarget: null,
  entropyShare: 1,
  covariance: { kind: "off" },
  observationCoef: 0,
} as const;

/** A rule of an earlier version as rules are today: its penalties go on as they were, with no correction and no clamp. */
export function withPenaltiesWrittenOut(rule: Recipe): Recipe {
  const { klReference, klOld, clippingTriggered } = rule.regularizer;
  const { kl } = rule.reward;
  return {
    ...rule,
    reward: { ...rule.reward, kl: kl && { ...{ clamp: null, reference: "frozen" as const }, ...kl } },
    regularizer: {
      ...idle,
      ...rule.regularizer,
      klReference: klReference && writtenOut(klReference),
      klOld: klOld && writtenOut(klOld),
      clippingTriggered: "estimator" in clippingTriggered ? writtenOut(clippingTriggered) : clippingTriggered,
    },
  };
}
