import { choice, type Static } from "../../schema";
import { fieldsOf, named } from "../part";
import { constant } from "./constant";
import { custom } from "./custom";
import type { Aggregate } from "./contract";
import { sequenceMeanTokenMean } from "./sequenceMeanTokenMean";
import { tokenMean } from "./tokenMean";
import { turnMean } from "./turnMean";

/** Every loss denominator that has a name; the first is the default of a rule. */
export const aggregates = { tokenMean, sequenceMeanTokenMean, turnMean, constant };

/** None depends on the update order, so that two orders can be compared with the same denominator. */
export const aggregateChoice = choice("kind", fieldsOf({ ...aggregates, custom }), {
  help: "The loss denominator.",
});

export type AggregateChoice = Static<typeof aggregateChoice>;

/** @throws {RangeError} if the kind is unknown */
export const aggregateOf = ({ kind }: AggregateChoice): Aggregate =>
  kind === "custom" ? custom : named<Aggregate>(aggregates, "aggregate.kind", kind);
