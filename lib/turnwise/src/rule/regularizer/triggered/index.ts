import { choice, type Static } from "../../../schema";
import { fieldsOf, named } from "../../part";
import type { ClippingTriggered } from "./contract";
import { gradNorm } from "./gradNorm";
import { klPenalty } from "./klPenalty";
import { off } from "./off";

/** Every clipping-triggered term; the first is the default of a rule. */
export const clippingTriggeredKinds = { off, gradNorm, klPenalty };

export const clippingTriggeredChoice = choice("kind", fieldsOf(clippingTriggeredKinds), {
  help: "Penalty that clipping triggers, in addition to lost gradients.",
});

export type ClippingTriggeredChoice = Static<typeof clippingTriggeredChoice>;

/** @throws {RangeError} if the kind is unknown */
export const clippingTriggeredOf = ({ kind }: ClippingTriggeredChoice): ClippingTriggered =>
  named<ClippingTriggered>(clippingTriggeredKinds, "regularizer.clippingTriggered.kind", kind);
