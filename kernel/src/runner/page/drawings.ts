import { escapeHtml, textOfHtml } from "../../display/html.js";
import { svgXml } from "../../display/svg.js";

/** Replaces the drawings within HTML by images: an image cannot run scripts, whatever it contains, so no sanitizer need look inside. */
export function drawingsAsImages(html: string): string {
  let result = "";
  let depth = 0;
  let start = 0;
  let copied = 0;
  for (const { 0: tag, index } of html.matchAll(/<svg(?=[\s>/])|<\/svg\s*>/gi)) {
    if (!tag.startsWith("</")) {
      if (depth++ === 0) start = index;
    } else if (depth > 0 && --depth === 0) {
      const end = index + tag.length;
      result += html.slice(copied, start) + imageOf(html.slice(start, end));
      copied = end;
    }
  }
  return result + html.slice(copied);
}

const longestAlt = 200;

function altText(svg: string): string {
  const text = textOfHtml(svg.replace(/></g, "> <")).replace(/\s+/g, " ");
  return text === "<HTML>" ? "drawing" : text.slice(0, longestAlt);
}

function imageOf(svg: string): string {
  const xml = svgXml(svg);
  if (xml === undefined) return svg;
  const label = /<svg[^>]*\saria-label="([^"]*)"/.exec(svg)?.[1] ?? escapeHtml(altText(svg));
  const data = Buffer.from(xml).toString("base64");
  return `<img alt="${label}" src="data:image/svg+xml;base64,${data}">`;
}
