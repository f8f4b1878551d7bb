import { show } from "../../base/show";

/** A list of anything: an array, or a typed one. */
export const isList = (value: unknown): value is ArrayLike<unknown> =>
  Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));

/** Result of a custom function, as an error quotes it. */
export function shown(value: unknown): string {
  if (value instanceof Promise) return "a promise: it must not be async";
  if (isList(value)) return `a list of ${value.length}`;
  if (typeof value === "object" && value !== null)
    return `an object with ${Object.keys(value).join(", ") || "no keys"}`;
  return typeof value === "bigint" || typeof value === "symbol" ? typeof value : show(value);
}
