import { createHash } from "node:crypto";
import type { MimeBundle } from "../protocol/message.js";
import type { NbformatOutput } from "../protocol/outputs.js";
import { escapeHtml } from "../display/html.js";
import type { Cell, Notebook } from "./notebook.js";
import { chartToSvg, vegaLiteMime, vegaMime } from "./page/chart.js";

export const pictureMime = "image/svg+xml";

/**
 * Adds a picture (SVG) to each Vega and Vega-Lite chart of a notebook.
 *
 * Viewers that run no scripts, such as code hosts, nbviewer and nbconvert, show the picture; JupyterLab still draws the
 * specification. Equal charts get equal pictures, to the byte. A chart that cannot be drawn stays as it is.
 */
export async function withPictures(notebook: Notebook): Promise<Notebook> {
  const cells: Cell[] = [];
  for (const cell of notebook.cells) {
    const outputs: NbformatOutput[] = [];
    for (const output of cell.outputs ?? []) outputs.push(await withPicture(output));
    cells.push(cell.outputs ? { ...cell, outputs } : cell);
  }
  return { ...notebook, cells };
}

async function withPicture(output: NbformatOutput): Promise<NbformatOutput> {
  if (!("data" in output)) return output;
  const mime = Object.keys(output.data).find((name) => vegaLiteMime.test(name) || vegaMime.test(name));
  if (mime === undefined) return output;
  const svg = await picture(output.data[mime], mime).catch(() => undefined);
  if (svg === undefined) return output;
  const data: MimeBundle = { ...output.data, [pictureMime]: svg };
  return { ...output, data };
}

/** A chart as SVG on white, as a viewer's background is unknown, and a third smaller than Vega writes it. */
async function picture(spec: unknown, mime: string): Promise<string> {
  const described = (spec as { description?: unknown }).description;
  const label = typeof described === "string" ? ` role="img" aria-label="${escapeHtml(described)}"` : "";
  // Vega marks the rows of its data.
  const drawn = await chartToSvg(structuredClone(spec), mime, "print");
  return ownIds(slim(drawn)).replace(/^<svg/, `<svg${label}`);
}

/** Removes what only scripts and screen readers of single marks use, and digits below a hundredth of a pixel. */
function slim(svg: string): string {
  return svg
    .replace(/(<[a-z]+)((?: [\w:-]+="[^"]*")*)/g, (_, tag: string, attributes: string) => {
      const kept = attributes.replace(/ (?:aria-[a-z]+|role|class|pointer-events)="[^"]*"/g, "");
      return tag + kept.replace(/(\.\d\d)\d+/g, "$1");
    })
    .replaceAll('<path d="M0,0h0v0h0Z"/>', "")
    .replaceAll('<path d="" display="none"/>', "");
}

/** Gives clips and gradients names that no other picture of the page has, as pages put pictures inline. */
function ownIds(svg: string): string {
  const names = [...svg.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  const renamed = (prefix: string): string =>
    svg.replace(/ id="([^"]+)"|url\(#([^)]+)\)/g, (whole, id?: string, used?: string) => {
      const at = names.indexOf(id ?? used ?? "");
      if (at < 0) return whole;
      return id === undefined ? `url(#${prefix}${String(at)})` : ` id="${prefix}${String(at)}"`;
    });
  if (names.length === 0) return svg;
  const key = createHash("sha256").update(renamed("")).digest("hex").slice(0, 8);
  return renamed(`p${key}-`);
}
