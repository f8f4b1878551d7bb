import type { ContentsModel, Drive } from "./contents.js";
import { untrusted } from "./trust.js";

/** Request to save: an open document, a file, or a part of one. */
interface Saving {
  readonly type?: string;
  readonly format?: string | null;
  /** The number of a part, from 1; -1 for the last one. */
  readonly chunk?: number;
}

/** Whether a page has saved it from an open notebook: that is saved as JSON, and all else comes as a file. */
const isOfPage = ({ type, format }: Saving): boolean => type === "notebook" && format === "json";

/**
 * Drops the marks of notebooks that are uploaded as soon as all of the file is there, and those of whatever else is read as a notebook: a
 * file gets another name, or its address says how to open it, long after it was uploaded.
 */
export function distrustUploads(drive: Drive): void {
  const save = drive.save.bind(drive);
  drive.save = async (path, o) => {
    const saved = await save(path, o);
    const { chunk = -1 } = o as Saving;
    if (!path.endsWith(".ipynb") || isOfPage(o as Saving) || chunk !== -1) return saved;
    const { content } = (await drive.get(path, { content: true })) as ContentsModel;
    const kept = untrusted(content);
    return kept === content ? saved : save(path, { type: "notebook", format: "json", content: kept });
  };
  const get = drive.get.bind(drive);
  drive.get = async (path, o) => {
    const model = await get(path, o);
    const content = untrusted(model.content);
    if (content === model.content) return model;
    const stored = await (await drive.storage).getItem(decodeURIComponent(path.replace(/^\//, "")));
    // What is not stored in the browser is the site's own.
    return stored === null || isOfPage(stored) ? model : { ...model, content };
  };
}
