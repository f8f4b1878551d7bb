import sanitizeHtml from "sanitize-html";

const allowedTags = (
  "a abbr b blockquote br caption center code col colgroup dd del details div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 " +
  "hr i img ins kbd li mark meter ol p pre progress q s samp small span strong sub summary sup table tbody td tfoot th " +
  "thead tr u ul var wbr"
).split(" ");
const allowedAttributes = (
  "align alt class colspan dir height high href id lang low max min open optimum rowspan scope span src start style title " +
  "type value width aria-label rel role"
).split(" ");
const removedWithContent = (
  "script style iframe object embed template noscript noembed noframes svg math textarea select option title xmp " +
  "plaintext"
).split(" ");
const imageData = /^data:image\/(png|gif|jpeg|webp|svg\+xml);base64,/i;

/** Keeps plain declarations: nothing that loads, runs scripts or leaves the flow of the page. */
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

const options: sanitizeHtml.IOptions = {
  allowedTags,
  allowedAttributes: { "*": allowedAttributes },
  nonTextTags: removedWithContent,
  allowedSchemes: ["http", "https", "mailto"],
  allowedSchemesByTag: { img: ["http", "https", "data"] },
  // Styles are filtered below: the sanitizer's own filter needs a list of every allowed property.
  parseStyleAttributes: false,
  transformTags: {
    "*": (tagName, attribs) => {
      const kept = { ...attribs };
      if (kept.style !== undefined) kept.style = safeStyle(kept.style);
      if (tagName === "a") kept.rel = "noopener noreferrer";
      if (/^\s*data:/i.test(kept.src ?? "") && !imageData.test(kept.src!)) delete kept.src;
      return { tagName, attribs: kept };
    },
  },
};

/**
 * Removes everything from HTML except the listed tags and attributes; scripts, styles and drawings go with their content.
 *
 * Pass a whole document: tags that are left open are closed at the end.
 */
export function sanitize(html: string): string {
  return sanitizeHtml(html, options);
}
