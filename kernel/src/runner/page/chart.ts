import type { Config, TopLevelSpec } from "vega-lite";
import { measureByLetters } from "./letters.js";

export const vegaLiteMime = /^application\/vnd\.vegalite\.v[345]\+json$/;
export const vegaMime = /^application\/vnd\.vega\.v5\+json$/;

const ink = { fill: "currentColor" };

/** Text and axes take the colour of the page's text, so that one drawing is readable in light and dark themes. */
const config: Config = {
  background: "transparent",
  axis: {
    domainColor: "currentColor",
    tickColor: "currentColor",
    gridColor: "currentColor",
    gridOpacity: 0.15,
  },
  legend: { symbolStrokeColor: "currentColor" },
  view: { stroke: "currentColor", strokeOpacity: 0.2 },
  text: { color: "currentColor" },
  style: {
    "guide-label": ink,
    "guide-title": ink,
    "group-title": ink,
    "group-subtitle": ink,
  },
};

/**
 * Draws a Vega or Vega-Lite specification as SVG. It must contain its data, as nothing is loaded. `page` takes the colour of
 * the text around it, `print` is black on white.
 */
export async function chartToSvg(
  spec: unknown,
  mime: string,
  look: "page" | "print" = "page",
): Promise<string> {
  const [vega, vegaLite] = await Promise.all([import("vega"), import("vega-lite")]);
  measureByLetters(vega);
  const logger = vega.logger(vega.Error);
  const compiled = vegaLiteMime.test(mime)
    ? vegaLite.compile(spec as TopLevelSpec, look === "page" ? { config, logger } : { logger }).spec
    : (spec as import("vega").Spec);
  const loader = vega.loader();
  loader.load = () => Promise.reject(new Error("a chart of a static page must hold its data"));
  const view = new vega.View(vega.parse(compiled), { renderer: "none", loader, logLevel: vega.Error });
  try {
    return await view.toSVG();
  } finally {
    view.finalize();
  }
}
