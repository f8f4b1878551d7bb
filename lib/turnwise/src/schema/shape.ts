import type { TSchema } from "@sinclair/typebox";
import type { Fields } from "./fields";

/** One of a choice's values: its name, and its fields without the key that names it. */
export interface Value {
  readonly name: string;
  readonly fields: Fields;
  /** Which of its fields may stand for the whole choice, if one may. */
  readonly standIn?: string;
}

/** Shape of a schema, for everything that walks through one; derived from its data alone. */
export type Shape =
  | { readonly kind: "leaf" }
  | { readonly kind: "group"; readonly fields: Fields }
  | { readonly kind: "choice"; readonly by: string; readonly values: readonly Value[] }
  /** Null, or a group or choice. */
  | { readonly kind: "nullable"; readonly inner: TSchema };

interface Data {
  readonly type?: string;
  readonly const?: unknown;
  readonly properties?: Record<string, TSchema>;
  readonly anyOf?: readonly TSchema[];
  readonly discriminator?: { readonly propertyName: string };
}

/** Kind of the field: a single value, or fields within. */
export function shapeOf(field: TSchema): Shape {
  const { properties, anyOf, discriminator } = field as Data;
  if (properties !== undefined) return { kind: "group", fields: properties };
  if (anyOf !== undefined && discriminator !== undefined) {
    const by = discriminator.propertyName;
    const values = anyOf.map((member) => {
      const { [by]: name, ...fields } = (member as Data).properties!;
      const standIn = Object.keys(fields).find((key) => "standsIn" in fields[key]!);
      return { name: String((name as Data).const), fields, ...(standIn !== undefined && { standIn }) };
    });
    return { kind: "choice", by, values };
  }
  const [inner, other] = anyOf ?? [];
  if (inner !== undefined && (other as Data).type === "null" && shapeOf(inner).kind !== "leaf") {
    return { kind: "nullable", inner };
  }
  return { kind: "leaf" };
}
