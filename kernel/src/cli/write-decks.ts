import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { replaceFile } from "../../bootstrap/replace-file.cjs";
import { Complaint } from "../../bootstrap/steps.cjs";
import { deckIndex, deckToHtml, type Engine } from "../runner/deck/deck.js";
import { slidesOf, slidesWithoutAnswers } from "../runner/deck/slides.js";
import { readNotes } from "../runner/deck/text.js";
import { readNotebook } from "../runner/notebook.js";
import { withPictures } from "../runner/pictures.js";
import type { NotebookFile } from "./notebook-files.js";

/** The version whose window is known; package.json has the same. */
const tested = "6.0.2";

/** reveal.js, and its version. */
function readReveal(root: string): Engine & { readonly version: string } {
  let dist: string;
  try {
    dist = path.dirname(createRequire(path.join(root, "package.json")).resolve("reveal.js"));
  } catch {
    throw new Complaint(
      "Cannot write slides: reveal.js must be installed.",
      "To fix it, run: npm install --save-dev reveal.js",
    );
  }
  const read = (file: string): string => fs.readFileSync(path.join(dist, file), "utf8");
  const notes = read("plugin/notes.js");
  const { version } = JSON.parse(read("../package.json")) as { version: string };
  return {
    styles: [read("reset.css"), read("reveal.css")],
    scripts: [read("reveal.js"), notes],
    presenter: presenterOf(notes),
    version,
  };
}

/** The script of the presenter's window, which `notes.js` holds as a text; undefined where it holds it otherwise. */
function presenterOf(notes: string): string | undefined {
  const [, script] = /<script>([^]*?)<\\\/script>/.exec(notes) ?? [];
  return script?.replace(/\\(.)/g, "$1");
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
  o: { notes: string; engine: Engine; answers: boolean },
): Promise<Deck> {
  const notebook = await withPictures(readNotebook(file));
  const stem = path.basename(name, ".ipynb");
  const notes = [`${stem}.md`, path.join(stem, "teacher.md")]
    .map((name) => path.join(o.notes, name))
    .find((name) => fs.existsSync(name));
  const slides = o.answers
    ? slidesOf(notebook, notes ? readNotes(fs.readFileSync(notes, "utf8")) : undefined)
    : slidesWithoutAnswers(notebook);
  const heading = /^# +(.+?) *$/m.exec(notebook.cells[0]?.source ?? "")?.[1].replace(/[`*_]/g, "");
  const title = heading ? `${/^\d\d(?=-)/.exec(stem)?.[0] ?? ""} ${heading}`.trim() : stem;
  replaceFile(path.join(out, `${stem}.html`), await deckToHtml(slides, title, o.engine));
  return { file: `${stem}.html`, title, slides: slides.length };
}

/**
 * Writes a deck for each notebook, what the decks load, and the page that lists them. With `answers: false`, the decks end each section at its
 * question, and have no notes.
 */
export async function writeDecks(
  files: readonly NotebookFile[],
  o: { root: string; out: string; notes?: string; answers?: boolean; warn: (text: string) => void },
): Promise<Deck[]> {
  if (o.notes !== undefined && !fs.existsSync(o.notes))
    throw new Complaint(
      `Cannot write slides: no folder ${o.notes} for the notes.`,
      "To fix it, name another folder with --notes, or leave --notes out",
    );
  const engine = readReveal(o.root);
  if (engine.presenter === undefined)
    o.warn(
      `The key S opens no presenter's window in these decks, because its text was not found in reveal.js: in version ` +
        `${engine.version} it is not. To fix it, install the version that turnwise is tested with: npm install --save-dev reveal.js@${tested}`,
    );
  fs.mkdirSync(o.out, { recursive: true });
  const decks: Deck[] = [];
  for (const file of files) {
    const notes = o.notes ?? path.join(path.dirname(file.file), "teacher");
    decks.push(await writeDeck(file, o.out, { notes, engine, answers: o.answers ?? true }));
  }
  replaceFile(path.join(o.out, "index.html"), deckIndex(decks));
  return decks;
}
