/** The width of a text, in the unit of its size. */
export type TextWidth = (text: string, fontSize: number, bold: boolean) => number;

interface TextItem {
  readonly fontSize?: number;
  readonly fontWeight?: string | number;
}

type Measure = (item: TextItem, text: unknown) => number;

interface TextMetrics {
  width: Measure;
  readonly estimateWidth: Measure;
}

/** Vega measures text by a function of its own module: one drawing after the other. */
let turn: Promise<unknown> = Promise.resolve();

/**
 * Draws a Vega-Lite specification as an SVG document, without a browser.
 *
 * Vega is loaded on first use: that takes a tenth of a second, and most cells draw nothing.
 *
 * @param width measures text where the font is known; without it, widths are estimated
 */
export function renderSvg(spec: Readonly<Record<string, unknown>>, width?: TextWidth): Promise<string> {
  const drawn = turn.then(() => draw(spec, width));
  turn = drawn.catch(() => undefined);
  return drawn;
}

async function draw(spec: Readonly<Record<string, unknown>>, width: TextWidth | undefined): Promise<string> {
  const [vega, vegaLite] = await Promise.all([import("vega"), import("vega-lite")]);
  const compiled = vegaLite.compile(spec as unknown as Parameters<typeof vegaLite.compile>[0]).spec;
  const { textMetrics } = vega as unknown as { textMetrics: TextMetrics };
  const before = textMetrics.width;
  // Whoever else draws with this Vega may have set another measure: a figure looks the same beside them.
  textMetrics.width = width
    ? ({ fontSize = 11, fontWeight }, text) =>
        width(String(text ?? ""), fontSize, fontWeight === "bold" || Number(fontWeight) >= 600)
    : textMetrics.estimateWidth;
  const view = new vega.View(vega.parse(compiled), { renderer: "none" });
  try {
    return await view.toSVG();
  } finally {
    view.finalize();
    textMetrics.width = before;
  }
}
