import type { TSchema } from "@sinclair/typebox";
import type { Fields } from "./fields";
import { shapeOf } from "./shape";

/** Path of every single value of a schema, such as `gate.clipLow`; a path that several values of a choice have appears once. */
export function pathsOf(field: TSchema, path = ""): string[] {
  const within = (fields: Fields): string[] =>
    Object.entries(fields).flatMap(([name, inner]) => pathsOf(inner, path === "" ? name : `${path}.${name}`));
  const shape = shapeOf(field);
  switch (shape.kind) {
    case "leaf":
      return [path];
    case "nullable":
      return pathsOf(shape.inner, path);
    case "group":
      return within(shape.fields);
    case "choice":
      return [...new Set(shape.values.flatMap(({ fields }) => within(fields)))];
  }
}
