"use strict";
// A picture for each lesson of the front page: a figure that its notebook stores, in the colors of the reader's theme.

const { joined } = require("./course.cjs");

/** The cell whose figure shows best what a lesson finds. */
const chosen = {
  "00-start-here": "loop",
  "01-grpo-from-scratch": "baseline",
  "02-impossibility-theorem": "field",
  "03-update-order-ablation": "ways",
  "04-echo-trap": "14-all",
  "05-off-policy-stability": "51-grains",
  "06-agentic-pomdp": "code-drawonestepormany",
  "07-reward-signal": "code-drawgoodhart-goodhart",
  "08-step-credit": "draw-credit-all",
  "09-search-and-world-models": "61-promise",
  "10-language-model": "takeaway",
  "11-your-own-run": "11-log",
};

const svgOf = (output) => output.data?.["image/svg+xml"];
const vega = "application/vnd.vegalite.v5+json";
const hasFigure = ({ outputs }) => outputs.some(svgOf);

/** The ink of both themes, as the drawings of the library have it. */
const inks = "<style>svg{color:#1a1a1a}@media(prefers-color-scheme:dark){svg{color:#e6e6e6}}</style>";

/** A chart's snapshot is black on white. Its stored spec says how to draw it in the ink of the text around it. */
async function inBothThemes(output) {
  const stored = joined(svgOf(output));
  const spec = output.data[vega];
  const config = spec?.usermeta?.embedOptions?.config;
  if (config === undefined) return stored;
  const { renderSvg } = require("turnwise/internal/plot/renderSvg");
  const { style, ...rest } = config;
  const drawn = await renderSvg({
    ...spec,
    background: "transparent",
    // The page says in words what a picture shows; a label for each of its marks would make it three times as long.
    config: { ...spec.config, ...rest, style: { ...spec.config?.style, ...style }, aria: false },
  });
  return drawn.replace(/^<svg[^>]*>/, (start) => start + inks);
}

/** The picture of a lesson as SVG, and what it shows in words; undefined for a lesson without a figure. */
async function pictureOf(lesson) {
  const { cells } = lesson;
  const cell =
    cells.find((one) => one.id === chosen[lesson.name] && hasFigure(one)) ?? cells.findLast(hasFigure);
  const output = cell?.outputs.find(svgOf);
  if (output === undefined) return undefined;
  const svg = await inBothThemes(output);
  const [, label = ""] = /<svg[^>]* aria-label="([^"]*)"/.exec(joined(svgOf(output))) ?? [];
  // A thumbnail: its title is enough, and the lesson's figure says all its numbers.
  return { svg, alt: label.split(/[.?!:] |[.?!]\. /)[0] };
}

module.exports = { pictureOf };
