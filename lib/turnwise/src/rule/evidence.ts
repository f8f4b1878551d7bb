/** Source of a recipe and how far this library's rule departs from it. Tags are explained in `evidence`. */
export interface Citation {
  readonly title: string;
  /** LaTeX, without delimiters. */
  readonly equation: string;
  readonly source: string;
  readonly deviations: readonly string[];
  /** Facts about it that exact computation or the test suite has shown. */
  readonly shown: readonly string[];
}

/** Meaning of the tags in square brackets. */
export const evidence = {
  P: "primary: paper text, official repository or official README",
  "P-copy": "paper text in a near-verbatim copy; formulas cross-checked against official code",
  R: "reviewer or careful third-party reading of the paper",
  S: "secondary note or blog; plausible, not checked against the paper",
  D: "our own derivation or numeric check; no claim of any paper",
  U: "could not be verified",
  std: "textbook standard",
} as const;
