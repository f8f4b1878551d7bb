/** Whether two values of JSON are the same; a big integer is the number that it stands for. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (typeof a === "bigint" || typeof b === "bigint") return Number(a) === Number(b);
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a === b;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [x, y] = [a, b] as [Record<string, unknown>, Record<string, unknown>];
  const names = Object.keys(x);
  return (
    names.length === Object.keys(y).length &&
    names.every((name) => Object.hasOwn(y, name) && sameJson(x[name], y[name]))
  );
}
