import { predictionsOf, type Prediction } from "../../../labextension/static/predictions.js";
import { tagsOf, type Cell, type Notebook } from "../notebook.js";
import { blocksOf, firstSentence, isTakeaway, sectionsOf, type Section } from "./text.js";

type Outputs = NonNullable<Cell["outputs"]>;

/** Parts of a slide, from top to bottom: text, a question that the next slide answers, the code of a cell, its output. */
export type Part =
  | { readonly markdown: string }
  | { readonly prediction: Pick<Prediction, "question" | "options"> }
  | { readonly code: string }
  | { readonly outputs: Outputs }
  | { readonly fragment: readonly Part[] };

/** One slide of a deck. `notes` is Markdown that only the presenter sees. */
export interface Slide {
  readonly parts: readonly Part[];
  readonly notes: string;
}

const pictured = /^(?:image\/|application\/vnd\.vega)/;

/** The figures and tables that a cell has put out: what else it says is not worth a slide. */
function worthASlide(cell: Cell): Part[] {
  const worth = (output: Outputs[number]): boolean =>
    "data" in output &&
    (Object.keys(output.data).some((mime) => pictured.test(mime)) ||
      /<table\b/.test(String(output.data["text/html"] ?? "")));
  return (cell.outputs ?? []).filter(worth).map((output) => ({ outputs: [output] }));
}

/** Slide type from `slideshow.slide_type` of a cell, by Jupyter's convention; undefined if the form decides. */
function typeOf({ metadata }: Cell): string | undefined {
  const { slide_type: type } = (metadata.slideshow ?? {}) as { slide_type?: unknown };
  return typeof type === "string" && type !== "" ? type : undefined;
}

/** The slides of a notebook in which cells say themselves where they stand. */
function byMetadata(cells: readonly Cell[]): Slide[] {
  const slides: { parts: Part[]; notes: string }[] = [];
  for (const cell of cells) {
    const type = typeOf(cell) ?? "-";
    if (type === "skip") continue;
    if (slides.length === 0 || type === "slide" || type === "subslide") slides.push({ parts: [], notes: "" });
    const slide = slides.at(-1)!;
    if (type === "notes") slide.notes += `${cell.source}\n\n`;
    else if (type === "fragment") slide.parts.push({ fragment: partsOf(cell) });
    else slide.parts.push(...partsOf(cell));
  }
  return slides.filter(({ parts }) => parts.length > 0);
}

function partsOf(cell: Cell): Part[] {
  if (cell.cell_type !== "code") return [{ markdown: cell.source }];
  const outputs = (cell.outputs ?? []).length > 0 ? [{ outputs: cell.outputs! }] : [];
  return [{ code: cell.source }, ...outputs];
}

