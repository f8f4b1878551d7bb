import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { replaceFile } from "../../bootstrap/replace-file.cjs";
import { Complaint } from "../../bootstrap/steps.cjs";
import { deckIndex, deckToHtml } from "../runner/deck/deck.js";
import { slidesOf } from "../runner/deck/slides.js";
import { readNotes } from "../runner/deck/text.js";
import { readNotebook } from "../runner/notebook.js";
import { withPictures } from "../runner/pictures.js";
import type { NotebookFile } from "./notebook-files.js";

/** Every file of reveal.js that a deck loads, by its place in the package's dist/. */
const revealFiles = ["reset.css", "reveal.css", "reveal.js", "plugin/notes.js"];

/** Copies them, and gives the script of the presenter's window, which `notes.js` holds as a text. */
function copyReveal(root: string, out: string): string {
  let dist: string;
  try {
    dist = path.dirname(createRequire(path.join(root, "package.json")).resolve("reveal.js"));
  } catch {
    throw new Complaint(
      "Cannot write slides as reveal.js must be installed: it is not",
      "To fix it, run: npm install --save-dev reveal.js",
    );
  }
  fs.mkdirSync(path.join(out, "reveal"), { recursive: true });
  for (const file of revealFiles)
    replaceFile(path.join(out, "reveal", path.basename(file)), fs.readFileSync(path.join(dist, file)));
  const notes = fs.readFileSync(path.join(dist, "plugin/notes.js"), "utf8");
  const [, script = ""] = /<script>([^]*?)<\\\/script>/.exec(notes) ?? [];
  return script.replace(/\\(.)/g, "$1");
}

/** A deck that was written. */
interface Deck {
  readonly file: string;
  readonly title: string;
  readonly slides: number;
}

async function writeDeck(
  { file, name }: NotebookFile,
  out: string,
  o: { notes: string; presenter: string },
): Promise<Deck> {
  const notebook = await withPictures(readNotebook(file));
  const stem = path.basename(name, ".ipynb");
  const notes = [`${stem}.md`, path.join(stem, "teacher.md")]
    .map((name) => path.join(o.notes, name))
    .find((name) => fs.existsSync(name));
  const slides = slidesOf(
    notebook,
    notes ? readNotes(fs.readFileSync(notes, "utf8")) : undefined,
  );
  const heading = /^# +(.+?) *$/m.exec(notebook.cells[0]?.source ?? "")?.[1].replace(/[`*_]/g, "");
  const title = heading ? `${/^\d\d(?=-)/.exec(stem)?.[0] ?? ""} ${heading}`.trim() : stem;
  replaceFile(path.join(out, `${stem}.html`), await deckToHtml(slides, title, [o.presenter]));
  return { file: `${stem}.html`, title, slides: slides.length };
}

/** Writes a deck for each notebook, what the decks load, and the page that lists them. */
export async function writeDecks(
  files: readonly NotebookFile[],
  o: { root: string; out: string; notes?: string },
): Promise<Deck[]> {
  if (o.notes !== undefined && !fs.existsSync(o.notes))
    throw new Complaint(
      `Cannot write slides as the folder of the notes must exist: ${o.notes} does not`,
      "To fix it, name another folder with --notes, or leave --notes out",
    );
  const presenter = copyReveal(o.root, o.out);
  const decks: Deck[] = [];
  for (const file of files) {
    const notes = o.notes ?? path.join(path.dirname(file.file), "teacher");
    decks.push(await writeDeck(file, o.out, { notes, presenter }));
  }
  replaceFile(path.join(o.out, "index.html"), deckIndex(decks));
  return decks;
}
