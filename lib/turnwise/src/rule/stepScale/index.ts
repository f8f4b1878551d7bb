import { choice, type Static } from "../../schema";
import { fieldsOf, named } from "../part";
import type { StepScale } from "./contract";
import { effectiveSamples } from "./effectiveSamples";
import { none } from "./none";

/** Every factor on the learning rate that has a name; the first is the default of a rule. */
export const stepScales = { none, effectiveSamples };

export const stepScaleChoice = choice("kind", fieldsOf(stepScales), {
  help: "Factor on the learning rate of each optimizer step.",
});

type StepScaleChoice = Static<typeof stepScaleChoice>;

/** @throws {RangeError} if the kind is unknown */
export const stepScaleOf = ({ kind }: StepScaleChoice): StepScale =>
  named<StepScale>(stepScales, "update.stepScale.kind", kind);
