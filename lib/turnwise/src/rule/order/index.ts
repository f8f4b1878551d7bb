import { choice, type Static } from "../../schema";
import { fieldsOf, named } from "../part";
import { carryOf } from "./carries";
import type { Order } from "./contract";
import { customOrder } from "./custom";
import { forward } from "./forward";
import { random } from "./random";
import { reverse } from "./reverse";
import { simultaneous } from "./simultaneous";

/** Every order of updates that has a name; the first is the default of a rule. */
export const orders = { simultaneous, reverse, forward, random };

export const orderChoice = choice("kind", fieldsOf({ ...orders, custom: customOrder(undefined) }), {
  help: "Which turns are updated when.",
});

export type OrderChoice = Static<typeof orderChoice>;

/** @throws {RangeError} if the kind is unknown */
export const orderOf = (choice: OrderChoice | { readonly kind: keyof typeof orders }): Order =>
  choice.kind === "custom" ? customOrder(choice) : named<Order>(orders, "order.kind", choice.kind);

/** A few characters for the printed table. */
export function orderLabel(choice: OrderChoice): string {
  const carried = "carry" in choice ? [`carry ${carryOf(choice.carry).label(choice.carry)}`] : [];
  const old = choice.oldLogProb === "recomputed" ? ["old log-probs recomputed"] : [];
  const shared = "steps" in choice && choice.steps === "shared" ? ["steps shared"] : [];
  const name = choice.kind === "custom" ? choice.by.label : choice.kind;
  return [name, ...carried, ...old, ...shared].join("; ");
}
