/** Plain data: what comes back unchanged from a file or another thread. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** JSON has no NaN, infinity or -0, but a result that holds one must come back as it was. */
const special: Readonly<Record<string, number>> = { NaN, Infinity, "-Infinity": -Infinity, "-0": -0 };

function nameOf(x: number): string {
  return Object.is(x, -0) ? "-0" : String(x);
}

/**
 * One line of JSON that `parseLine` gives back bit by bit, NaN, infinities and -0 included; keys in their order.
 *
 * @param what how an error names the value
 * @throws {TypeError} if the value holds anything but plain data: a function, class instance, typed array or bigint
 */
export function toLine(value: unknown, what: string): string {
  return JSON.stringify(encode(value, what));
}

/** The value of a line that `toLine` wrote. */
export function parseLine(line: string): Json {
  return JSON.parse(line, (_, value: Json) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    const name = (value as { $number?: string }).$number;
    return name !== undefined && Object.hasOwn(special, name) ? special[name]! : value;
  }) as Json;
}

function encode(value: unknown, what: string): Json {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") {
    return Number.isFinite(value) && !Object.is(value, -0) ? value : { $number: nameOf(value) };
  }
  if (Array.isArray(value)) return value.map((item, i) => encode(item, `${what}[${i}]`));
  if (typeof value === "object" && isPlain(value)) {
    const entries = Object.entries(value).filter(([, item]) => item !== undefined);
    return Object.fromEntries(entries.map(([key, item]) => [key, encode(item, `${what}.${key}`)]));
  }
  const kind = typeof value === "object" ? `an instance of ${value.constructor.name}` : typeof value;
  throw new TypeError(
    `Cannot hand on ${what}: it must be plain data (numbers, text, lists, records), but it is ${kind}.`,
  );
}

/** Looks at the prototype's own prototype, since an object from another realm or thread is plain, too. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
