import fs from "node:fs";
import path from "node:path";
import { command } from "../command.js";

export const slides = command({
  about: `Writes each notebook (default: the lessons in notebooks/) as a deck of slides, from its stored outputs, and a page that
lists the decks. Nothing is executed, and a deck needs no network. Notes come from <name>.md in the folder given by
--notes. Jupyter's slideshow.slide_type is honored; a cell tagged "on-slide" shows its code.`,
  positionals: "[paths...]",
  options: {
    out: { type: "string", value: "<folder>", help: "folder for the results (default: build/slides)" },
    notes: {
      type: "string",
      value: "<folder>",
      help: "folder of notes, as name.md or name/teacher.md (default: teacher/ next to each notebook)",
    },
    "no-answers": {
      type: "boolean",
      help: "end each section at its prediction, without notes (default folder: build/slides-without-answers)",
    },
  },
  run: async ({ values, positionals }, { root }) => {
    const { findNotebooks } = await import("../notebook-files.js");
    const { writeDecks } = await import("../write-decks.js");
    const answers = !values["no-answers"];
    const folder = answers ? "slides" : "slides-without-answers";
    const out = path.resolve(values.out ?? path.join(root, "build", folder));
    const decks = await writeDecks(findNotebooks(positionals.length > 0 ? positionals : lessons(root)), {
      root,
      out,
      notes: values.notes,
      answers,
      warn: (text) => process.stderr.write(`${text}\n`),
    });
    for (const { file, slides: count } of decks) process.stdout.write(`${file}: ${String(count)} slides\n`);
    process.stdout.write(`Open ${path.relative(process.cwd(), path.join(out, "index.html"))} in a browser\n`);
    return 0;
  },
});

function lessons(root: string): string[] {
  const folder = path.join(root, "notebooks");
  const names = fs.readdirSync(folder).filter((name) => /^\d\d-.*\.ipynb$/.test(name));
  return names.sort().map((name) => path.join(folder, name));
}
