import type { MimeBundle } from "../protocol/message.js";

// JupyterLab 4 renders these major versions; a newer specification is declared as the newest of them.
const newest = { vega: 5, "vega-lite": 5 };

/** The bundle of a Vega or Vega-Lite chart: a specification with its `$schema`, or an object with `toSpec()`. */
export function vegaBundle(value: object): MimeBundle | undefined {
  const candidate = value as { $schema?: unknown; toSpec?: unknown };
  let spec: unknown = value;
  if (typeof candidate.toSpec === "function") spec = (candidate.toSpec as () => unknown).call(value);
  const schema = (spec as { $schema?: unknown } | null)?.$schema;
  if (typeof schema !== "string") return undefined;
  const match = /\/schema\/(vega|vega-lite)\/v(\d+)/.exec(schema);
  if (!match) return undefined;
  const kind = match[1] as keyof typeof newest;
  const version = Math.min(Number(match[2]), newest[kind]);
  const type = `application/vnd.${kind === "vega" ? "vega" : "vegalite"}.v${version}+json`;
  return {
    [type]: { ...(spec as object), $schema: schema.replace(/v\d+(\.\d+)*/, `v${version}`) },
    "text/plain": kind === "vega" ? "<Vega chart>" : "<Vega-Lite chart>",
  };
}
