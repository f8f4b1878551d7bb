import renderMathInElement from "katex/contrib/auto-render";

// A script of its own, which the page loads with its first formula.

/** The marks of formulas that JupyterLab's own typesetter knows. */
const delimiters = [
  { left: "$$", right: "$$", display: true },
  { left: "\\[", right: "\\]", display: true },
  { left: "$", right: "$", display: false },
  { left: "\\(", right: "\\)", display: false },
  ...["equation", "align", "alignat", "gather", "CD"].flatMap((name) =>
    [name, `${name}*`].map((one) => ({ left: `\\begin{${one}}`, right: `\\end{${one}}`, display: true })),
  ),
];

/** Typesets the formulas of an element; one that cannot be read stays as it was written. */
export function typeset(element: unknown): void {
  renderMathInElement(element, {
    delimiters,
    throwOnError: false,
    strict: "ignore",
    trust: false,
    maxExpand: 1000,
  });
}
