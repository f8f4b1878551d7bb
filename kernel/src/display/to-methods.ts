import type { MimeBundle } from "../protocol/message.js";

const methods: Record<string, string> = {
  _toHtml: "text/html",
  _toSvg: "image/svg+xml",
  _toPng: "image/png",
  _toJpeg: "image/jpeg",
};

/** The bundle of an object that displays itself as ijavascript has it: by `_toHtml()`, `_toMime()` and others. */
export function bundleByMethods(value: object): MimeBundle | undefined {
  const bundle: MimeBundle = {};
  try {
    const own = call(value, "_toMime");
    if (typeof own === "object" && own !== null) Object.assign(bundle, own);
    for (const [name, type] of Object.entries(methods)) {
      const text = call(value, name);
      if (text !== undefined) bundle[type] ??= text;
    }
  } catch {
    // A proxy or a getter that throws has no such method.
    return undefined;
  }
  return Object.keys(bundle).length === 0 ? undefined : bundle;
}

function call(value: object, name: string): unknown {
  const method = (value as Record<string, unknown>)[name];
  return typeof method === "function" ? (method.call(value) as unknown) : undefined;
}
