import { markup } from "./markup.js";

/** `%%javascript`: JavaScript as it is. */
export const javascript = markup({
  name: "javascript",
  mediaType: "application/javascript",
  about: "Runs the text below it as JavaScript in the page, not in the kernel.",
  more: "A page runs it only if the notebook is trusted. `element` is the output's own element in the page.",
  example: "%%javascript\nelement.textContent = navigator.language;",
});
