import assert from "node:assert/strict";
import fc from "fast-check";
import type { NbformatOutput } from "turnwise-kernel";
import { ansiToHtml } from "turnwise-kernel/dist/runner/page/ansi.js";
import { highlight } from "turnwise-kernel/dist/runner/page/highlight.js";
import { markdownToHtml } from "turnwise-kernel/dist/runner/page/markdown.js";
import { notebookToHtml } from "turnwise-kernel/dist/runner/page/page.js";
import { sanitize } from "turnwise-kernel/dist/runner/page/sanitize.js";
import { code, markdown, notebookOf } from "../support/notebook.js";

const textOf = (html: string): string =>
  html
    .replace(/<[^>]*>/g, "")
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, "&");

async function pageWith(...outputs: NbformatOutput[]): Promise<string> {
  const cell = code("run()");
  cell.outputs = outputs;
  return notebookToHtml(notebookOf(markdown("# Title of it"), cell), "fallback");
}

const display = (data: Record<string, unknown>): NbformatOutput => ({
  output_type: "display_data",
  data,
  metadata: {},
});

describe("sanitizing HTML", () => {
  it("keeps tables, styles of text and links", () => {
    const html =
      '<table class="t"><tr><td colspan="2" style="text-align: right">1 &lt; 2</td></tr></table><a href="https://e.org/?a=1&amp;b=2">x</a>';
    assert.equal(
      sanitize(html),
      html.replace("<a href", "<a href").replace('b=2">', 'b=2" rel="noopener noreferrer">'),
    );
  });

  const attacks: [string, string][] = [
    ["a script", "<script>alert(1)</script>x"],
    ["a script that is never closed", "x<script>alert(1)"],
    ["a handler", '<img src="a.png" onerror="alert(1)">'],
    ["a handler after odd quoting", `<img alt="'" onerror='alert(1)' title="'>`],
    ["a script address", '<a href="javascript:alert(1)">x</a>'],
    ["a script address in entities", '<a href="jav&#x09;ascript&colon;alert(1)">x</a>'],
    ["a script address with control characters", '<a href="\u0001java\nscript:alert(1)">x</a>'],
    ["a data address as link", '<a href="data:text/html;base64,PHNjcmlwdD4=">x</a>'],
    ["a frame", '<iframe src="https://e.org"></iframe>'],
    ["a drawing with a handler", '<svg onload="alert(1)"><circle/></svg>'],
    ["a style that loads", '<p style="background: url(https://e.org/x)">x</p>'],
    ["a style element", "<style>@import 'https://e.org'</style>"],
    ["a tag inside a tag", "<<script>script>alert(1)<</script>/script>"],
    ["a comment that hides", "<!--><img src=x onerror=alert(1)>-->"],
    ["a form", '<form action="https://e.org"><input autofocus onfocus="alert(1)"></form>'],
    ["a base address", '<base href="https://e.org/">'],
    [
      "a tag that hides in MathML",
      '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
    ],
    ["a tag that hides in SVG", '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">'],
    ["a tag that hides in noscript", '<noscript><p title="</noscript><img src=x onerror=alert(1)>">'],
    ["a tag that hides in a title", '<title><a title="</title><img src=x onerror=alert(1)>"></title>'],
    ["a tag that hides in plain text", "<xmp><p title='</xmp><img src=x onerror=alert(1)>'></xmp>"],
    ["a tag that is never closed", "<img src=x onerror=alert(1) "],
    ["a handler behind a slash", "<img/src=x/onerror=alert(1)>"],
    ["a handler behind a form feed", "<b\fonclick=alert(1)>x</b>"],
    ["a second attribute of one name", '<a href="https://e.org" href="javascript:alert(1)">x</a>'],
    ["a script address in capitals", '<a href=" JaVaScRiPt:alert(1)">x</a>'],
    ["another kind of script address", '<a href="vbscript:msgbox(1)">x</a>'],
    ["a data address as image", '<img src="data:text/html,<script>alert(1)</script>">'],
    ["a source set", '<img srcset="javascript:alert(1) 1x" src="a.png">'],
    ["a style that loads, escaped", '<p style="background: \\75rl(https://e.org/x)">x</p>'],
    ["a style behind a comment", '<p style="a:b;/**/background:url(//e.org)">x</p>'],
    ["an unknown namespace", '<x:script xmlns:x="http://www.w3.org/1999/xhtml">alert(1)</x:script>'],
    ["a null byte in a tag", "<scr\0ipt>alert(1)</scr\0ipt>"],
    ["a refresh", '<meta http-equiv="refresh" content="0; url=https://e.org">'],
  ];
  for (const [what, html] of attacks) {
    it(`takes the harm out of ${what}`, () => {
      const result = sanitize(html);
      assert.doesNotMatch(result, /<(script|style|iframe|svg|form|input|base|meta|object|embed)/i);
      const tags = result.match(/<[^>]*>/g) ?? [];
      for (const tag of tags) assert.doesNotMatch(tag, /\son\w+\s*=|javascript|url\(|data:text/i, result);
    });
  }

  it("never lets an unlisted tag through, and is idempotent, on any mixture of pieces of HTML", () => {
    const piece = fc.constantFrom(
      "<",
      ">",
      '"',
      "'",
      "=",
      " ",
      "/",
      "<b",
      "<img ",
      "<script",
      "</script>",
      "onerror",
      "src",
      "javascript:",
      "<!--",
      "-->",
      "&lt;",
      "&",
      "x",
      "<a href=",
      "<svg",
      "<style>",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 25 }), (pieces) => {
        const result = sanitize(pieces.join(""));
        for (const tag of result.match(/<\/?([a-z0-9]+)/gi) ?? []) assert.match(tag, /^<\/?(b|img|a|x)$/i);
        for (const tag of result.match(/<[^>]*>/g) ?? []) assert.doesNotMatch(tag, /onerror\s*=/);
        assert.equal(sanitize(result), result);
      }),
      { numRuns: 500 },
    );
  });
});

