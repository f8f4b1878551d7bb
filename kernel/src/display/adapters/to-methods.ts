import type { MimeBundle } from "../../protocol/message.js";
import { adapter } from "./contract.js";
import { hasMethods } from "./traits.js";

const methods: Record<string, string> = {
  _toHtml: "text/html",
  _toSvg: "image/svg+xml",
  _toPng: "image/png",
  _toJpeg: "image/jpeg",
};

const names = ["_toMime", ...Object.keys(methods)];

/** Objects that display themselves as ijavascript has it. */
export const toMethods = adapter<Record<string, () => unknown>>({
  shows: "objects with ijavascript's `_toHtml()`, `_toSvg()`, `_toPng()`, `_toJpeg()` or `_toMime()`",
  types: Object.values(methods),
  fits: (value): value is Record<string, () => unknown> => names.some((name) => hasMethods(value, name)),
  bundle(value) {
    const bundle: MimeBundle = {};
    const own = hasMethods(value, "_toMime") ? value._toMime!() : undefined;
    if (typeof own === "object" && own !== null) Object.assign(bundle, own);
    for (const [name, type] of Object.entries(methods)) {
      const data = hasMethods(value, name) ? value[name]!() : undefined;
      if (data !== undefined) bundle[type] ??= data;
    }
    return Object.keys(bundle).length === 0 ? undefined : bundle;
  },
});
