import { choice, type Static } from "../../schema";
import { fieldsOf, named } from "../part";
import type { Filter } from "./contract";
import { none } from "./none";
import { topStd } from "./topStd";
import { zeroVariance } from "./zeroVariance";

/** Every filter; the first is the default of a row. */
export const filters = { none, zeroVariance, topStd };

export const filterChoice = choice("kind", fieldsOf(filters), {
  help: "Which groups take part in the update.",
});

export type FilterChoice = Static<typeof filterChoice>;

/** @throws {RangeError} if the kind is unknown */
export const filterOf = ({ kind }: FilterChoice): Filter => named<Filter>(filters, "filter.kind", kind);
