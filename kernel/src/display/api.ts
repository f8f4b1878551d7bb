import { displaySymbol } from "./bundle.js";
import type { MimeBundle } from "../protocol/message.js";
import { escapeHtml, textOfHtml } from "./html.js";
import { Progress } from "./progress.js";

/** Parts of their session that the display functions need. */
export interface DisplayHost {
  /** Shows a value in the running cell and returns its display id. */
  display(value: unknown, o: DisplayOptions): string;
  clearOutput(wait: boolean): void;
  input(prompt: string, password: boolean): Promise<string>;
  /** The same, while nothing else runs. */
  inputNow(prompt: string): string;
  help(asked: readonly unknown[]): unknown;
  /** Calls a function when the running cell is interrupted, until what it returns is called. */
  onInterrupt(run: () => void): () => void;
}

/** Options of displaying a value. */
export interface DisplayOptions {
  /** A name under which the output can be updated later. */
  id?: string;
  /** Replace what was displayed under `id` instead of adding an output. */
  update?: boolean;
  /** The value is a MIME bundle already. */
  raw?: boolean;
}

/** An object that displays itself as a MIME bundle. */
export interface Displayable {
  [displaySymbol](): MimeBundle;
}

const hostSymbol = Symbol.for("turnwise.session");

/** Makes the display functions of this process show values in a session. */
export function setDisplayHost(host: DisplayHost): void {
  Object.defineProperty(globalThis, hostSymbol, { value: host, configurable: true, enumerable: false });
}

function host(what: string): DisplayHost {
  const found = (globalThis as { [hostSymbol]?: DisplayHost })[hostSymbol];
  if (!found)
    throw new TypeError(
      `Cannot call ${what}: it must run in a notebook cell, and there is no kernel session here.`,
    );
  return found;
}

/** Shows a value below the running cell; with an `id` it can be replaced later. Returns the id. */
export function display(value: unknown, o: DisplayOptions = {}): string {
  return host("display").display(value, o);
}

/** Removes the output of the running cell; with `wait`, only when the next output arrives. */
export function clearOutput(o: { wait?: boolean } = {}): void {
  host("clearOutput").clearOutput(o.wait ?? false);
}

/** Asks the user for a line of text. */
export function input(prompt = "", o: { password?: boolean } = {}): Promise<string> {
  return host("input").input(prompt, o.password ?? false);
}

/** Asks for a line of text while nothing else runs. */
export function inputNow(prompt: string): string {
  return host("prompt").inputNow(prompt);
}

/**
 * Shows documentation: signature, text with equation, source and related names. Takes a name, a function or class, or any
 * other object; packages answer to further names and values of theirs. For an unknown name it suggests similar ones and
 * where it is mentioned. Without an argument, it is an index of all names, with search.
 *
 * @example
 * help()
 * help("display")
 * help(Map)
 */
export function help(...what: [what?: unknown]): unknown {
  return host("help").help(what);
}

function displayable(bundle: MimeBundle): Displayable {
  return { [displaySymbol]: () => bundle };
}

function fill(
  strings: TemplateStringsArray | string,
  values: unknown[],
  escape: (text: string) => string,
  raw: boolean,
): string {
  if (typeof strings === "string") return strings;
  // In a template, a backslash of a formula is a backslash.
  const parts = raw ? strings.raw : strings;
  return parts.reduce((text, part, i) => {
    const value = values[i - 1];
    // A piece made by the same function already is markup.
    const inner = (value as { markup?: string } | null | undefined)?.markup;
    return text + (inner ?? escape(String(value))) + part;
  });
}

function markup(type: string, escape: (text: string) => string, plain: (text: string) => string) {
  return (strings: TemplateStringsArray | string, ...values: unknown[]): Displayable => {
    const text = fill(strings, values, escape, type === "text/latex");
    return Object.assign(displayable({ [type]: text, "text/plain": plain(text) }), { markup: text });
  };
}

/** HTML, as a function or a template, which escapes what it interpolates: ``html`<b>${name}</b>` ``. */
export const html: (strings: TemplateStringsArray | string, ...values: unknown[]) => Displayable = markup(
  "text/html",
  escapeHtml,
  textOfHtml,
);

/** Markdown, as a function or a template. */
export const md: (strings: TemplateStringsArray | string, ...values: unknown[]) => Displayable = markup(
  "text/markdown",
  (text) => text,
  (text) => text,
);

/** An SVG image, as a function or a template. */
export const svg: (strings: TemplateStringsArray | string, ...values: unknown[]) => Displayable = markup(
  "image/svg+xml",
  escapeHtml,
  () => "<SVG image>",
);

/** A formula of LaTeX, as a function or a template: ``latex`\\frac{1}{2}` ``. */
export const latex: (strings: TemplateStringsArray | string, ...values: unknown[]) => Displayable = markup(
  "text/latex",
  (text) => text,
  (text) => text,
);

/** JavaScript that a trusted page runs, with the output's own place as `element`. */
export const javascript: (strings: TemplateStringsArray | string, ...values: unknown[]) => Displayable =
  markup(
    "application/javascript",
    (text) => text,
    (text) => text,
  );

function image(type: string, name: string, data: Uint8Array | string): Displayable {
  return displayable({
    [type]: typeof data === "string" ? data : Buffer.from(data).toString("base64"),
    "text/plain": `<${name} image>`,
  });
}

/** A PNG image: its bytes, or a base64 string. */
export function png(data: Uint8Array | string): Displayable {
  return image("image/png", "PNG", data);
}

/** A JPEG image: its bytes, or a base64 string. */
export function jpeg(data: Uint8Array | string): Displayable {
  return image("image/jpeg", "JPEG", data);
}

/** A progress bar over `total` steps, or over the elements of an array while one iterates over it. */
export function progress<T>(over: readonly T[], label?: string): Progress & Iterable<T>;
export function progress(total: number, label?: string): Progress;
export function progress<T>(over: number | readonly T[], label = ""): Progress & Partial<Iterable<T>> {
  const bar = new Progress(typeof over === "number" ? over : over.length, label, display);
  if (typeof over === "number") return bar;
  return Object.assign(bar, {
    *[Symbol.iterator](): Generator<T, void, unknown> {
      for (const element of over) {
        yield element;
        bar.tick();
      }
    },
  });
}
