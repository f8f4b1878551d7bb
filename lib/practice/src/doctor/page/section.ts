/** A part of the page: a title and its lines; those of a list have a term before them. */
export interface Section {
  readonly title: string;
  readonly lines: readonly (string | readonly [term: string, text: string])[];
  /** SVG that a page of HTML shows above the lines. */
  readonly picture?: string;
}
