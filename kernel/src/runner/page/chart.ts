import type { Config, TopLevelSpec } from "vega-lite";
import { measureByLetters } from "./letters.js";

export const vegaLiteMime = /^application\/vnd\.vegalite\.v[345]\+json$/;
export const vegaMime = /^application\/vnd\.vega\.v5\+json$/;

const ink = { fill: "currentColor" };

/** Text and axes take the color of the page's text, so that one drawing is readable in light and dark themes. */
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

/** A mark whose link is refused is drawn without one. */
const noLink: { href: string } = { href: null as never };

/** Links and pictures of the web, and those within a page or beside it. */
const isHarmless = (uri: unknown): uri is string =>
  typeof uri === "string" && /^(?:https?:|mailto:|data:image\/|(?![^/?#]*:))/i.test(uri.trim());

/**
 * Draws a Vega or Vega-Lite specification as SVG. It must contain its data, as nothing is loaded. `page` takes the color of
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
  const sanitize = loader.sanitize.bind(loader);
  // Vega's own answer to a link that it refuses is a rejection that it forgets to handle, which would end the whole run.
  loader.sanitize = async (uri: unknown, options) =>
    isHarmless(uri) ? sanitize(uri, options).catch(() => noLink) : noLink;
  const view = new vega.View(vega.parse(compiled), { renderer: "none", loader, logLevel: vega.Error });
  try {
    return await view.toSVG();
  } finally {
    view.finalize();
  }
}
