import { tagsOf, type Cell, type Notebook } from "../notebook.js";
import { blocksOf, firstSentence, isTakeaway, sectionsOf, type Section } from "./text.js";

type Outputs = NonNullable<Cell["outputs"]>;

/** Parts of a slide, from top to bottom: text, the code of a cell, its output. */
export type Part =
  | { readonly markdown: string }
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

/** A prediction with each of its choices, (a) to (e), on a line of its own. */
const choicesApart = (quote: string): string =>
  quote.replace(/(?<=[^>\s])(?: +|\n> ?)(?=\([a-e]\) )/g, "\n>\n> ");

/** Question and prediction on one slide; then a slide for each figure or table, the last one with the takeaway. */
function sectionSlides({ heading, items }: Section, notes: string): Slide[] {
  const title = `## ${heading}`;
  const texts = items
    .filter(({ cell }) => cell.cell_type === "markdown")
    .flatMap(({ text }) => blocksOf(text));
  const prose = texts.filter((block) => !/^(?:#|>|\||```|!\[)/.test(block) && !isTakeaway(block));
  const predictions = texts.filter((block) => block.startsWith("> ")).map(choicesApart);
  const question = [title, prose[0] ?? "", ...predictions].filter((one) => one !== "").join("\n\n");
  const takeaway = texts.filter(isTakeaway).map((markdown) => ({ markdown }));

  const answers = items.flatMap((item, i): Slide[] => {
    const told = items.slice(i + 1).find(({ cell }) => cell.cell_type === "markdown");
    const spoken = told ? blocksOf(told.text).filter((block) => !isTakeaway(block)) : [];
    if (item.cell.cell_type === "markdown")
      return blocksOf(item.text)
        .filter((block) => block.startsWith("|"))
        .map((table) => ({ parts: [{ markdown: table }], notes: prose.join("\n\n") }));
    const code = tagsOf(item.cell).includes("on-slide");
    const codeSlide = code ? [{ parts: [{ markdown: title }, { code: item.cell.source }], notes }] : [];
    const figures = worthASlide(item.cell);
    const sentence = firstSentence(spoken[0] ?? "");
    const lead = sentence === "" ? [] : [{ markdown: sentence }];
    const figureSlides = figures.map((figure, k) => ({
      parts: k === figures.length - 1 ? [figure, ...lead] : [figure],
      notes: spoken.join("\n\n"),
    }));
    return [...codeSlide, ...figureSlides];
  });
  // Without a prediction there is nothing to wait for: the heading stands above what comes first.
  const [first, ...others] = answers;
  const asks = predictions.length > 0 || first === undefined;
  const reach = first && "markdown" in first.parts[0]! && prose[0] ? [{ markdown: prose[0] }] : [];
  const slides = asks
    ? [{ parts: [{ markdown: question }], notes }, ...answers]
    : [{ parts: [{ markdown: title }, ...first.parts, ...reach], notes: notes || first.notes }, ...others];
  const last = slides.pop()!;
  return [...slides, { ...last, parts: [...last.parts, ...takeaway] }];
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
