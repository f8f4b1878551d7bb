import { inspect } from "node:util";
import type { MimeBundle } from "../protocol/message.js";
import { imageBundle } from "./image.js";
import { keptInFile } from "./large.js";
import { isRows, rowsHtml } from "./rows.js";
import { isPromise } from "./promises.js";
import { limits } from "./settings.js";
import { displaySymbol } from "./symbol.js";
import { frameBundle, isFrame } from "./frame.js";
import { bundleByMethods } from "./to-methods.js";
import { isTensor, tensorBundle } from "./tensor.js";
import { vegaBundle } from "./vega.js";

export { displaySymbol };

/**
 * The MIME bundle of a value; it always contains `text/plain`.
 *
 * In this order: `[Symbol.for("Jupyter.display")]()` or `$display()` of the object, the card that a library has for plain
 * data, Vega and Vega-Lite specs, tensors, data frames. Everything else is printed as in Node's REPL.
 */
export function toBundle(given: unknown): MimeBundle | Promise<MimeBundle> {
  const value = shownFor(given);
  const own = ownBundle(value);
  if (own === undefined) return complete({}, value);
  if (isPromise(own)) return own.then((bundle) => complete(bundle ?? {}, value));
  return complete(own, value);
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
    text = inspect(value, { depth: 4, maxArrayLength: 100, maxStringLength: 10_000, breakLength: 100 });
  } catch (error) {
    // A user's getter or custom inspect function may throw, which must not keep the value from being shown.
    text = `[${typeof value} that cannot be printed: ${String(error)}]`;
  }
  return cut(text, limits.get("text"));
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
    const bundle = method.call(value) as MimeBundle | Promise<MimeBundle> | undefined;
    if (isPromise(bundle) || (typeof bundle === "object" && bundle !== null)) return bundle;
    return undefined;
  }
  if (typeof value === "function") return undefined;
  if (isRows(value)) return rowsHtml(value);
  return (
    imageBundle(value) ??
    vegaBundle(value) ??
    bundleByMethods(value) ??
    (isTensor(value) ? tensorBundle(value) : undefined) ??
    (isFrame(value) ? frameBundle(value) : undefined)
  );
}

function displayMethod(value: unknown): (() => unknown) | undefined {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return undefined;
  const candidate = value as { [displaySymbol]?: unknown; $display?: unknown };
  try {
    for (const method of [candidate[displaySymbol], candidate.$display]) {
      if (typeof method === "function") return method as () => unknown;
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
    shown["text/plain"] = printed ? toText(value) : summary(value, shown);
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
  const name = (value as object | null)?.constructor?.name;
  return `<${name && name !== "Object" ? name : Object.keys(bundle)[0]}>`;
}
