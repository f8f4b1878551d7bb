/** Writes the first page, and a page for each lesson, below `out`; `contents` has the folders notebooks/ and docs/. */
export function writePages(root: string, contents: string, out: string): Promise<void>;
