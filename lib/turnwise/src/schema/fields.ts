import type { TSchema, TUnsafe } from "@sinclair/typebox";

/** Named fields; an interface, because a field may hold fields. */
// eslint-disable-next-line @typescript-eslint/consistent-indexed-object-style
export interface Fields {
  readonly [name: string]: TSchema;
}

/** Range of a slider over a number; `log` spaces it by powers. */
export interface Slider {
  readonly min: number;
  readonly max: number;
  readonly step?: number;
  readonly log?: boolean;
}

/** Metadata of every field. */
export interface About {
  /** One sentence. */
  readonly help: string;
  readonly unit?: string;
  readonly slider?: Slider;
}

/** The range of a number; without any bound, every finite number. */
export interface Range {
  readonly above?: number;
  readonly atLeast?: number;
  readonly below?: number;
  readonly atMost?: number;
}

/**
 * A JSON Schema, typed by what it describes. TypeBox gives the types alone: to load its builders takes as long as to load every
 * rule and world of the library.
 */
const schema = <S extends TSchema>(keywords: Readonly<Record<string, unknown>>): S =>
  keywords as unknown as S;

const annotations = ({ help, unit, slider }: About): Record<string, unknown> => ({
  description: help,
  ...(unit !== undefined && { unit }),
  ...(slider !== undefined && { slider }),
});

const bounds = ({ above, atLeast, below, atMost }: Range): Record<string, number> => ({
  ...(above !== undefined && { exclusiveMinimum: above }),
  ...(atLeast !== undefined && { minimum: atLeast }),
  ...(below !== undefined && { exclusiveMaximum: below }),
  ...(atMost !== undefined && { maximum: atMost }),
});

/** A finite number in a range. */
export const number = (initial: number, o: Range & About): TUnsafe<number> =>
  schema({ default: initial, ...bounds(o), ...annotations(o), type: "number" });

/** A whole number in a range. */
export const whole = (initial: number, o: Range & About): TUnsafe<number> =>
  schema({ default: initial, ...bounds(o), ...annotations(o), type: "integer" });

/** A whole number of at least 1. */
export const count = (initial: number, o: About): TUnsafe<number> => whole(initial, { atLeast: 1, ...o });

/** A number from 0 to 1. */
export const fraction = (initial: number, o: About): TUnsafe<number> =>
  number(initial, { atLeast: 0, atMost: 1, ...o });

/** true or false. */
export const flag = (initial: boolean, o: About): TUnsafe<boolean> =>
  schema({ default: initial, ...annotations(o), type: "boolean" });

/** Any text. */
export const text = (initial: string, o: About): TUnsafe<string> =>
  schema({ default: initial, ...annotations(o), type: "string" });

/** One of a few words; the first is the default. */
export const oneOf = <const V extends string>(values: readonly [V, ...V[]], o: About): TUnsafe<V> =>
  union(values.map(literal), { default: values[0], ...annotations(o) });

/** A word, or what another field takes; the word is the default. */
export const wordOr = <const W extends string, F extends TSchema>(
  word: W,
  field: F,
  o: About,
): TUnsafe<W | F["static"]> => union([literal(word), field], { default: word, ...annotations(o) });

/** true, false, or what another field takes; its default is that field's. */
export const flagOr = <F extends TSchema>(field: F, o: About): TUnsafe<boolean | F["static"]> =>
  union([field, schema({ type: "boolean" })], {
    default: (field as { readonly default?: unknown }).default,
    ...annotations(o),
  });

/** A field that may be null, which switches it off; null unless the field is given. */
export const orNull = <F extends TSchema>(field: F): Nullable<F> => {
  const said = Object.fromEntries(
    ["description", "unit", "slider"].flatMap((name) => (name in field ? [[name, field[name]]] : [])),
  );
  return union([field, schema({ type: "null" })], { default: null, ...said });
};

const union = <S extends TSchema>(members: readonly TSchema[], keywords: Record<string, unknown>): S =>
  schema({ ...keywords, anyOf: members });

const literal = (word: string): TSchema => schema({ const: word, type: "string" });

export interface Nullable<F extends TSchema> extends TSchema {
  readonly anyOf: readonly [F, TSchema];
  readonly static: F["static"] | null;
}

/**
 * A value that is no data, such as a policy or a signal: it has no default, and what it is, is the caller's to say.
 *
 * @param wanted completes "must be ..."
 */
export const instance = <X>(wanted: string, accepts: (value: unknown) => boolean, o: About): TUnsafe<X> =>
  schema({ wanted, accepts, ...annotations(o) });

/**
 * A value that is no data and may stand for the whole choice whose value has this field: `{ gate: mine }` is
 * `{ gate: { kind: "custom", by: mine } }`. No menu offers a value with such a field, since no menu could fill it.
 *
 * @param wanted completes "must be ..."
 */
