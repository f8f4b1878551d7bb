import type { ContentsModel, Drive } from "./contents.js";
import { untrusted } from "./trust.js";

/** What the contents are asked to save: a document that is open, a file, or a part of one. */
interface Saving {
  readonly type?: string;
  readonly format?: string | null;
  /** The number of a part, from 1; -1 for the last one. */
  readonly chunk?: number;
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
