import path from "node:path";
import { replaceFile } from "../../../bootstrap/replace-file.cjs";
import { Complaint } from "../../../bootstrap/steps.cjs";
import type { Notebook } from "../../runner/notebook.js";
import { command } from "../command.js";

export const pictures = command({
  about: `Stores a picture (SVG) next to each Vega-Lite chart of notebooks (default: all in notebooks/) saved from JupyterLab, for
viewers that run no scripts. Nothing is executed. \`turnwise run\` stores the pictures itself.`,
  positionals: "[paths...]",
  options: {},
  run: async ({ positionals }, { root }) => {
    const { findNotebooks } = await import("../notebook-files.js");
    const { readNotebook, stringifyNotebook } = await import("../../runner/notebook.js");
    const { pictureMime, withPictures } = await import("../../runner/pictures.js");
    const paths = positionals.length > 0 ? positionals : [path.join(root, "notebooks")];
    for (const { file, name } of findNotebooks(paths)) {
      const drawn = await withPictures(readable(file, readNotebook));
      replaceFile(file, stringifyNotebook(drawn));
      const outputs = drawn.cells.flatMap((cell) => cell.outputs ?? []);
      const count = outputs.filter((output) => "data" in output && pictureMime in output.data).length;
      process.stdout.write(`${name}: ${String(count)} pictures\n`);
    }
    return 0;
  },
});

/** @throws {Complaint} if the file holds no notebook of format 4 */
function readable(file: string, read: (file: string) => Notebook): Notebook {
  let notebook: Notebook;
  try {
    notebook = read(file);
  } catch (error) {
    throw new Complaint(`Cannot read ${file}: it must be JSON: ${(error as Error).message}`);
  }
  if (notebook.nbformat === 4 && Array.isArray(notebook.cells)) return notebook;
  throw new Complaint(
    `Cannot draw the charts of ${file}: it must be a notebook of format 4, but nbformat is ${String(notebook.nbformat)}.`,
  );
}
