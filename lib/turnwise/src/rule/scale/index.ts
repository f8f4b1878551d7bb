import { choice, type Static } from "../../schema";
import { fieldsOf, named } from "../part";
import { batch } from "./batch";
import type { GroupScaling, Scale } from "./contract";
import { custom } from "./custom";
import { group } from "./group";
import { mean } from "./mean";
import { none } from "./none";
import { tokens } from "./tokens";

/** Every scale that has a name; the first is the default of a rule. */
export const scales = { none, group, batch, mean, tokens };

export const scaleChoice = choice("kind", fieldsOf({ ...scales, custom }), {
  help: "Divisor of an advantage.",
});

export type ScaleChoice = Static<typeof scaleChoice>;

/** @throws {RangeError} if the kind is unknown */
export const scaleOf = ({ kind }: ScaleChoice): Scale =>
  kind === "custom" ? custom : named<Scale>(scales, "scale.kind", kind);

/** Divisor of a scale inside each group. */
export const withinGroup = (choice: ScaleChoice): GroupScaling => scaleOf(choice).withinGroup(choice);
