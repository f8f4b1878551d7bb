import { web } from "../web.js";
import { everyNotebook } from "./every.js";
import type { NotebookPanel, NotebookTracker } from "./jupyter.js";

/** Times that a heading is brought back into sight, a fifth of a second apart. */
const SETTLING = 12;

/** A heading's place in an address: its words without marks, with "-" for spaces, as site/builder/search.cjs writes it. */
const placeOf = (heading: string): string =>
  heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[*`$_]/g, "")
    .trim()
    .replace(/\s+/g, "-");

/** The first cell with the heading that an address names; -1 if there is none. */
export function cellWithHeading(sources: readonly string[], place: string): number {
  return sources.findIndex((source) =>
    [...source.matchAll(/^#{1,6} +(.+?) *$/gm)].some(([, heading]) => placeOf(heading!) === place),
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Shows the section that the page's address names, once its notebook is there: Jupyter looks for headings before they are drawn. */
export function openSection(tracker: NotebookTracker, address: string): void {
  const place = decoded(new URL(address).hash.slice(1));
  // The hash of a link with a cell holds code, and names nothing.
  if (place === "" || place.startsWith("turnwise-cell=")) return;
  let isShown = false;
  const show = async ({ content }: NotebookPanel): Promise<void> => {
    const sources = content.widgets.map(({ model }) =>
      model.type === "markdown" ? model.sharedModel.getSource() : "",
    );
    const at = cellWithHeading(sources, place);
    if (at < 0 || isShown) return;
    isShown = true;
    content.activeCellIndex = at;
    await content.scrollToItem(at);
    // Cells above are still being drawn and folded, which moves the heading: it is kept in sight until the reader takes over.
    let isTaken = false;
    for (const kind of ["pointerdown", "wheel", "keydown"] as const)
      web.document.addEventListener(kind, () => (isTaken = true), true);
    for (let i = 0; i < SETTLING && !isTaken; i++) {
      content.widgets[at]!.node.scrollIntoView({ block: "start" });
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  };
  everyNotebook(tracker, (panel) => void panel.context.ready.then(() => show(panel)).catch(() => undefined));
}
