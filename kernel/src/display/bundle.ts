import { inspect } from "node:util";
import { boundedText } from "./bounded.js";
import type { MimeBundle } from "../protocol/message.js";
import { declared, stored } from "./adapters/traits.js";
import { keptInFile } from "./large.js";
import { isRows } from "./rows.js";
import { isPromise } from "./promises.js";
import { limits } from "./settings.js";
import { displaySymbol } from "./symbol.js";

export { displaySymbol };

/**
 * The MIME bundle of a value; it always contains `text/plain`.
 *
 * In this order: `[Symbol.for("Jupyter.display")]()` or `$display()` of the object, the card that a library has for plain
 * data, the adapter of its kind. Everything else is printed as in Node's REPL.
 */
export function toBundle(given: unknown): MimeBundle | Promise<MimeBundle> {
  const value = shownFor(given);
  const own = ownUnlessUnreadable(value);
  if (own === undefined) return complete({}, value);
  if (isPromise(own)) return own.then((bundle) => complete(bundle ?? {}, value));
  return complete(own, value);
}

/** As `ownBundle`; a proxy that throws at every look is printed as what it is. */
function ownUnlessUnreadable(value: unknown): ReturnType<typeof ownBundle> {
  try {
    return ownBundle(value);
  } catch (error) {
    if (isDisplayable(value)) throw error;
    return undefined;
  }
}

const cardsSymbol = Symbol.for("turnwise.cards");

/**
 * Replacement of a value that cannot display itself: the card that a library has for it, else the value itself.
 *
 * A library puts a function of this name on `globalThis`, `(value) => displayable | undefined`, so that plain data, such as a
 * rule's row, is shown as a card and stays plain data.
 */
export function shownFor(value: unknown): unknown {
  if (typeof value !== "object" || value === null || isDisplayable(value)) return value;
  const cardOf = (globalThis as { [cardsSymbol]?: unknown })[cardsSymbol];
  if (typeof cardOf !== "function") return value;
  try {
    return (cardOf as (value: object) => unknown)(value) ?? value;
  } catch {
    // A half-made object that only looks like one of the library's is printed as what it is.
    return value;
  }
}

/** Node's own rendering of a value, truncated to a size that a notebook can hold. */
export function toText(value: unknown): string {
  let text: string;
  try {
    text = boundedText(value, { depth: 4, maxArrayLength: 100, maxStringLength: 10_000, breakLength: 100 });
  } catch (error) {
    // A user's getter or custom inspect function may throw, which must not keep the value from being shown.
    text = unprinted(value, error);
  }
  return cut(text, limits.get("text"));
}

function unprinted(value: unknown, error: unknown): string {
  try {
    const why = String(error);
    // Node's printer knows a proxy when it sees one, that of a page does not.
    if (/proxy that has been revoked/.test(why)) return "<Revoked Proxy>";
    return `[${typeof value} that cannot be printed: ${why}]`;
  } catch {
    return `[${typeof value} that cannot be printed]`;
  }
}

/** Text shown if a promise is the value of a cell: most likely an await is missing. */
export function promiseText(promise: Promise<unknown>): string {
  return `${toText(promise)}\nThis is a promise of a value, not the value: did you forget await?`;
}

/** True if the object displays itself. */
export function isDisplayable(value: unknown): boolean {
  return displayMethod(value) !== undefined;
}

function ownBundle(value: unknown): MimeBundle | Promise<MimeBundle | undefined> | undefined {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return undefined;
  const method = displayMethod(value);
  if (method) {
    const bundle = called(value, method);
    if (isPromise(bundle)) return bundle.then(objectOrNothing);
    return objectOrNothing(bundle);
  }
  return typeof value === "function" ? undefined : adapted(value);
}

function adapted(value: object): ReturnType<typeof import("./adapters/index.js").adapted> {
  try {
    // Loaded at the first object: a session starts without them.
    // eslint-disable-next-line @typescript-eslint/no-require-imports
    const adapters = require("./adapters/index.js") as typeof import("./adapters/index.js");
    return adapters.adapted(value);
  } catch {
    // A cell has replaced the file system by one that has no kernel.
    return undefined;
  }
}

function called(value: object, { name, run }: DisplayMethod): unknown {
  try {
    return Reflect.apply(run, value, []) as unknown;
  } catch (error) {
    // A proxy that makes up a method for every name does not display itself; the error of any other method is the cell's.
    if (isDeclared(value, name)) throw error;
    return undefined;
  }
}

function isDeclared(value: object, name: PropertyKey): boolean {
  try {
    return declared(value, name) !== undefined;
  } catch {
    return false;
  }
}

const objectOrNothing = (bundle: unknown): MimeBundle | undefined =>
  typeof bundle === "object" && bundle !== null ? (bundle as MimeBundle) : undefined;

interface DisplayMethod {
  readonly name: PropertyKey;
  readonly run: () => unknown;
}

function displayMethod(value: unknown): DisplayMethod | undefined {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return undefined;
  try {
    for (const name of [displaySymbol, "$display"]) {
      // Asked first, since a proxy of another thread's object has a method for every name, which it would call over there.
      if (!(name in value)) continue;
      const run = (value as Record<PropertyKey, unknown>)[name];
      if (typeof run === "function") return { name, run: run as () => unknown };
    }
  } catch {
    // A proxy or a getter that throws on unknown names has no display method.
  }
  return undefined;
}

function complete(bundle: MimeBundle, value: unknown): MimeBundle {
  const shown: MimeBundle = {};
  for (const [type, content] of Object.entries(bundle)) {
    if (content === undefined || content === null) continue;
    const part = toWire(content);
    if (typeof part !== "string" || part.length <= limits.get("display")) shown[type] = part;
    else if (type === "text/plain") shown[type] = cut(part, limits.get("display"));
    else shown["text/html"] = keptInFile(type, part);
  }
  if (typeof shown["text/plain"] !== "string") {
    const printed = Object.keys(shown).length === 0 || isRows(value);
    shown["text/plain"] = printed || writesItself(value) ? toText(value) : summary(value, shown);
  }
  return shown;
}

/** Binary content travels as base64. */
function toWire(content: unknown): unknown {
  return content instanceof Uint8Array ? Buffer.from(content).toString("base64") : content;
}

/** The head and the tail of a text that is too long. */
function cut(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const tail = Math.floor(longest / 10);
  const left = text.length - longest;
  return `${text.slice(0, longest - tail)}\n... ${left} characters are not shown (%config text) ...\n${text.slice(-tail)}`;
}

function summary(value: unknown, bundle: MimeBundle): string {
  const name = className(value);
  return `<${name && name !== "Object" ? name : Object.keys(bundle)[0]}>`;
}

/** Whether an object has a text of its own for Node's printer. */
function writesItself(value: unknown): boolean {
  try {
    if (typeof value !== "object" || value === null) return false;
    return typeof (value as { [inspect.custom]?: unknown })[inspect.custom] === "function";
  } catch {
    return false;
  }
}

function className(value: unknown): string | undefined {
  try {
    const made = typeof value === "object" && value !== null ? stored(value, "constructor") : undefined;
    const name = typeof made === "function" ? stored(made, "name") : undefined;
    return typeof name === "string" ? name : undefined;
  } catch {
    return undefined;
  }
}