export const standIn = <X>(wanted: string, accepts: (value: unknown) => boolean, o: About): StandIn<X> =>
  ({ ...instance<X>(wanted, accepts, o), standsIn: true }) as unknown as StandIn<X>;

export type StandIn<X> = TUnsafe<X> & { readonly standsIn: true };

/** A stand-in that may be null, and may stand for the whole group that has it: `{ reward: mine }` is `{ reward: { custom: mine } }`. */
export const standInForGroup = <X>(field: StandIn<X>): StandInForGroup<X> =>
  ({ ...orNull(field), standsForGroup: true }) as unknown as StandInForGroup<X>;

export type StandInForGroup<X> = Nullable<TUnsafe<X>> & { readonly standsForGroup: true };

/**
 * Data that only a function can check, such as a list of tasks.
 *
 * @param wanted completes "must be ..."
 */
export const data = <X>(
  initial: X,
  wanted: string,
  accepts: (value: unknown) => boolean,
  o: About,
): TUnsafe<X> => schema({ default: initial, wanted, accepts, ...annotations(o) });

/** A field that may be left out, and then is not there: the default of the field that it is made of does not step in. */
export const optional = <F extends TSchema>(field: F): Optional<F> => {
  const { default: _, ...rest } = field;
  return schema({ ...rest, leftOut: true });
};

export type Optional<F extends TSchema> = F & { readonly leftOut: true };

/**
 * A name that a caller may give instead of some of its neighbors: `{ form: "verl" }` fills in what the table says of
 * "verl". A finished rule has the neighbors alone, and no menu offers the name.
 */
export const shorthand = <const M extends Readonly<Record<string, object>>>(
  meanings: M,
  o: About,
): Optional<TUnsafe<keyof M & string>> =>
  ({
    ...optional(oneOf(Object.keys(meanings) as [string, ...string[]], o)),
    meanings,
  }) as unknown as Optional<TUnsafe<keyof M & string>>;

/** Meanings of the names of a shorthand; undefined for every other field. */
export const meaningsOf = (field: TSchema): Readonly<Record<string, object>> | undefined =>
  field["meanings"] as Readonly<Record<string, object>> | undefined;

/** A field that must be given, because no default would do for everyone. */
export const required = <F extends TSchema>(field: F): Required<F> => {
  const { default: _, ...rest } = field;
  return { ...rest, mustBeGiven: true } as unknown as Required<F>;
};

export type Required<F extends TSchema> = F & { readonly mustBeGiven: true };

/** Fields that are always there. */
export const group = <const F extends Fields>(fields: F, o?: About): Group<F> =>
  object(fields, o && annotations(o));

const object = <S extends TSchema>(properties: Fields, keywords: Record<string, unknown> = {}): S => {
  const required = Object.keys(properties).filter((name) => properties[name]!["leftOut"] !== true);
  return schema({
    additionalProperties: false,
    ...keywords,
    type: "object",
    ...(required.length > 0 && { required }),
    properties,
  });
};

export interface Group<F extends Fields = Fields> extends TSchema {
  readonly type: "object";
  readonly properties: F;
  readonly static: ValueOf<F>;
}

/**
 * One of several values, told apart by the key `by`, each with fields of its own; the first is the default.
 *
 * @param values fields by the name of the value
 */
export const choice = <const By extends string, const V extends Readonly<Record<string, Fields>>>(
  by: By,
  values: V,
  o: About,
): Choice<By, V> =>
  union(
    Object.entries(values).map(([name, fields]) => object({ [by]: literal(name), ...fields })),
    { discriminator: { propertyName: by }, ...annotations(o) },
  );

export interface Choice<
  By extends string = string,
  V extends Readonly<Record<string, Fields>> = Readonly<Record<string, Fields>>,
> extends TSchema {
  readonly anyOf: readonly TSchema[];
  readonly discriminator: { readonly propertyName: By };
  /** Carries the values' fields for types alone; at run time they are in `anyOf`. */
  readonly values?: V;
  readonly static: { readonly [K in keyof V]: Flat<Readonly<Record<By, K>> & ValueOf<V[K]>> }[keyof V];
}

/** An intersection written out as one object type, as editors should show it. */
export type Flat<X> = X extends infer Y ? { [K in keyof Y]: Y[K] } : never;

/** The values of named fields, readonly all the way down. */
export type ValueOf<F extends Fields> = Flat<
  {
    readonly [K in keyof F as F[K] extends { readonly leftOut: true } ? never : K]: F[K]["static"];
  } & {
    readonly [K in keyof F as F[K] extends { readonly leftOut: true } ? K : never]?: F[K]["static"];
  }
>;
