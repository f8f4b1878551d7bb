/** A value as an error message quotes it. */
export function show(value: unknown): string {
  if (typeof value === "string") return `"${value}"`;
  if (typeof value === "number" || typeof value === "boolean" || value === null || value === undefined) {
    return String(value);
  }
  return typeof value === "function" ? "a function" : JSON.stringify(value);
}
