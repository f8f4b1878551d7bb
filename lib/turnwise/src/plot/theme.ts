import type { VegaLiteSpec } from "./spec";

const ink = { fill: "currentColor" };

/** Text and axes take the color of the text around the chart, which a page's theme sets. */
const config = {
  background: "transparent",
  axis: {
    domainColor: "currentColor",
    tickColor: "currentColor",
    gridColor: "currentColor",
    domainOpacity: 0.5,
    tickOpacity: 0.5,
    gridOpacity: 0.15,
  },
  view: { stroke: "currentColor", strokeOpacity: 0.2 },
  text: { color: "currentColor" },
  // A theme of vega-embed, such as JupyterLab's dark one, colors titles by name, which comes before their style.
  title: { color: "currentColor", subtitleColor: "currentColor" },
  style: { "guide-label": ink, "guide-title": ink, "group-title": ink, "group-subtitle": ink },
};

/** With more rows, thousands of elements would make the page slow; such a chart stays on a canvas. */
const mostRows = 10_000;

/**
 * The spec with a word to vega-embed, which JupyterLab draws charts with: draw elements, not pixels, in the color of the
 * text around them. Such a chart follows when the page's theme changes after it was drawn, and needs no script for it.
 *
 * A spec that sets a background or tells vega-embed something itself is left as it is.
 *
 * @see https://github.com/vega/vega-embed, `usermeta.embedOptions`
 */
export function followingTheme(spec: VegaLiteSpec): VegaLiteSpec {
  const own = spec["config"] as { readonly background?: unknown } | undefined;
  const decided = "background" in spec || "usermeta" in spec || own?.background !== undefined;
  if (decided || dataRows(spec) > mostRows) return spec;
  return { ...spec, usermeta: { embedOptions: { renderer: "svg", config } } };
}

/** The rows of data in a spec, those of its layers and panels included. */
function dataRows(part: unknown): number {
  if (typeof part !== "object" || part === null) return 0;
  const { data, layer, vconcat, hconcat } = part as Readonly<Record<string, unknown>>;
  const values = (data as { values?: unknown } | undefined)?.values;
  const below = [layer, vconcat, hconcat].flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : []));
  return below.reduce<number>((sum, one) => sum + dataRows(one), Array.isArray(values) ? values.length : 0);
}
