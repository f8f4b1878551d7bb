import { group, renamed, type Static } from "../../schema";
import { covarianceChoice, covarianceOf } from "./covariance";
import { entropy } from "./entropy";
import { entropyShare } from "./entropyShare";
import { entropyTarget } from "./entropyTarget";
import { klOld } from "./klOld";
import { klReference } from "./klReference";
import { observation } from "./observation";
import { own } from "./own";
import { clippingTriggeredChoice, clippingTriggeredOf } from "./triggered";

/** Terms of the loss in addition to the gate's objective. */
export const regularizerFields = group({
  klReference: klReference.field,
  klOld: klOld.field,
  entropyCoef: entropy.field,
  entropyTarget: entropyTarget.field,
  entropyShare: entropyShare.field,
  covariance: covarianceChoice,
  clippingTriggered: clippingTriggeredChoice,
  observationCoef: observation.field,
  custom: renamed("own", own.field),
});

export type RegularizerChoice = Static<typeof regularizerFields>;

/** A few characters for the printed table. */
export function regularizerLabel(choice: RegularizerChoice): string {
  const { clippingTriggered: triggered } = choice;
  const parts = [
    ...klReference.label(choice.klReference),
    ...klOld.label(choice.klOld),
    ...entropy.label(choice.entropyCoef),
    ...entropyTarget.label(choice.entropyTarget),
    ...entropyShare.label(choice.entropyShare),
    ...covarianceOf(choice.covariance).label(choice.covariance),
    ...(clippingTriggeredOf(triggered).active ? [triggered.kind] : []),
    ...observation.label(choice.observationCoef),
    ...own.label(choice.custom ?? null),
  ];
  return parts.join("; ") || "none";
}
