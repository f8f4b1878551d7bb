import fs from "node:fs";
import path from "node:path";
import { Complaint } from "../../bootstrap/steps.cjs";

/** A notebook and the name under which its results are written. */
export interface NotebookFile {
  file: string;
  name: string;
}

/** The notebooks below a folder, without the copies that Jupyter keeps. */
export function notebooksIn(folder: string): string[] {
  return fs
    .readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ipynb") && !name.split(path.sep).some((part) => part.startsWith(".")))
    .sort();
}

/** The notebooks at these paths, in order. */
export function findNotebooks(paths: string[]): NotebookFile[] {
  const files = paths.flatMap((given): NotebookFile[] => {
    const file = path.resolve(given);
    if (!fs.existsSync(file)) throw new Complaint(`Cannot run notebooks: no such file or folder: ${given}`);
    if (!fs.statSync(file).isDirectory()) return [{ file, name: path.basename(file) }];
    return notebooksIn(file).map((name) => ({ file: path.join(file, name), name }));
  });
  if (files.length === 0) {
    throw new Complaint(
      `Cannot run notebooks: there must be at least one .ipynb file, but ${paths.join(", ")} has none.`,
    );
  }
  return toldApart(files);
}

/** Notebooks of one name, a lesson and its appendix, are named by the folder they lie in, so that no page replaces another. */
function toldApart(files: NotebookFile[]): NotebookFile[] {
  const taken = (name: string): number =>
    new Set(files.filter((one) => one.name === name).map(({ file }) => file)).size;
  const folders = files.map(({ file }) => path.dirname(file));
  let common = folders[0]!;
  while (folders.some((folder) => path.relative(common, folder).startsWith("..")))
    common = path.dirname(common);
  return files.map((one) => (taken(one.name) > 1 ? { ...one, name: path.relative(common, one.file) } : one));
}
