import { markup } from "./markup.js";

/** `%%html`: HTML as it is. */
export const html = markup({
  name: "html",
  mediaType: "text/html",
  about: "Shows the text below it as HTML.",
  example: "%%html\n<b>Return</b> of the last run",
});
