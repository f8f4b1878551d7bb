import type { MimeBundle } from "../../protocol/message.js";
import type { NbformatOutput } from "../../protocol/outputs.js";
import { ansiToHtml } from "./ansi.js";
import { chartToSvg, vegaLiteMime, vegaMime } from "./chart.js";
import { escapeHtml } from "../../display/html.js";
import { drawingsAsImages } from "./drawings.js";
import { markdownToHtml } from "./markdown.js";
import { sanitize } from "./sanitize.js";

const widgetMime = "application/vnd.jupyter.widget-view+json";

function altText(bundle: MimeBundle): string {
  const plain = bundle["text/plain"];
  return typeof plain === "string" ? plain : "output of the cell";
}

function image(mime: string, base64: string, bundle: MimeBundle): string {
  return `<img alt="${escapeHtml(altText(bundle))}" src="data:${mime};base64,${escapeHtml(base64.replace(/\s/g, ""))}">`;
}

/** An SVG inside an img element cannot run scripts, whatever it contains. */
function svgImage(source: string, bundle: MimeBundle): string {
  return image("image/svg+xml", Buffer.from(source).toString("base64"), bundle);
}

async function chart(spec: unknown, mime: string, bundle: MimeBundle): Promise<string> {
  try {
    const described = (spec as { description?: unknown }).description;
    const label = typeof described === "string" ? described : altText(bundle);
    return `<figure aria-label="${escapeHtml(label)}">${await chartToSvg(spec, mime)}</figure>`;
  } catch (error) {
    const why = `<p class="note">Cannot draw this chart: ${escapeHtml((error as Error).message)}</p>`;
    return why + plain(bundle);
  }
}

function plain(bundle: MimeBundle): string {
  const text = bundle["text/plain"];
  return typeof text === "string" ? `<pre>${ansiToHtml(text)}</pre>` : "";
}

/** The richest representation that a static page can show safely. */
async function bundleToHtml(bundle: MimeBundle): Promise<string> {
  const mime = Object.keys(bundle).find((name) => vegaLiteMime.test(name) || vegaMime.test(name));
  if (mime) return chart(bundle[mime], mime, bundle);
  const text = (name: string): string | undefined =>
    typeof bundle[name] === "string" ? (bundle[name] as string) : undefined;
  const svg = text("image/svg+xml");
  if (svg !== undefined) return svgImage(svg, bundle);
  for (const name of ["image/png", "image/jpeg", "image/gif", "image/webp"]) {
    const data = text(name);
    if (data !== undefined) return image(name, data, bundle);
  }
  const html = text("text/html");
  if (html !== undefined) return sanitize(drawingsAsImages(html));
  const markdown = text("text/markdown");
  if (markdown !== undefined) return `<div class="markdown">${markdownToHtml(markdown)}</div>`;
  const latex = text("text/latex");
  if (latex !== undefined) return `<div class="markdown">${markdownToHtml(latex)}</div>`;
  if (widgetMime in bundle) return `<p class="note">Controls stand here while the notebook runs.</p>`;
  return plain(bundle);
}

export async function outputToHtml(output: NbformatOutput): Promise<string> {
  switch (output.output_type) {
    case "stream":
      return `<div class="output ${output.name === "stderr" ? "stderr" : "stdout"}"><pre>${ansiToHtml(output.text)}</pre></div>`;
    case "error": {
      const trace =
        output.traceback.length > 0 ? output.traceback.join("\n") : `${output.ename}: ${output.evalue}`;
      return `<div class="output error" role="alert"><pre>${ansiToHtml(trace)}</pre></div>`;
    }
    default:
      return `<div class="output">${await bundleToHtml(output.data)}</div>`;
  }
}
