import { choice, type Static } from "../../schema";
import { fieldsOf, named } from "../part";
import { batch } from "./batch";
import type { GroupScaling, Scale } from "./contract";
import { group } from "./group";
import { none } from "./none";

/** Every scale; the first is the default of a row. */
export const scales = { none, group, batch };

export const scaleChoice = choice("kind", fieldsOf(scales), { help: "What an advantage is divided by." });

export type ScaleChoice = Static<typeof scaleChoice>;

/** @throws {RangeError} if the kind is unknown */
export const scaleOf = ({ kind }: ScaleChoice): Scale => named<Scale>(scales, "scale.kind", kind);

/** How a scale divides inside each group. */
export const withinGroup = (choice: ScaleChoice): GroupScaling => scaleOf(choice).withinGroup(choice);
