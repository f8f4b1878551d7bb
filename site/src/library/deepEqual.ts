/** Kind of deep equality: of values of the same type and prototype, or as with `==`. */
interface Comparing {
  readonly strict: boolean;
  /** Objects being compared above, since values may contain themselves. */
  readonly above: Map<object, object>;
}

const tagOf = (value: object): string => Object.prototype.toString.call(value);

/** Whether two values are the same, or as `==` has it, where NaN is equal to itself. */
export const isAlike = (a: unknown, b: unknown, strict: boolean): boolean =>
  strict ? Object.is(a, b) : a == b || (Number.isNaN(a) && Number.isNaN(b));

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/** Whether two values hold the same, as Node's `assert` compares them. */
export function deepEqual(a: unknown, b: unknown, strict: boolean): boolean {
  return equal(a, b, { strict, above: new Map() });
}

function equal(a: unknown, b: unknown, how: Comparing): boolean {
  if (a === b) return a !== 0 || isAlike(a, b, how.strict);
  if (!isObject(a) || !isObject(b)) return !isObject(a) && !isObject(b) && isAlike(a, b, how.strict);
  if (tagOf(a) !== tagOf(b) || Array.isArray(a) !== Array.isArray(b)) return false;
  if (how.strict && Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
  if (how.above.get(a) === b) return true;
  how.above.set(a, b);
  try {
    return sameInside(a, b, how) && sameProperties(a, b, how);
  } finally {
    how.above.delete(a);
  }
}

/** Compares the contents of a built-in object besides its properties. */
function sameInside(a: object, b: object, how: Comparing): boolean {
  if (a instanceof Date) return Object.is(a.getTime(), (b as Date).getTime());
  if (a instanceof RegExp) return String(a) === String(b) && a.lastIndex === (b as RegExp).lastIndex;
  if (a instanceof Error)
    return b instanceof Error && a.name === b.name && a.message === b.message && equal(a.cause, b.cause, how);
  if (a instanceof Set) return sameMembers([...a], [...(b as Set<unknown>)], how);
  if (a instanceof Map) return sameMembers([...a], [...(b as Map<unknown, unknown>)], how);
  if (a instanceof ArrayBuffer)
    return sameProperties(new Uint8Array(a), new Uint8Array(b as ArrayBuffer), how);
  if (a instanceof DataView) return equal(bytesOf(a), bytesOf(b as DataView), how);
  if (a instanceof Promise || a instanceof WeakMap || a instanceof WeakSet) return false;
  if (Array.isArray(a)) return a.length === (b as unknown[]).length;
  if (["Number", "String", "Boolean", "BigInt", "Symbol"].some((type) => tagOf(a) === `[object ${type}]`))
    return Object.is(a.valueOf(), b.valueOf());
  return true;
}

const bytesOf = ({ buffer, byteOffset, byteLength }: DataView): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

/** Members in any order: each has one of its own in the other. */
function sameMembers(a: readonly unknown[], b: unknown[], how: Comparing): boolean {
  if (a.length !== b.length) return false;
  const left = [...b];
  return a.every((one) => {
    const at = left.findIndex((other) => equal(one, other, how));
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}

function sameProperties(a: object, b: object, how: Comparing): boolean {
  const [keys, others] = [keysOf(a, how.strict), keysOf(b, how.strict)];
  if (keys.length !== others.length) return false;
  const value = (from: object, key: PropertyKey): unknown => (from as Record<PropertyKey, unknown>)[key];
  return keys.every((key) => Object.hasOwn(b, key) && equal(value(a, key), value(b, key), how));
}

function keysOf(value: object, strict: boolean): PropertyKey[] {
  const keys: PropertyKey[] = Object.keys(value);
  if (!strict) return keys;
  const shown = (key: symbol): boolean => Object.prototype.propertyIsEnumerable.call(value, key);
  return [...keys, ...Object.getOwnPropertySymbols(value).filter(shown)];
}
