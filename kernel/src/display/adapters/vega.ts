import type { MimeBundle } from "../../protocol/message.js";
import { adapter } from "./contract.js";
import { hasMethods, stored } from "./traits.js";

// JupyterLab 4 renders these major versions; a newer specification is declared as the newest of them.
const newest = { vega: 5, "vega-lite": 5 };
const schemas = /\/schema\/(vega|vega-lite)\/v(\d+)/;

interface Spec {
  $schema: string;
}

/** A Vega or Vega-Lite chart: a specification with its `$schema`, or an object with `toSpec()`. */
export const vega = adapter<{ toSpec?(): unknown }>({
  shows: "Vega and Vega-Lite specifications with `$schema`, and charts with `toSpec()` (`vega-lite-api`)",
  types: ["application/vnd.vega.v5+json", "application/vnd.vegalite.v5+json"],
  fits: (value): value is { toSpec?(): unknown } => hasMethods(value, "toSpec") || isSpec(value),
  bundle(chart) {
    const spec = hasMethods(chart, "toSpec") ? chart.toSpec!() : chart;
    return isSpec(spec) ? specBundle(spec) : undefined;
  },
});

function isSpec(value: unknown): value is Spec {
  if (typeof value !== "object" || value === null) return false;
  const schema = stored(value, "$schema");
  return typeof schema === "string" && schemas.test(schema);
}

function specBundle(spec: Spec): MimeBundle {
  const match = schemas.exec(spec.$schema)!;
  const kind = match[1] as keyof typeof newest;
  const version = Math.min(Number(match[2]), newest[kind]);
  const type = `application/vnd.${kind === "vega" ? "vega" : "vegalite"}.v${version}+json`;
  return {
    [type]: { ...spec, $schema: spec.$schema.replace(/v\d+(\.\d+)*/, `v${version}`) },
    "text/plain": kind === "vega" ? "<Vega chart>" : "<Vega-Lite chart>",
  };
}
