import { markup } from "./markup.js";

/** `%%latex`: LaTeX as it is. */
export const latex = markup({
  name: "latex",
  mediaType: "text/latex",
  about: "Shows the text below it as a formula.",
  example: "%%latex\n$$\\nabla_\\theta J(\\theta)$$",
});
