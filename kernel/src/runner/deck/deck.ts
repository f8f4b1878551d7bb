import { createHash } from "node:crypto";
import { escapeHtml } from "../../display/html.js";
import type { NbformatOutput } from "../../protocol/outputs.js";
import { highlight } from "../page/highlight.js";
import { markdownToHtml } from "../page/markdown.js";
import { outputToHtml } from "../page/output.js";
import { pictureMime } from "../pictures.js";
import type { Part, Slide } from "./slides.js";
import { deckStyle } from "./style.js";

/** The stored picture of a chart rather than a new drawing: pictures are apart, so that names in one touch no other. */
function pictureFirst(output: NbformatOutput): NbformatOutput {
  if (!("data" in output) || output.data[pictureMime] === undefined) return output;
  return {
    ...output,
    data: { [pictureMime]: output.data[pictureMime], "text/plain": output.data["text/plain"] },
  };
}

/** Code as large as its longest line allows; a letter of a fixed width takes 0.61 of its height. */
function codeToHtml(code: string): string {
  const columns = Math.max(...code.split("\n").map((line) => line.length));
  const size = Math.min(28, Math.floor(1140 / (0.61 * columns)));
  return `<pre style="font-size: ${String(size)}px"><code>${highlight(code)}</code></pre>`;
}

/**
 * A question with its choices, each with room for the hands that went up. The line at its end is a fragment, so whoever turns to the next
 * slide is first asked to choose.
 */
function predictionToHtml({
  question,
  options,
}: Extract<Part, { prediction: unknown }>["prediction"]): string {
  const choices = options.map(({ letter, text }) => {
    const words = markdownToHtml(`(${letter}) ${text}`).replace(/^\s*<p>|<\/p>\s*$/g, "");
    return (
      `<li><button type="button" aria-pressed="false">${words}</button>` +
      `<input type="number" min="0" max="9999" aria-label="Hands for (${letter})"></li>`
    );
  });
  const list = choices.length > 0 ? `<ul class="choices">${choices.join("")}</ul>` : "";
  const ask =
    choices.length > 0
      ? "Hands up for each choice. The next slide answers."
      : "Say it aloud. The next slide answers.";
  return `<div class="prediction"><div class="markdown">${markdownToHtml(`**Predict.** ${question}`)}</div>${list}<p class="fragment">${ask}</p></div>`;
}

/** Marks the choice of a class, and draws its hands as bars. */
const choosing = `
const goOn = (prediction) => {
  if (!prediction.querySelector(".fragment.visible")) deck.nextFragment();
};
document.addEventListener("click", ({ target }) => {
  const button = target.closest(".choices button");
  if (!button) return;
  for (const one of button.closest(".choices").querySelectorAll("button"))
    one.setAttribute("aria-pressed", String(one === button));
  goOn(button.closest(".prediction"));
});
document.addEventListener("input", ({ target }) => {
  const list = target.closest(".choices");
  if (!list) return;
  const hands = [...list.querySelectorAll("input")].map((input) => Math.max(0, Number(input.value) || 0));
  const all = hands.reduce((sum, n) => sum + n, 0);
  [...list.children].forEach((item, i) => item.style.setProperty("--share", all > 0 ? hands[i] / all : 0));
});
// Else a space on a button would turn the slide.
document.addEventListener("keydown", (event) => {
  const { key, target } = event;
  if (!target.closest(".choices")) return;
  if (key === "Escape" || (key === "Enter" && target.tagName === "INPUT")) {
    goOn(target.closest(".prediction"));
    target.blur();
  }
  if (target.tagName === "INPUT" || [" ", "Enter", "Escape"].includes(key)) event.stopImmediatePropagation();
}, true);`;

async function partToHtml(part: Part): Promise<string> {
  if ("prediction" in part) return predictionToHtml(part.prediction);
  if ("markdown" in part) return `<div class="markdown">${markdownToHtml(part.markdown)}</div>`;
  if ("code" in part) return codeToHtml(part.code);
  if ("fragment" in part) return `<div class="fragment">${await partsToHtml(part.fragment)}</div>`;
  return (await Promise.all(part.outputs.map((output) => outputToHtml(pictureFirst(output))))).join("");
}

async function partsToHtml(parts: readonly Part[]): Promise<string> {
  return (await Promise.all(parts.map(partToHtml))).join("\n");
}

async function slideToHtml({ parts, notes }: Slide): Promise<string> {
  const aside = notes === "" ? "" : `<aside class="notes">${markdownToHtml(notes)}</aside>`;
  return `<section><div class="content">${await partsToHtml(parts)}</div>${aside}</section>`;
}

