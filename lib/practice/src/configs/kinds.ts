import type { Recipe } from "turnwise/internal/rule/index";
import { named } from "turnwise/internal/rule/part";

/** Fields that name a choice by its kind. */
export type Choice = "gate" | "aggregate" | "advantage" | "scale" | "correction" | "filter";

/** The names that a field may have: a table over them that leaves one out does not compile. */
export type Kinds<C extends Choice> = Recipe[C]["kind"];

/** The field with its knobs, where it has this name. */
export type Of<C extends Choice, K> = Extract<Recipe[C], { readonly kind: K }>;

/** Looks a field up in a table over its names, whose functions take the field and what else is given. */
export function byKind<R>(table: object, field: { readonly kind: string }, ...more: readonly unknown[]): R {
  const of = named(
    table as Readonly<Record<string, (...given: readonly unknown[]) => R>>,
    "a field",
    field.kind,
  );
  return of(field, ...more);
}