const isProse = (block: string): boolean => !/^(?:#|>|\||```|!\[)/.test(block) && !isTakeaway(block);
const announces = (block: string): boolean => isProse(block) && /:[*_]*$/.test(block);

/** The blocks of a text; a paragraph is one with the formula below it, and with the table, list or code that its colon announces. */
function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  // What opens with a click on a page is no part of a slide.
  for (const block of blocksOf(text.replace(/^<details>[^]*?^<\/details>\n*/gm, ""))) {
    const last = pieces.at(-1) ?? "#";
    const isAnnounced = announces(last) && /^(?:\||```|[-*+] |\d+[.)] )/.test(block);
    if (isAnnounced || (isProse(last) && block.startsWith("$$")))
      pieces[pieces.length - 1] = `${last}\n\n${block}`;
    else pieces.push(block);
  }
  return pieces;
}

const hasTable = (piece: string): boolean => /^\|/m.test(piece) && !/^(?:>|```)/.test(piece);

/** A surprise that only names a letter, "**(b).**", with the words of that choice: its slide no longer shows the question. */
const spelledOut = (sentence: string, asked: Pick<Prediction, "options"> | undefined): string =>
  sentence.replace(/\(([a-h])\)\.?(?=\*\*)/, (whole, letter) => {
    const choice = asked?.options.find((option) => option.letter === letter);
    return choice === undefined ? whole : `(${choice.letter}) ${choice.text.replace(/[.?!]$/, "")}.`;
  });

/** Code that is worth a slide, as its cell says, and figures, the last one with the sentence that says what it shows. */
function cellSlides(
  cell: Cell,
  next: readonly string[],
  o: { title: string; above: string; notes: string; asked: Pick<Prediction, "options"> | undefined },
): Slide[] {
  const isAnswer = next.findIndex((piece) => predictionsOf(piece).length > 0);
  const spoken = (isAnswer < 0 ? next : next.slice(0, isAnswer)).filter((piece) => !isTakeaway(piece));
  const told = spoken.find((piece) => !hasTable(piece)) ?? "";
  // A sentence that announces the next figure stands above that one.
  const sentence =
    spoken.length === 1 && announces(told) && firstSentence(told) === told ? "" : firstSentence(told);
  const code = tagsOf(cell).includes("on-slide");
  const figures = worthASlide(cell);
  return [
    ...(code ? [{ parts: [{ markdown: o.title }, { code: cell.source }], notes: o.notes }] : []),
    ...figures.map((figure, k): Slide => {
      const above = k === 0 && o.above !== "" ? [{ markdown: o.above }] : [];
      const below =
        k === figures.length - 1 && sentence !== "" ? [{ markdown: spelledOut(sentence, o.asked) }] : [];
      return { parts: [...above, figure, ...below], notes: spoken.join("\n\n") };
    }),
  ];
}

/**
 * The slides of a section, in its order: each prediction on a slide with what leads to it, each figure and each table, and the takeaway
 * on the last of them.
 */
function sectionSlides({ heading, items }: Section, notes: string): Slide[] {
  const title = `## ${heading}`;
  const pieces = items.map(({ cell, text }) => (cell.cell_type === "markdown" ? piecesOf(text) : []));
  const prose = pieces.flat().filter(isProse);
  const takeaway = pieces.flat().filter(isTakeaway);
  const asks = pieces.flat().some((piece) => predictionsOf(piece).length > 0);
  const slides: Slide[] = [];
  /** Paragraphs that no slide has shown. */
  let waiting: string[] = [];
  let asked: Prediction | undefined;
  const show = (parts: readonly Part[], spoken = notes): void => {
    // Without a teacher's notes, a presenter reads the paragraphs that lead to the slide.
    slides.push({ parts, notes: spoken || waiting.join("\n\n") });
    waiting = [];
  };
  /** The heading and the first paragraph, where something else than a prediction comes first. */
  const begin = (): void => {
    if (slides.length > 0 || !asks) return;
    const [first] = waiting;
    show([{ markdown: [title, ...(first === undefined ? [] : [first])].join("\n\n") }]);
  };

  items.forEach(({ cell }, i) => {
    if (cell.cell_type !== "markdown") {
      const last = waiting.at(-1) ?? "";
      // Cells without pieces are code, or hold nothing but what opens with a click.
      const next = pieces.slice(i + 1).find((some) => some.length > 0) ?? [];
      const above = asks && waiting.length > 1 && announces(last) ? last : "";
      const shown = cellSlides(cell, next, { title, above, notes, asked });
      if (shown.length === 0) return;
      begin();
      for (const slide of shown) show(slide.parts, slide.notes);
      return;
    }
    for (const piece of pieces[i]!) {
      const [prediction] = predictionsOf(piece);
      if (prediction !== undefined) {
        asked = prediction;
        const lead = slides.length === 0 ? waiting.slice(0, 1) : [];
        const context = [...new Set([...lead, ...waiting.slice(-1)])];
        show([{ markdown: [title, ...context].join("\n\n") }, { prediction }]);
      } else if (hasTable(piece)) {
        begin();
        show([{ markdown: piece }], prose.join("\n\n"));
      } else if (isProse(piece)) waiting.push(piece);
    }
  });

  if (slides.length === 0) show([{ markdown: [title, ...prose.slice(0, 1)].join("\n\n") }]);
  else if (!asks) {
    // Without a prediction there is nothing to wait for: the heading stands above what comes first.
    const [first] = slides as [Slide];
    const isText = "markdown" in first.parts[0]!;
    const reach = isText && prose[0] && !hasTable(prose[0]) ? [{ markdown: prose[0] }] : [];
    slides[0] = { parts: [{ markdown: title }, ...first.parts, ...reach], notes: notes || first.notes };
  }
  const last = slides.pop()!;
  return [...slides, { ...last, parts: [...last.parts, ...takeaway.map((markdown) => ({ markdown }))] }];
}

/** Title and the lesson's question, and a slide for each figure before the first section. */
function openingSlides({ items }: Section, notes: string): Slide[] {
  const text = items
    .filter(({ cell }) => cell.cell_type === "markdown")
    .flatMap((item) => blocksOf(item.text));
  const opening = text.filter((block) => !/^(?:\||```)/.test(block)).slice(0, 3);
  const figures = items.flatMap(({ cell }) => worthASlide(cell));
  return [
    { parts: [{ markdown: opening.join("\n\n") }], notes: notes || text.join("\n\n") },
    ...figures.map((figure) => ({ parts: [figure], notes })),
  ];
}

const asksOn = ({ parts }: Slide): boolean => parts.some((part) => "prediction" in part);

/** The slides of a section up to each prediction, without those that answer it, and without notes. */
function questionSlides(slides: readonly Slide[]): Slide[] {
  const kept: Slide[] = [];
  let isAsked = false;
  for (const slide of slides) {
    if (isAsked && !asksOn(slide)) continue;
    // What leads to a second question is the answer to the first.
    const parts = slide.parts.flatMap((part): Part[] => {
      if (!("markdown" in part)) return [part];
      if (isAsked) return [{ markdown: part.markdown.split("\n")[0]! }];
      return isTakeaway(part.markdown) ? [] : [part];
    });
    isAsked ||= asksOn(slide);
    kept.push({ parts, notes: "" });
  }
  return kept;
}

/**
 * The slides of a deck without answers: what leads to each prediction, and the prediction. After the numbered sections come the takeaways and
 * the ledger, which answer everything.
 */
export function slidesWithoutAnswers(notebook: Notebook): Slide[] {
  const [opening, ...sections] = sectionsOf(notebook.cells);
  const last = sections.findLastIndex(({ heading }) => /^\d+\. /.test(heading));
  const asked = last < 0 ? sections : sections.slice(0, last + 1);
  return [
    ...openingSlides(opening, "").map(({ parts }) => ({ parts, notes: "" })),
    ...asked.flatMap((section) => questionSlides(sectionSlides(section, ""))),
  ];
}

/**
 * The slides of a notebook. Where cells carry `slideshow.slide_type`, these decide; else the form of a lesson does.
 *
 * `notesOf` gives the presenter's notes on a section by its heading without a number; the opening's heading is "".
 */
export function slidesOf(notebook: Notebook, notesOf: (heading: string) => string = () => ""): Slide[] {
  if (notebook.cells.some((cell) => typeOf(cell) !== undefined)) return byMetadata(notebook.cells);
  const [opening, ...sections] = sectionsOf(notebook.cells);
  return [
    ...openingSlides(opening, notesOf("")),
    ...sections.flatMap((section) =>
      sectionSlides(section, notesOf(section.heading.replace(/^\d+\. +/, ""))),
    ),
  ];
}
