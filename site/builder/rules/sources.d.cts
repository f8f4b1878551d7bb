/** A source as HTML, with links to its papers and lines of code. */
export function linkedSource(source: string): string;
