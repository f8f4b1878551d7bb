import { escapeHtml } from "../../display/html.js";

const tags = new Set(
  (
    "a abbr b blockquote br caption center code col colgroup dd del details div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 " +
    "hr i img ins kbd li mark meter ol p pre progress q s samp small span strong sub summary sup table tbody td tfoot th " +
    "thead tr u ul var wbr"
  ).split(" "),
);
const attributes = new Set(
  (
    "align alt class colspan dir height high href id lang low max min open optimum rowspan scope span src start style title " +
    "type value width aria-label role"
  ).split(" "),
);
const removedWithContent =
  "script|style|iframe|object|embed|template|noscript|svg|math|textarea|select|title|xmp";

function isSafeUrl(url: string, image: boolean): boolean {
  // Browsers skip control characters and blanks inside a scheme; so must the test.
  const plain = [...url]
    .filter((c) => c > " ")
    .join("")
    .toLowerCase();
  if (image && /^data:image\/(png|gif|jpeg|webp|svg\+xml);base64,/.test(plain)) return true;
  return /^(https?:|mailto:|#)/.test(plain) || !/^[^/?#]*:/.test(plain);
}

/** Plain declarations only: nothing that loads, scripts or leaves the flow of the page. */
function safeStyle(style: string): string {
  return style
    .split(";")
    .filter(
      (rule) =>
        /^\s*[a-z-]+\s*:\s*[#\w\s.,%()-]+$/i.test(rule) &&
        !/url|expression|import|position|behavior/i.test(rule),
    )
    .join(";");
}

function safeAttributes(tag: string, text: string): string {
  let html = "";
  for (const match of text.matchAll(/([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g)) {
    const name = match[1].toLowerCase();
    if (!attributes.has(name)) continue;
    let value = decode(match[2] ?? match[3] ?? match[4] ?? "");
    if ((name === "href" || name === "src") && !isSafeUrl(value, tag === "img" && name === "src")) continue;
    if (name === "style") value = safeStyle(value);
    html += ` ${name}="${escapeHtml(value)}"`;
  }
  return tag === "a" ? `${html} rel="noopener noreferrer"` : html;
}

/** Undoes the entities in which a scheme could hide. */
function decode(value: string): string {
  const named: Record<string, string> = {
    amp: "&",
    lt: "<",
    gt: ">",
    quot: '"',
    apos: "'",
    colon: ":",
    tab: "\t",
    newline: "\n",
  };
  return value.replace(/&(#x[0-9a-f]+|#\d+|[a-z]+);?/gi, (whole, entity: string) => {
    const lower = entity.toLowerCase();
    if (!lower.startsWith("#")) return named[lower] ?? whole;
    const code = lower.startsWith("#x") ? parseInt(lower.slice(2), 16) : Number(lower.slice(1));
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "";
  });
}

/**
 * Rebuilds HTML from an allow list of tags and attributes; every other tag is dropped, scripts and styles with their
 * content. What is written is put together from known parts, never copied, so that odd quoting cannot carry anything over.
 */
export function sanitise(html: string): string {
  const stripped = html
    .replace(/<!--[\s\S]*?(-->|$)/g, "")
    .replace(new RegExp(`<(${removedWithContent})\\b[\\s\\S]*?(</\\1\\s*>|$)`, "gi"), "");
  let out = "";
  let at = 0;
  for (const match of stripped.matchAll(/<(\/?)([a-zA-Z][a-zA-Z0-9]*)((?:"[^"]*"|'[^']*'|[^'">])*)>/g)) {
    out += escapeText(stripped.slice(at, match.index));
    at = match.index! + match[0].length;
    const tag = match[2].toLowerCase();
    if (!tags.has(tag)) continue;
    out += match[1] ? `</${tag}>` : `<${tag}${safeAttributes(tag, match[3])}>`;
  }
  return out + escapeText(stripped.slice(at));
}

/** Text between tags keeps its entities; what could open a tag is escaped. */
function escapeText(text: string): string {
  return text
    .replace(/&(?!(?:[a-zA-Z]+|#\d+|#x[0-9a-fA-F]+);)/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;");
}
