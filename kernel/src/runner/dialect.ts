import { dialectOf, type Dialect } from "../magics/dialects.js";
import type { JsonObject } from "../protocol/message.js";

/** The dialect of a notebook, by the kernel or the language that it names; undefined if it names neither that is known. */
export function dialectOfNotebook(metadata: JsonObject): Dialect | undefined {
  const spec = metadata.kernelspec as { name?: unknown; language?: unknown } | undefined;
  const info = metadata.language_info as { name?: unknown } | undefined;
  for (const name of [spec?.name, spec?.language, info?.name]) {
    const found = typeof name === "string" ? dialectOf(name) : undefined;
    if (found) return found;
  }
  return undefined;
}
