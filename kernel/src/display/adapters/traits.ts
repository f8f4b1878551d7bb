const { getOwnPropertyDescriptor, getPrototypeOf } = Reflect;

// A proxy may claim to inherit from itself.
const longestChain = 64;

/** Declaration of a property by an object or by what it inherits from; runs no getter. */
export function declared(value: object, name: PropertyKey): PropertyDescriptor | undefined {
  let at: object | null = value;
  for (let i = 0; at !== null && i < longestChain; i++) {
    const found = getOwnPropertyDescriptor(at, name);
    if (found) return found;
    at = getPrototypeOf(at);
  }
  return undefined;
}

/** Whether an object declares all of these properties, be it by getters, which do not run. */
export const has = (value: object, ...names: readonly PropertyKey[]): boolean =>
  names.every((name) => declared(value, name) !== undefined);

/** Whether an object has all of these methods. */
export const hasMethods = (value: object, ...names: readonly PropertyKey[]): boolean =>
  names.every((name) => typeof declared(value, name)?.value === "function");

/** The value of a property, unless a getter would have to compute it. */
export const stored = (value: object, name: PropertyKey): unknown => declared(value, name)?.value as unknown;

/** Whether an object is a plain one: a literal, or what JSON gives. */
export function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return false;
  const prototype = getPrototypeOf(value);
  // That of another realm is not this realm's, but nothing is above it either.
  return prototype === null || (getPrototypeOf(prototype) === null && "isPrototypeOf" in prototype);
}
