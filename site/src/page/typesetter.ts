import { web, type WebElement } from "./web.js";

interface MathScript {
  typeset(element: WebElement): void;
}

const mayHaveFormulas = /\$|\\\(|\\\[|\\begin\{/;

/** `ILatexTypesetter` of JupyterLab, by KaTeX, whose script is smaller than that of its own one, and is loaded by a formula alone. */
export class Typesetter {
  private loaded: Promise<MathScript> | undefined;

  /** @param folder the address of the script, its style and its fonts, with "/" at the end */
  constructor(private readonly folder: string) {}

  async typeset(element: WebElement): Promise<void> {
    if (!mayHaveFormulas.test(element.textContent ?? "")) return;
    try {
      (await (this.loaded ??= this.load())).typeset(element);
    } catch (error) {
      // The next text tries again.
      this.loaded = undefined;
      console.warn(`Formulas are shown as they were written: ${(error as Error).message}`);
    }
  }

  private load(): Promise<MathScript> {
    const style = web.document.createElement("link");
    style.setAttribute("rel", "stylesheet");
    style.href = `${this.folder}katex.min.css`;
    web.document.head.append(style);
    return import(`${this.folder}math.js`) as Promise<MathScript>;
  }
}
