import type { Static, TSchema } from "@sinclair/typebox";
import type { Choice, Fields, Flat, Group, Nullable } from "./fields";

export type { Static };

/**
 * What a caller may give for a field: any part of a group, the bare name of a choice, or a choice with any part of its
 * fields. What is left out keeps its value or gets its default.
 */
export type Given<S extends TSchema> =
  S extends Choice<infer By, infer V>
    ? | keyof V
      | {
          readonly [K in keyof V]: Flat<Partial<Readonly<Record<By, K>>> & GivenFields<V[K]>>;
        }[keyof V]
    : S extends Nullable<infer F>
      ? Given<F> | null
      : S extends Group<infer F>
        ? Flat<GivenFields<F>>
        : Static<S>;

type GivenFields<F extends Fields> = {
  readonly [K in keyof F as F[K] extends { readonly mustBeGiven: true } ? never : K]?: Given<F[K]>;
} & {
  readonly [K in keyof F as F[K] extends { readonly mustBeGiven: true } ? K : never]: Given<F[K]>;
};
