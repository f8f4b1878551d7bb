// Jupyter's server trusts what it has signed; in a page, a cell is trusted that says so itself. What a reader's own page has saved
// may say so; a file that comes from elsewhere may not, or its scripts would run as soon as it is opened.

/** A notebook whose cells do not call themselves trusted; what is no notebook as it is. */
export function untrusted(content: unknown): unknown {
  const { cells } = (content ?? {}) as { cells?: unknown };
  if (!Array.isArray(cells) || !cells.some(isMarked)) return content;
  return { ...(content as object), cells: cells.map(unmarked) };
}

interface Marked {
  readonly metadata: { readonly trusted: unknown };
}

const isMarked = (cell: unknown): cell is Marked => {
  const metadata = (cell as Partial<Marked> | null)?.metadata;
  return typeof metadata === "object" && metadata !== null && "trusted" in metadata;
};

function unmarked(cell: unknown): unknown {
  if (!isMarked(cell)) return cell;
  const { trusted: _, ...metadata } = cell.metadata;
  return { ...cell, metadata };
}
