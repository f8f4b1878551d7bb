import { inspect, types, type InspectOptions } from "node:util";

// Node's printer looks at all keys of an object and at all places of an array that begins with a hole, and goes into every level in
// full breadth. With tens of millions of them that takes minutes, in which V8 hears no interrupt.

/** Entries that are printed in one go: some 0.3 s. */
const mostEntries = 100_000;
/** Keys of one object, beyond which the first of them stand for all. */
const mostKeys = 10_000;
/** An array with holes may be so long; its keys are looked at, one by one. */
const longestWithHoles = 100_000;
/** Node's own settings. */
const usual = { depth: 2, maxArrayLength: 100 };

type Options = Pick<InspectOptions, "depth" | "maxArrayLength" | "maxStringLength" | "breakLength">;

/** Node's own rendering of a value, in a time that does not grow with it: fewer levels of what is broad, and the first keys of what has many. */
export function boundedText(value: unknown, o: Options, wide = widthOf(value)): string {
  const asked = o.depth ?? usual.depth;
  const most = o.maxArrayLength ?? usual.maxArrayLength;
  const text = inspect(wide?.part ?? value, { ...o, depth: depthFor(wide?.part ?? value, asked, most) });
  return wide ? `${text.replace(/\s*[\]}]$/, "")},\n  ... ${wide.rest}\n${wide.end}` : text;
}

/** Stand-in that a console prints for a value: itself, unless that would take too long. */
export function printable(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  const wide = widthOf(value);
  if (!wide && depthFor(value, depth, usual.maxArrayLength) === depth) return value;
  return { [inspect.custom]: () => boundedText(value, { depth }, wide) };
}

/** The rows that a console puts into a table, and what it says of the others. */
export function tabled(rows: unknown): { readonly rows: unknown; readonly rest?: string } {
  if (!Array.isArray(rows) || rows.length <= mostKeys) return { rows };
  return { rows: rows.slice(0, mostKeys), rest: `... ${more(rows.length - mostKeys, "row")}` };
}

/** The deepest level, up to the one asked for, down to which a value has not too many entries. */
function depthFor(value: unknown, asked: number, most: number): number {
  let levels: number[];
  try {
    levels = entriesByLevel(value, asked, most);
  } catch {
    // A value that refuses, or a cell that has replaced the iterator of lists for a while.
    return asked;
  }
  let sum = 0;
  for (let level = 0; level < levels.length; level++) {
    sum += levels[level]!;
    if (sum > mostEntries) return Math.max(0, level - 1);
  }
  return asked;
}

/** The number of entries on each level of a value, until there are too many. */
function entriesByLevel(value: unknown, depth: number, most: number): number[] {
  const levels: number[] = [];
  let level = [value];
  let total = 0;
  for (let at = 0; at <= depth && level.length > 0 && total <= mostEntries; at++) {
    const next: unknown[] = [];
    let count = 0;
    for (const one of level) {
      if (typeof one !== "object" || one === null) continue;
      // Too broad below the top: it is shown as what it is, without its entries.
      if (at > 0 && widthOf(one)) count += mostEntries + 1;
      else count += addEntries(one, most, next);
      if (total + count > mostEntries) break;
    }
    levels.push(count);
    total += count;
    level = next;
  }
  return levels;
}

function addEntries(value: object, most: number, into: unknown[]): number {
  if (isOpaque(value)) return 1;
  const before = into.length;
  if (Array.isArray(value)) for (let i = 0; i < value.length && i < most; i++) into.push(stored(value, i));
  else if (value instanceof Map || value instanceof Set) {
    let left = most;
    value.forEach((one, key) => {
      if (left-- > 0) into.push(key, one);
    });
  } else for (const key of Object.keys(value)) into.push(stored(value, key));
  return into.length - before;
}

const stored = (value: object, key: PropertyKey): unknown =>
  Reflect.getOwnPropertyDescriptor(value, key)?.value as unknown;

/** Values that answer for themselves, and those of which Node shows no more than a few numbers. */
function isOpaque(value: object): boolean {
  if (ArrayBuffer.isView(value) || types.isProxy(value)) return true;
  return typeof (value as { [inspect.custom]?: unknown })[inspect.custom] === "function";
}

/** The part that stands for an array or an object that has too many keys to look at. */
interface Wide {
  readonly part: object;
  readonly rest: string;
  readonly end: "]" | "}";
}

function widthOf(value: unknown): Wide | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  try {
    if (isOpaque(value)) return undefined;
    return Array.isArray(value) ? wideArray(value) : wideObject(value);
  } catch {
    // An object that refuses is left to Node's printer.
    return undefined;
  }
}

/** For an array that begins with a hole, Node lists the keys of all of it. */
function wideArray(value: readonly unknown[]): Wide | undefined {
  const { length } = value;
  if (length <= longestWithHoles) return undefined;
  const first = usual.maxArrayLength;
  if (allThere(value, 0, first, 1)) return undefined;
  // A few entries in a long row of holes are quickly listed.
  if (!someThere(value, Math.ceil(length / 1_000))) return undefined;
  return { part: value.slice(0, first), rest: more(length - first, "item"), end: "]" };
}

function allThere(value: readonly unknown[], from: number, to: number, step: number): boolean {
  for (let i = from; i < to; i += step) if (!(i in value)) return false;
  return true;
}

function someThere(value: readonly unknown[], step: number): boolean {
  for (let i = 0; i < value.length; i += step) if (i in value) return true;
  return false;
}

function wideObject(value: object): Wide | undefined {
  if (value instanceof Map || value instanceof Set || value instanceof Error) return undefined;
  const keys = Object.keys(value);
  if (keys.length <= mostKeys) return undefined;
  const part = Object.create(Object.getPrototypeOf(value) as object | null) as object;
  for (const key of keys.slice(0, mostKeys))
    Object.defineProperty(part, key, Reflect.getOwnPropertyDescriptor(value, key)!);
  return { part, rest: more(keys.length - mostKeys, "key"), end: "}" };
}

const more = (n: number, what: string): string =>
  `${n.toLocaleString("en")} more ${what}${n === 1 ? "" : "s"}`;
