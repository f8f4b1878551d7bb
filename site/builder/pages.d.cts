/**
 * Writes the first page, a page for each lesson and the pages for teachers below `out`; `contents` has the folders notebooks/ and docs/. The
 * decks for teachers are left out if `decks` is false.
 */
export function writePages(
  root: string,
  contents: string,
  out: string,
  o?: { decks?: boolean },
): Promise<void>;
