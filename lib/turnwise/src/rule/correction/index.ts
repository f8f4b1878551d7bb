import { choice, type Static } from "../../schema";
import { fieldsOf, named } from "../part";
import type { Correction } from "./contract";
import { mask } from "./mask";
import { none } from "./none";
import { reject } from "./reject";
import { truncate } from "./truncate";

/** Every correction that has a name; the first is the default of a rule. */
export const corrections = { none, truncate, mask, reject };

export const correctionChoice = choice("kind", fieldsOf(corrections), {
  help: "Correction for disagreement of trainer and rollout engine about the log-probs of the sampled tokens.",
});

export type CorrectionChoice = Static<typeof correctionChoice>;

/** @throws {RangeError} if the kind is unknown */
export const correctionOf = ({ kind }: CorrectionChoice): Correction =>
  named<Correction>(corrections, "correction.kind", kind);
