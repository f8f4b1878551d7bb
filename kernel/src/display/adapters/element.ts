import type { MimeBundle } from "../../protocol/message.js";
import { textOfHtml } from "../html.js";
import { svgNamespace, svgXml } from "../svg.js";
import { adapter } from "./contract.js";
import { has, hasMethods, stored } from "./traits.js";

interface Node {
  nodeType?: number;
  outerHTML?: unknown;
  localName?: unknown;
  tagName?: unknown;
  namespaceURI?: unknown;
  childNodes?: ArrayLike<Node>;
  documentElement?: Node | null;
  textContent?: unknown;
  ownerDocument?: { defaultView?: { XMLSerializer?: new () => { serializeToString(node: object): string } } };
}

const types = { element: 1, text: 3, document: 9, fragment: 11 };

export const element = adapter<Node>({
  shows:
    "elements, documents and fragments of any DOM (`jsdom`, `linkedom`, `happy-dom`, `deno-dom`), such as plots of Observable Plot and D3",
  types: ["text/html", "image/svg+xml"],
  fits: (value): value is Node =>
    typeof stored(value, "outerHTML") === "string" ||
    (has(value, "outerHTML") && ["nodeType", "tagName", "localName"].some((name) => has(value, name))) ||
    (has(value, "nodeType", "childNodes") && hasMethods(value, "appendChild")),
  bundle(node) {
    const html = htmlOf(node);
    if (html === undefined) return undefined;
    const name = String(node.localName ?? node.tagName ?? "").toLowerCase();
    const isElement = (node.nodeType ?? types.element) === types.element;
    const isSvg = isElement && (name === "svg" || node.namespaceURI === svgNamespace || /^<svg\b/.test(html));
    return isSvg ? svgBundle(node, html) : { "text/html": html, "text/plain": textOf(html) };
  },
});

function htmlOf(node: Node): string | undefined {
  switch (node.nodeType ?? types.element) {
    case types.element:
      return typeof node.outerHTML === "string" ? node.outerHTML : undefined;
    case types.document:
      return node.documentElement ? htmlOf(node.documentElement) : undefined;
    case types.fragment:
      return Array.from(node.childNodes ?? [], partOf).join("");
    default:
      return undefined;
  }
}

const partOf = (node: Node): string =>
  node.nodeType === types.text
    ? String(node.textContent).replace(/[&<>]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[c]!)
    : (htmlOf(node) ?? "");

/** The text of HTML; the numbers at the axes of its drawings are no text. */
const textOf = (html: string): string => textOfHtml(html.replace(/<svg\b[^]*?<\/svg>/gi, "[SVG image]"));

/** A drawing, as an image for pages that keep drawings out of HTML, and within HTML, where it takes the color of the text. */
function svgBundle(node: Node, html: string): MimeBundle {
  const xml = xmlOf(node) ?? svgXml(html);
  const whole = (part: string): string =>
    /^<svg\b/.test(part) ? part : `<svg xmlns="${svgNamespace}">${part}</svg>`;
  return {
    "text/html": whole(html),
    ...(xml !== undefined && { "image/svg+xml": whole(xml) }),
    "text/plain": `<SVG image>`,
  };
}

/** By the DOM's own serializer, where it has one. */
function xmlOf(node: Node): string | undefined {
  try {
    const Serializer = node.ownerDocument?.defaultView?.XMLSerializer;
    const text = Serializer && new Serializer().serializeToString(node);
    return text !== undefined && /^<[\w:-]+[^>]*\sxmlns=/.test(text) ? text : undefined;
  } catch {
    return undefined;
  }
}
