import type { Json } from "./json";

/**
 * The number of a job's value that a sweep looks at: the value itself, one of its fields, or one of its `metrics`.
 *
 * Undefined if there is none.
 */
export function metricOf(value: Json, name: string | undefined): number | undefined {
  if (typeof value === "number") return value;
  if (name === undefined || typeof value !== "object" || value === null || Array.isArray(value)) {
    return undefined;
  }
  const record = value as Readonly<Record<string, Json>>;
  const found = record[name] ?? (record["metrics"] as Readonly<Record<string, Json>> | undefined)?.[name];
  return typeof found === "number" ? found : undefined;
}
