import { web } from "../web.js";
import { everyNotebook } from "./every.js";
import type { Commands, Dialogs, NotebookPanel, NotebookTracker, WidgetClass } from "./jupyter.js";
import { cellOf, type SharedCell } from "./link.js";
import { withNote } from "./note.js";
import type { OwnFiles } from "./own.js";

/** In the metadata of a cell that came with a link. */
const metadata = "turnwise";
const mark = "turnwise-from-link";

const style = `
.${mark} { border-left: 4px solid var(--jp-warn-color1); }
.${mark}::before {
  content: "From a link, not from the course: read it before you run it";
  display: block; padding: 4px 8px; color: var(--jp-ui-font-color1); background: var(--jp-warn-color3);
}
.turnwise-link-code { max-height: 40vh; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; }`;

/** Puts the code of a link's cell into its notebook, if the reader wants it there. It never runs by itself. */
export class Arrival {
  constructor(
    private readonly tracker: NotebookTracker,
    private readonly own: OwnFiles,
    private readonly commands: Commands,
    private readonly page: { dialogs: Dialogs; Widget: WidgetClass },
  ) {
    const sheet = web.document.createElement("style");
    sheet.textContent = style;
    web.document.head.append(sheet);
    everyNotebook(tracker, (panel) => void panel.context.ready.then(() => showMarks(panel)));
  }

  /** Looks into an address; `path` is the notebook that it opens. */
  async look(address: string, path: string | undefined): Promise<void> {
    try {
      const cell = await cellOf(address);
      if (!cell) return;
      if (await this.wanted(cell, path)) await this.insert(cell, path);
    } catch (error) {
      await this.page.dialogs.showErrorMessage("The link cannot be used", error as Error);
    }
    // Loading the page again must not bring the cell again; another link may have come meanwhile.
    if (new URL(web.location.href).hash === new URL(address).hash)
      web.history.replaceState(web.history.state, "", web.location.href.replace(/#.*$/s, ""));
  }

  private async wanted({ code }: SharedCell, path: string | undefined): Promise<boolean> {
    const { document } = web;
    const node = document.createElement("div");
    const text = document.createElement("p");
    text.textContent =
      "The link that you have opened holds the code below. It is not part of the course: whoever made the link wrote it, " +
      "and nobody has checked it. Added, it becomes a new cell" +
      `${path === undefined ? " of a new notebook" : ` of ${path}`}, which runs only when you run it.`;
    const shown = document.createElement("pre");
    shown.className = "turnwise-link-code";
    shown.tabIndex = 0;
    shown.textContent = code;
    node.append(text, shown);
    const { Dialog, showDialog } = this.page.dialogs;
    const { button } = await showDialog({
      title: "Add a cell from this link?",
      body: new this.page.Widget({ node }),
      buttons: [Dialog.cancelButton({ label: "Leave it out" }), Dialog.okButton({ label: "Add the cell" })],
    });
    return button.accept;
  }

  private async insert({ code, below }: SharedCell, path: string | undefined): Promise<void> {
    const panel = path === undefined ? await this.fresh() : await this.opened(path);
    await panel.context.ready;
    const { content } = panel;
    const found = content.widgets.findIndex(({ model }) => model.id === below);
    const at = found < 0 ? content.widgets.length : found + 1;
    const source = withNote(code);
    content.model!.sharedModel.insertCell(at, {
      cell_type: "code",
      source,
      metadata: { [metadata]: { fromLink: true }, tags: ["from-a-link"] },
    });
    content.activeCellIndex = at;
    showMarks(panel);
    await content.scrollToItem(at);
  }

  private async fresh(): Promise<NotebookPanel> {
    return (await this.commands.execute("notebook:create-new", { kernelName: "turnwise" })) as NotebookPanel;
  }

  /** The notebook of a path, as soon as the page shows it. */
  private async opened(path: string): Promise<NotebookPanel> {
    if (!(await this.own.isOfSite(path)) && !(await this.own.has(path)))
      throw new RangeError(
        `Cannot add the cell of this link: the site must have its notebook, but ${path} is not there.`,
      );
    return new Promise((resolve) => {
      const look = (): void =>
        this.tracker.forEach((panel) => {
          if (panel.context.path === path) resolve(panel);
        });
      this.tracker.widgetAdded.connect(look);
      look();
    });
  }
}

/** Marks the cells of a notebook that came with a link. */
function showMarks({ content }: NotebookPanel): void {
  for (const cell of content.widgets) {
    const known = cell.model.getMetadata(metadata) as { fromLink?: boolean } | undefined;
    if (known?.fromLink) cell.addClass(mark);
  }
}
