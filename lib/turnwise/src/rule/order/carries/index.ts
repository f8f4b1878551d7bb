import { choice, type Static } from "../../../schema";
import { fieldsOf, named } from "../../part";
import { clipped } from "./clipped";
import type { CarryPart } from "./contract";
import { exact } from "./exact";
import { off } from "./off";

/** Every carry; the first is the default of an order that updates turns one by one. */
export const carries = { exact, off, clipped };

export const carryChoice = choice("kind", fieldsOf(carries), {
  help: "Effect of the ratios of turns already updated on the advantage of the next.",
});

export type CarryChoice = Static<typeof carryChoice>;

/** @throws {RangeError} if the kind is unknown */
export const carryOf = ({ kind }: CarryChoice): CarryPart =>
  named<CarryPart>(carries, "order.carry.kind", kind);
