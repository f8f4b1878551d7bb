import * as api from "../display/api.js";
import { toBundle } from "../display/bundle.js";
import { displaySymbol } from "../display/symbol.js";
import type { JsonObject, MimeBundle } from "../protocol/message.js";
import { denoAdvice } from "../types/deno-advice.js";
import type { DenoSystem } from "./deno-system.js";

/** Sends a message of any type to the front ends. */
export type Broadcast = (
  type: string,
  content: JsonObject,
  o?: { metadata?: JsonObject; buffers?: readonly Uint8Array[] },
) => unknown;

/** Options of `Deno.jupyter.display`. */
export interface DenoDisplayOptions {
  /** The value is a bundle of media types already. */
  raw?: boolean;
  /** Replace what was displayed under `display_id`. */
  update?: boolean;
  display_id?: string;
}

type Template = (strings: TemplateStringsArray | string, ...values: unknown[]) => api.Displayable;

/** `Deno.jupyter` of cells. */
export interface DenoJupyter {
  readonly $display: typeof displaySymbol;
  display(value: unknown, o?: DenoDisplayOptions): Promise<void>;
  md: Template;
  html: Template;
  svg: Template;
  /** An image: its bytes, or the path of its file. */
  image(source: Uint8Array | string | URL): api.Displayable;
  /** The media types of a value. */
  format(value: unknown): Promise<MimeBundle>;
  broadcast(
    type: string,
    content: Record<string, unknown>,
    extra?: { metadata?: Record<string, unknown>; buffers?: Uint8Array[] },
  ): Promise<void>;
}

/** The `Deno` of cells: what notebooks use of it. It is a name of cells alone, since packages ask for a global one to learn where they run. */
export type DenoOfCells = DenoSystem & { readonly jupyter: DenoJupyter };

/** Builds it of the members that the host has. */
export function denoOfCells(
  system: Partial<DenoSystem> & { readFileSync?: (path: string | URL) => Uint8Array },
  broadcast: Broadcast,
): object {
  const jupyter: DenoJupyter = {
    $display: displaySymbol,
    async display(value, { raw = false, update = false, display_id: id } = {}) {
      api.display(value, { raw, update, ...(id !== undefined && { id }) });
    },
    md: whole(api.md),
    html: whole(api.html),
    svg: whole(api.svg),
    image: (source) => {
      if (!(source instanceof Uint8Array)) {
        if (!system.readFileSync) throw new Error("Cannot read an image: it must be given as bytes here.");
        source = system.readFileSync(source);
      }
      // A JPEG begins so; all else is a PNG.
      return source[0] === 0xff && source[1] === 0xd8 ? api.jpeg(source) : api.png(source);
    },
    format: async (value) => toBundle(value),
    broadcast: async (type, content, { metadata, buffers } = {}) => {
      await broadcast(type, content, { metadata: metadata ?? {}, buffers: buffers ?? [] });
    },
  };
  const named = <T extends object>(name: string, members: T): T =>
    refusing(name, { ...members, [displaySymbol]: () => ({ "text/plain": `<${name} of cells>` }) });
  return named("Deno", { ...system, jupyter: named("Deno.jupyter", jupyter) });
}

/** Deno's templates escape nothing: what they interpolate is markup. */
function whole(show: Template): Template {
  return (strings, ...values) => {
    if (typeof strings === "string") return show(strings);
    return show(strings.reduce((text, part, i) => text + String(values[i - 1]) + part));
  };
}

/** An object that says what to write instead of members that it does not have. */
function refusing<T extends object>(name: string, members: T): T {
  return new Proxy(members, {
    get(target, key, receiver) {
      // Whatever waits for it, shows it or copies it asks for such names.
      if (
        typeof key === "symbol" ||
        key in target ||
        ["then", "toJSON", "$display", "constructor"].includes(key)
      )
        return Reflect.get(target, key, receiver) as unknown;
      const advice = name === "Deno" ? denoAdvice(key) : "display, html and help of every cell do the same";
      throw new TypeError(`Cannot use ${name}.${key}: cells have no such member. ${advice}.`);
    },
  });
}
