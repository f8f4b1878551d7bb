import type { ContentsModel, Drive } from "./contents.js";

// Jupyter's server trusts what it has signed; in a page, a cell is trusted that says so itself. What a reader's own page has saved
// may say so; a file that comes from elsewhere may not, or its scripts would run as soon as it is opened.

/** What the contents are asked to save: a document that is open, a file, or a part of one. */
interface Saving {
  readonly type?: string;
  readonly format?: string | null;
  /** The number of a part, from 1; -1 for the last one. */
  readonly chunk?: number;
}

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

/** Drops the marks of notebooks that are uploaded, as soon as all of the file is there. */
export function distrustUploads(drive: Drive): void {
  const save = drive.save.bind(drive);
  drive.save = async (path, o) => {
    const saved = await save(path, o);
    const { type, format, chunk = -1 } = o as Saving;
    // Pages save an open notebook as JSON; all else comes as a file.
    if (!path.endsWith(".ipynb") || (type === "notebook" && format === "json") || chunk !== -1) return saved;
    const { content } = (await drive.get(path, { content: true })) as ContentsModel;
    const kept = untrusted(content);
    return kept === content ? saved : save(path, { type: "notebook", format: "json", content: kept });
  };
}
