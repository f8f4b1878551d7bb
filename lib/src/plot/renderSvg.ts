/**
 * Draws a Vega-Lite specification as an SVG document, without a browser.
 *
 * Vega is loaded on first use: that takes a tenth of a second, and most cells draw nothing.
 */
export async function renderSvg(spec: Readonly<Record<string, unknown>>): Promise<string> {
  const [vega, vegaLite] = await Promise.all([import("vega"), import("vega-lite")]);
  const compiled = vegaLite.compile(spec as unknown as Parameters<typeof vegaLite.compile>[0]).spec;
  const view = new vega.View(vega.parse(compiled), { renderer: "none" });
  try {
    return await view.toSVG();
  } finally {
    view.finalize();
  }
}
