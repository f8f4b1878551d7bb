"use strict";
// The pages that are read and not run: every README and all of docs/, as HTML, whose links stay in the site.

const fs = require("fs");
const path = require("path");
const MarkdownIt = require("markdown-it");
const { page, titleOf } = require("./page.cjs");

/** site/src/page/links.ts leads to the same files. */
const isRead = (name) => /^docs\/.+\.md$|(^|\/)README\.md$/.test(name);

function* walk(folder, below = "") {
  for (const entry of fs.readdirSync(path.join(folder, below), { withFileTypes: true })) {
    const name = below ? below + "/" + entry.name : entry.name;
    if (entry.isDirectory()) yield* walk(folder, name);
    else yield name;
  }
}

/** A path as part of an address, also of a query. */
const encoded = (name) => name.split("/").map(encodeURIComponent).join("/");

/** A "%" in a name may stand for itself. */
function decoded(address) {
  try {
    return decodeURIComponent(address);
  } catch (_noEscape) {
    return address;
  }
}

/** The address, below the site's, of a file of the contents; undefined where the site has none. */
function addressOf(contents, name) {
  const file = path.join(contents, ...name.split("/"));
  if (!fs.existsSync(file)) return undefined;
  if (fs.statSync(file).isDirectory()) return "lab/index.html";
  if (isRead(name)) return "read/" + encoded(name.replace(/\.md$/, ".html"));
  if (name.endsWith(".ipynb")) return "notebooks/index.html?path=" + encoded(name);
  return "files/" + encoded(name);
}

/** Target of a link of the file `name`; undefined if it leads out of the site. */
function linkOf(contents, name, href) {
  if (/^[a-z][a-z\d+.-]*:/i.test(href) || href.startsWith("#")) return href;
  const [, target, hash] = /^([^#]*)(.*)$/.exec(href);
  const to = path.posix.normalize(path.posix.join(path.posix.dirname(name), decoded(target)));
  const address = addressOf(contents, to.replace(/\/$/, ""));
  // read/ lies one folder deeper than the file's own.
  const up = "../".repeat(name.split("/").length);
  return address === undefined ? undefined : up + address + hash;
}

/** An anchor as code hosts make it of a heading. */
const anchorOf = (text) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replace(/\s/g, "-");

function renderer(contents, name) {
  const md = new MarkdownIt({ html: false, linkify: false });
  md.core.ruler.push("site", ({ tokens }) => {
    for (const [i, token] of tokens.entries()) {
      if (token.type === "heading_open") token.attrSet("id", anchorOf(tokens[i + 1].content));
      const open = [];
      for (const child of token.children ?? []) {
        if (child.type === "image") child.attrSet("src", linkOf(contents, name, child.attrGet("src")) ?? "");
        if (child.type === "link_open") {
          const href = linkOf(contents, name, child.attrGet("href"));
          if (href !== undefined) child.attrSet("href", href);
          // A link to what the site does not have is its text.
          else Object.assign(child, { type: "text", tag: "", nesting: 0, content: "", attrs: null });
          open.push(href !== undefined);
        }
        if (child.type === "link_close" && !open.pop())
          Object.assign(child, { type: "text", tag: "", nesting: 0, content: "" });
      }
    }
  });
  return md;
}

function pageOf(contents, name) {
  const text = fs.readFileSync(path.join(contents, name), "utf8").replace(/<!--[^]*?-->\n?/g, "");
  const up = "../".repeat(name.split("/").length);
  return page({
    title: titleOf(text, name),
    up,
    main: `<main class="read">
<p><a href="${up}index.html">The course</a> · <a href="${up}read/docs/README.html">Documentation</a></p>
${renderer(contents, name).render(text)}
</main>`,
  });
}

/** Writes the pages into the built site. */
function writeReading(contents, out) {
  for (const name of walk(contents)) {
    if (!isRead(name)) continue;
    const file = path.join(out, "read", name.replace(/\.md$/, ".html"));
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, pageOf(contents, name));
  }
}

module.exports = { linkOf: linkOf, writeReading: writeReading };
