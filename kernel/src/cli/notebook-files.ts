import fs from "node:fs";
import path from "node:path";
import { Complaint } from "../../bootstrap/steps.cjs";

/** A notebook and the name under which its results are written. */
export interface NotebookFile {
  file: string;
  name: string;
}

function notebooksIn(folder: string): string[] {
  return fs
    .readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ipynb") && !name.split(path.sep).some((part) => part.startsWith(".")))
    .sort();
}

/** The notebooks at these paths, in order. */
export function findNotebooks(paths: string[]): NotebookFile[] {
  const files = paths.flatMap((given): NotebookFile[] => {
    const file = path.resolve(given);
    if (!fs.existsSync(file)) throw new Complaint(`Cannot run notebooks as each path must exist: ${given}`);
    if (!fs.statSync(file).isDirectory()) return [{ file, name: path.basename(file) }];
    return notebooksIn(file).map((name) => ({ file: path.join(file, name), name }));
  });
  if (files.length === 0) {
    throw new Complaint(
      `Cannot run notebooks as there must be at least one .ipynb file: ${paths.join(", ")} has none`,
    );
  }
  return files;
}
