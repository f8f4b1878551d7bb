import { choice, type Static } from "../../../schema";
import { fieldsOf, named } from "../../part";
import { clip } from "./clip";
import type { CovarianceRule } from "./contract";
import { off } from "./off";
import { penalty } from "./penalty";

/** Treatments of tokens of high covariance; the first is the default. */
export const covarianceRules = { off, clip, penalty };

export const covarianceChoice = choice("kind", fieldsOf(covarianceRules), {
  help: "Treatment of tokens with high advantage/log-prob covariance, which cost most of the entropy.",
});

export type CovarianceChoice = Static<typeof covarianceChoice>;

/** @throws {RangeError} if the kind is unknown */
export const covarianceOf = ({ kind }: CovarianceChoice): CovarianceRule =>
  named<CovarianceRule>(covarianceRules, "regularizer.covariance.kind", kind);
