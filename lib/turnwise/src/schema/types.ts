import type { Static, TSchema } from "@sinclair/typebox";
import type { Choice, Fields, Flat, Group, Nullable } from "./fields";

export type { Static };

/**
 * Accepted values of a field: any part of a group, the bare name of a choice, or a choice with any part of its fields.
 * What is left out keeps its value or gets its default.
 */
export type Given<S extends TSchema> =
  S extends Choice<infer By, infer V>
    ? // The values that their bare name can stand for, and what may stand for a whole choice; written out, as errors show it.
      | { [K in keyof V]: [StandInOf<V[K]>] extends [never] ? K : never }[keyof V]
      | { [K in keyof V]: StandInOf<V[K]> }[keyof V]
      | {
          readonly [K in keyof V]: Flat<Partial<Readonly<Record<By, K>>> & GivenFields<V[K]>>;
        }[keyof V]
    : S extends Nullable<infer F>
      ? Given<F> | null
      : S extends Group<infer F>
        ? Flat<GivenFields<F>> | StandsForGroup<F>
        : Static<S>;

/** Values that may replace a choice by the field that they would fill. */
type StandInOf<F extends Fields> = {
  [N in keyof F]: F[N] extends { readonly standsIn: true } ? F[N]["static"] : never;
}[keyof F];

/** Values that may replace an entire group. */
type StandsForGroup<F extends Fields> = {
  [N in keyof F]: F[N] extends { readonly standsForGroup: true } ? Exclude<F[N]["static"], null> : never;
}[keyof F];

type GivenFields<F extends Fields> = {
  readonly [K in keyof F as F[K] extends { readonly mustBeGiven: true } ? never : K]?: Given<F[K]>;
} & {
  readonly [K in keyof F as F[K] extends { readonly mustBeGiven: true } ? K : never]: Given<F[K]>;
} & FormerFields<F>;

/** Fields under the names that they had before. */
type FormerFields<F extends Fields> = {
  readonly [K in keyof F as F[K] extends { readonly former: infer N extends string } ? N : never]?: Given<
    F[K]
  >;
};
