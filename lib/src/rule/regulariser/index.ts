import { group, number, orNull, type Static } from "../../schema";
import { clippingTriggeredChoice, clippingTriggeredOf } from "./triggered";
import { estimator, klCoef } from "./kl";

const penalty = (help: string) => orNull(group({ coef: klCoef, estimator }, { help }));

export const regulariserFields = group({
  klReference: penalty("Charge for the divergence from the frozen reference policy; null for none."),
  klOld: penalty("Charge for the divergence from the policy that sampled; null for none."),
  entropyCoef: number(0, {
    atLeast: 0,
    help: "Weight of the entropy bonus; 0 for none.",
    slider: { min: 0, max: 1, step: 0.001 },
  }),
  clippingTriggered: clippingTriggeredChoice,
});

export type RegulariserChoice = Static<typeof regulariserFields>;

/** A few characters for the printed table. */
export function regulariserLabel(choice: RegulariserChoice): string {
  const { klReference, klOld, entropyCoef, clippingTriggered } = choice;
  const parts = [
    ...(klReference === null ? [] : [`KL ref ${klReference.coef}, ${klReference.estimator}`]),
    ...(klOld === null ? [] : [`KL old ${klOld.coef}, ${klOld.estimator}`]),
    ...(entropyCoef === 0 ? [] : [`entropy ${entropyCoef}`]),
    ...(clippingTriggeredOf(clippingTriggered).active ? [clippingTriggered.kind] : []),
  ];
  return parts.join("; ") || "none";
}