describe("terminal text on a page", () => {
  it("turns colors into classes and escapes the rest", () => {
    assert.equal(
      ansiToHtml("\x1b[1;31m<b>\x1b[0m & \x1b[32mok"),
      '<span class="ansi-bold ansi-fg-red">&lt;b&gt;</span> &amp; <span class="ansi-fg-green">ok</span>',
    );
  });

  it("drops cursor movement and titles, and shows a bar's last state", () => {
    assert.equal(ansiToHtml("\x1b[2Ka\x1b]0;title\x07b"), "ab");
    // A title ends with BEL or with ESC \\; one without an end is dropped no further than its two signs.
    assert.equal(ansiToHtml("\x1b]0;title\x1b\\b\x1b]c"), "bc");
    assert.equal(ansiToHtml("10 %\r50 %\r100 %\nend\r\n"), "100 %\nend\n");
  });

  it("is read once, however many sequences have no end, or line ends no line", () => {
    // Were each of them looked for to the end of the text, this would take an hour.
    assert.equal(ansiToHtml("\x1b]".repeat(1_000_000) + "a"), "a");
    assert.equal(ansiToHtml("\r".repeat(1_000_000) + "a"), "a");
    assert.equal(ansiToHtml("a" + "\r".repeat(1_000_000)), "a");
    assert.equal(ansiToHtml("\x1b[".repeat(300_000) + "1;".repeat(300_000) + "a").length > 0, true);
  });
});

describe("highlighted source", () => {
  it("marks keywords, strings, numbers and comments, across lines", () => {
    assert.equal(
      highlight("const a = 1; // <x>\n/* two\nlines */ `t`"),
      '<span class="keyword">const</span> a = <span class="number">1</span>; <span class="comment">// &lt;x&gt;</span>\n' +
        '<span class="comment">/* two</span>\n<span class="comment">lines */</span> <span class="string">`t`</span>',
    );
  });

  it("loses no character of any source", () => {
    fc.assert(
      fc.property(fc.string(), (source) => {
        assert.equal(textOf(highlight(source)), source);
      }),
    );
  });
});

