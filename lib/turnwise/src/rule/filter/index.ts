import { choice, type Static } from "../../schema";
import { fieldsOf, named } from "../part";
import type { Filter } from "./contract";
import { custom } from "./custom";
import { none } from "./none";
import { topP } from "./topP";
import { topStd } from "./topStd";
import { zeroVariance } from "./zeroVariance";

/** Every filter that has a name; the first is the default of a row. */
export const filters = { none, zeroVariance, topStd, topP };

export const filterChoice = choice("kind", fieldsOf({ ...filters, custom }), {
  help: "Which groups take part in the update.",
});

export type FilterChoice = Static<typeof filterChoice>;

/** @throws {RangeError} if the kind is unknown */
export const filterOf = ({ kind }: FilterChoice): Filter =>
  kind === "custom" ? custom : named<Filter>(filters, "filter.kind", kind);
