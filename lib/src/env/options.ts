/** Fills in defaults and refuses what an environment does not know: a silent no-op would be worse. */
export function readOptions<O extends object>(id: string, defaults: O, given: object = {}): O {
  for (const key of Object.keys(given)) {
    if (!Object.hasOwn(defaults, key)) {
      throw new RangeError(
        `Cannot make ${id} as its options must be among ${Object.keys(defaults).join(", ")}: current value has "${key}"`,
      );
    }
  }
  const result = { ...defaults };
  for (const [key, value] of Object.entries(given)) {
    if (value === undefined) continue;
    const expected = typeof defaults[key as keyof O];
    if (expected !== "object" && typeof value !== expected) {
      throw new TypeError(
        `Cannot make ${id} as ${key} must be a ${expected}: current value is ${JSON.stringify(value)}`,
      );
    }
    (result as Record<string, unknown>)[key] = value;
  }
  return result;
}

/** Throws RangeError unless low <= value <= high (and whole, if asked for). */
export function expectRange(
  id: string,
  name: string,
  value: number,
  low: number,
  high: number,
  whole = false,
): void {
  if (value >= low && value <= high && (!whole || Number.isInteger(value))) return;
  throw new RangeError(
    `Cannot make ${id} as ${name} must be ${whole ? "a whole number " : ""}in [${low}, ${high}]: current value is ${value}`,
  );
}