describe("Markdown on a page", () => {
  it("draws formulas as MathML, in a line and on their own", () => {
    const html = markdownToHtml("The ratio $r_t = \\pi/\\mu$ and\n\n$$\\sum_t r_t$$\n\nfor $5 and $6.");
    assert.equal(html.match(/<math/g)?.length, 2);
    assert.match(html, /display="block"/);
    assert.match(html, /for \$5 and \$6\./);
  });

  it("shows the source of a formula that cannot be parsed", () => {
    assert.match(markdownToHtml("$\\frac{1$"), /\\frac\{1/);
  });

  it("lets harmless HTML through, but no script", () => {
    const html = markdownToHtml(
      "<details><summary>Solution</summary>\n\n**yes**\n\n</details>\n<script>alert(1)</script>",
    );
    assert.match(html, /<details><summary>Solution<\/summary>[\s\S]*<strong>yes<\/strong>[\s\S]*<\/details>/);
    assert.doesNotMatch(html, /script/);
    assert.doesNotMatch(markdownToHtml("[x](javascript:alert(1))"), /href/);
  });

  it("sanitizes Markdown as a whole: tags that open in one place and close in another stay together", () => {
    assert.match(markdownToHtml("a <b>bold *and\nmore*</b> c"), /<b>bold <em>and\nmore<\/em><\/b> c/);
    // A tag that is left open ends with its cell.
    assert.equal(markdownToHtml("<details>\n\nx"), "<details>\n<p>x</p>\n</details>");
    const hidden = markdownToHtml('<b title="\n\n<img src=x onerror=alert(1)>">x</b>');
    for (const tag of hidden.match(/<[^>]*>/g) ?? []) assert.doesNotMatch(tag, /onerror/);
  });

  it("does not mistake text for one of the page's own formulas", () => {
    assert.equal(markdownToHtml("\uE0000\uE001 and \uE0007\uE001"), "<p>0 and 7</p>\n");
    assert.doesNotMatch(markdownToHtml("$a$ \uE0000\uE001").replace(/<math[\s\S]*?<\/math>/, ""), /<math/);
  });

  it("gives headings ids and marks TypeScript blocks", () => {
    assert.match(markdownToHtml("## Two words"), /<h2 id="Two-words">/);
    assert.match(markdownToHtml("```ts\nlet a\n```"), /<span class="keyword">let<\/span>/);
  });
});

describe("the page of a notebook", () => {
  it("says in words where controls stand, which a page cannot have", async () => {
    const view = { version_major: 2, version_minor: 0, model_id: "1" };
    const html = await pageWith(
      display({ "application/vnd.jupyter.widget-view+json": view, "text/plain": "VBox({})" }),
    );
    assert.match(html, /Controls stand here while the notebook runs/);
    assert.doesNotMatch(html, /VBox/);
  });

  it("is complete in itself: no script, nothing loaded, a title from the first heading", async () => {
    const html = await pageWith(display({ "text/html": "<b>x</b>", "text/plain": "x" }));
    assert.match(html, /<title>Title of it<\/title>/);
    assert.match(html, /default-src 'none'/);
    assert.doesNotMatch(html, /<script|<link|src="https?:/);
    assert.match(html, /prefers-color-scheme: dark/);
  });

  it("draws a Vega-Lite chart as SVG whose text takes the page's color, described for screen readers", async () => {
    const spec = {
      $schema: "https://vega.github.io/schema/vega-lite/v5.json",
      description: "Return by update",
      data: {
        values: [
          { x: 1, y: 2 },
          { x: 2, y: 3 },
        ],
      },
      mark: "line",
      encoding: {
        x: { field: "x", type: "quantitative", title: "update <x>" },
        y: { field: "y", type: "quantitative" },
      },
    };
    const html = await pageWith(display({ "application/vnd.vegalite.v5+json": spec, "text/plain": "chart" }));
    const svg = /<figure aria-label="Return by update">(<svg[\s\S]*<\/svg>)<\/figure>/.exec(html)?.[1] ?? "";
    assert.match(svg, /<path[^>]* d="M/);
    assert.match(svg, /fill="currentColor"[^>]*>update &lt;x&gt;</);
    assert.doesNotMatch(svg, /fill="(white|#fff|#ffffff)"/);
  });

  it("says why a chart cannot be drawn, and shows its text instead", async () => {
    const url = {
      $schema: "https://vega.github.io/schema/vega-lite/v5.json",
      data: { url: "file:///etc/passwd" },
      mark: "bar",
    };
    const loaded = await pageWith(
      display({ "application/vnd.vegalite.v5+json": url, "text/plain": "the text" }),
    );
    assert.doesNotMatch(loaded, /root:/);
    const wrong = await pageWith(
      display({ "application/vnd.vegalite.v5+json": { mark: 3 }, "text/plain": "the text" }),
    );
    assert.match(wrong, /Cannot draw this chart: [\s\S]*<pre>the text<\/pre>/);
  });

  it("escapes what cells print, and puts SVG where it cannot run", async () => {
    const evil = "<script>alert(1)</script>";
    const html = await pageWith(
      { output_type: "stream", name: "stdout", text: evil },
      { output_type: "error", ename: evil, evalue: evil, traceback: [evil] },
      display({ "text/plain": evil }),
      display({
        "image/svg+xml": `<svg xmlns="http://www.w3.org/2000/svg">${evil}</svg>`,
        "text/plain": '"><img src=x onerror=alert(1)>',
      }),
      display({ "image/png": '"><script>alert(1)</script>', "text/plain": "p" }),
    );
    assert.doesNotMatch(html, /<script/);
    assert.doesNotMatch(html, /<img src=x/);
    assert.equal(html.match(/src="data:image\/svg\+xml;base64,/g)?.length, 1);
  });

  it("shows the drawings within HTML as images, nested ones as one, and harms nothing around them", async () => {
    const chart = '<svg width="9"><svg><text>a &amp; "b"</text></svg><a xlink:href="#x"></a></svg>';
    const html = await pageWith(
      display({
        "text/html": `<figure><h2>T</h2>${chart}<figcaption>c</figcaption></figure><svg>open`,
        "text/plain": "",
      }),
    );
    const xml =
      '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="9">' +
      chart.slice(15);
    const image = `<img alt="a &amp; &quot;b&quot;" src="data:image/svg+xml;base64,${Buffer.from(xml).toString("base64")}" />`;
    assert.ok(
      html.includes(`<figure><h2>T</h2>${image}<figcaption>c</figcaption></figure>`),
      html.slice(-2_000),
    );
    assert.doesNotMatch(html, /<svg|open/);
  });
});
