declare module "katex/contrib/auto-render" {
  /** Typesets the formulas in the text of an element of the page. */
  export default function renderMathInElement(element: unknown, options: object): void;
}