/**
 * Draws pictures as large as the slide allows, text beside a narrow one, and makes what is still too high smaller, so that
 * nothing is cut off.
 */
const fit = `
const fit = (slide) => {
  const content = slide && slide.querySelector(".content");
  if (!content) return;
  const pictures = [...content.querySelectorAll(".output img")];
  const tall = ({ naturalWidth, naturalHeight }) => (naturalWidth / naturalHeight) * 640 < 780;
  const beside = pictures.length === 1 && tall(pictures[0]) && content.querySelector(".markdown") !== null;
  content.classList.toggle("beside", beside);
  for (const picture of pictures) {
    const scale = Math.min((beside ? 780 : 1200) / picture.naturalWidth, (beside ? 640 : 540) / picture.naturalHeight);
    picture.style.width = Math.round(picture.naturalWidth * scale) + "px";
  }
  const fits = (zoom) => {
    content.style.zoom = zoom;
    return content.getBoundingClientRect().height / deck.getScale() <= 690;
  };
  // A smaller text also breaks into fewer lines, so the right size is looked for.
  if (fits(1)) return;
  let [small, large] = [0.25, 1];
  for (let i = 0; i < 6; i++) {
    const middle = (small + large) / 2;
    if (fits(middle)) small = middle;
    else large = middle;
  }
  content.style.zoom = small;
};
const deck = new Reveal({
  width: 1280, height: 720, margin: 0.02, center: false, hash: true, slideNumber: "c/t", transition: "none",
  controls: true, plugins: [RevealNotes],
});
deck.on("slidechanged", ({ currentSlide }) => fit(currentSlide));
deck.initialize().then(() => fit(deck.getCurrentSlide()));`;

/** The parts of reveal.js that a deck needs, as texts. */
export interface Engine {
  readonly styles: readonly string[];
  readonly scripts: readonly string[];
  /** The script of the presenter's window, which one of the others writes; undefined if it is not known. */
  readonly presenter: string | undefined;
}

/**
 * Only the scripts of a deck run, each known by its hash, whatever its notebook holds, and nothing is loaded from elsewhere: `file:` would let
 * in every file of the disk. The presenter's window has the policy of the deck that opens it, and shows its page; in a page from a disk,
 * only `file:` stands for that in every browser.
 */
function policyOf(scripts: readonly string[]): string {
  const known = scripts.map((text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`);
  return [
    "default-src 'none'",
    `script-src ${known.join(" ")}`,
    "style-src 'unsafe-inline'",
    "frame-src 'self' file:",
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}

/** A script as it may stand in a page: what would end it there, or begin a comment, only stands in texts of it. */
const inPage = (script: string): string =>
  script
    .replace(/\r\n?/g, "\n")
    .replace(/<(?=\/script)/gi, "<\\")
    .replace(/<(?=!--)/g, "<\\");

/** A deck as one page; nothing comes from the network or from other files. */
export async function deckToHtml(slides: readonly Slide[], title: string, engine: Engine): Promise<string> {
  const sections = [];
  for (const slide of slides) sections.push(await slideToHtml(slide));
  const scripts = [...engine.scripts.map(inPage), fit, choosing];
  const allowed = engine.presenter === undefined ? scripts : [...scripts, engine.presenter];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policyOf(allowed)}">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
${[...engine.styles, deckStyle].map((text) => `<style>${text}</style>`).join("\n")}
</head>
<body>
<div class="reveal"><div class="slides">
${sections.join("\n")}
</div></div>
${scripts.map((text) => `<script>${text}</script>`).join("\n")}
</body>
</html>
`;
}

/** The page from which all decks are opened. */
export function deckIndex(decks: readonly { file: string; title: string; slides: number }[]): string {
  const rows = decks.map(
    ({ file, title, slides }) =>
      `<li><a href="${escapeHtml(file)}">${escapeHtml(title)}</a> <small>${String(slides)} slides</small></li>`,
  );
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'">
<title>The course as slides</title><link rel="icon" href="data:,">
<style>body { font: 20px/1.6 system-ui, sans-serif; margin: 3rem auto; max-width: 45rem; padding: 0 1rem; color: #1b1f24; background: #fff; }
small { color: #5a6472; } a { color: #0b5cad; }</style></head>
<body>
<h1>The course as slides</h1>
<ul>${rows.join("\n")}</ul>
<p>In a deck: the arrows turn the slides, <kbd>S</kbd> opens the presenter's window with notes and a clock, <kbd>F</kbd> fills the
screen, <kbd>Esc</kbd> shows all slides.</p>
</body>
</html>
`;
}
