import { displaySymbol, type MimeBundle } from "../base/display";
import { escapeHtml } from "./escapeHtml";
import { saveSvg, type SaveOptions } from "./save";

/** Ink where nobody around the picture sets one: dark on a light page, light on a dark one. */
const ownInk = "<style>svg{color:#1a1a1a}@media(prefers-color-scheme:dark){svg{color:#e6e6e6}}</style>";

/** The size and the content of a drawing, as SVG whose ink is `currentColor`. */
export interface DrawingParts {
  readonly width: number;
  readonly height: number;
  readonly content: string;
  /** Label for screen readers. */
  readonly label: string;
  /** Text for terminals. */
  readonly text: string;
}

/**
 * A picture that displays itself in any kernel that knows `Symbol.for("Jupyter.display")`, and as text in a terminal.
 *
 * Its letters have the color of the text around it and its fills are translucent, so that it suits light and dark pages, also
 * when the theme changes after it was drawn.
 */
export class Drawing {
  /** The picture as an SVG document. */
  readonly svg: string;
  readonly #label: string;
  readonly #text: string;

  constructor({ width, height, content, label, text }: DrawingParts) {
    this.#label = label;
    this.#text = text;
    const size = `width="${String(width)}" height="${String(height)}" viewBox="0 0 ${String(width)} ${String(height)}"`;
    this.svg =
      `<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="${escapeHtml(label)}" ${size} ` +
      `font-family="sans-serif" fill="currentColor" style="max-width:100%;height:auto">${content}</svg>`;
  }

  /** The picture for terminals. */
  toString(): string {
    return this.#text;
  }

  /**
   * Writes the picture to a file, and gives its path: `.svg`, `.png` or `.pdf`.
   *
   * @throws {RangeError} if the path has another ending, or its folder does not exist
   * @example
   * import { drawLoop } from "turnwise/plot";
   * await drawLoop("rule").save("loop.svg"); // => "loop.svg"
   */
  save(path: string, options?: SaveOptions): Promise<string> {
    return saveSvg(this.svg, this.#label, path, options);
  }

  /** MIME bundle that a notebook displays for this object. */
  [displaySymbol](): MimeBundle {
    return {
      "text/html": `<figure style="margin:0">${this.svg}</figure>`,
      "image/svg+xml": this.svg.replace(/^<svg[^>]*>/, (start) => start + ownInk),
      "text/plain": this.#text,
    };
  }
}
