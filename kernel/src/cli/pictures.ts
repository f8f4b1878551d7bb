import fs from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { Complaint } from "../../bootstrap/steps.cjs";
import { readNotebook, stringifyNotebook, type Notebook } from "../runner/notebook.js";
import { pictureMime, withPictures } from "../runner/pictures.js";
import { findNotebooks } from "./run.js";

const usage = `Usage: turnwise pictures [paths...]

Stores a picture (SVG) beside each Vega-Lite chart of notebooks (default: all in notebooks/) that were saved from
JupyterLab, so that viewers without scripts show it. Nothing is executed. \`turnwise run\` does this by itself.
`;

function countPictures(notebook: Notebook): number {
  const outputs = notebook.cells.flatMap((cell) => cell.outputs ?? []);
  return outputs.filter((output) => "data" in output && pictureMime in output.data).length;
}

/** @throws Complaint when the file holds no notebook of format 4 */
function readable(file: string): Notebook {
  let notebook: Notebook;
  try {
    notebook = readNotebook(file);
  } catch (error) {
    throw new Complaint(`Cannot read ${file} as it must be JSON: ${(error as Error).message}`);
  }
  if (notebook.nbformat === 4 && Array.isArray(notebook.cells)) return notebook;
  throw new Complaint(
    `Cannot draw the charts of ${file} as it must be a notebook of format 4: nbformat is ${String(notebook.nbformat)}`,
  );
}

/** `turnwise pictures`: exit code 0 when every notebook could be read. */
export async function pictures(args: string[], root: string): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { help: { type: "boolean", short: "h", default: false } },
  });
  if (values.help) {
    process.stdout.write(usage);
    return 0;
  }
  const paths = positionals.length > 0 ? positionals : [path.join(root, "notebooks")];
  for (const { file, name } of findNotebooks(paths)) {
    const notebook = readable(file);
    const drawn = await withPictures(notebook);
    fs.writeFileSync(file, stringifyNotebook(drawn));
    process.stdout.write(`${name}: ${String(countPictures(drawn))} pictures\n`);
  }
  return 0;
}
