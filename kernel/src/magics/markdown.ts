import { markup } from "./markup.js";

/** `%%markdown`: Markdown as it is. */
export const markdown = markup({
  name: "markdown",
  mediaType: "text/markdown",
  about: "Shows the text below it as Markdown, with formulas between dollar signs.",
  example: "%%markdown\nThe *return* is $\\sum_t r_t$.",
});
