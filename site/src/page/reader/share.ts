import { encoded } from "../contents.js";
import { web } from "../web.js";
import type { Dialogs, NotebookTracker, WidgetClass } from "./jupyter.js";
import { linkTo } from "./link.js";
import { withoutNote } from "./note.js";
import type { OwnFiles } from "./own.js";

/** Copies a link that holds the code of the active cell. */
export async function shareCell(
  tracker: NotebookTracker,
  own: OwnFiles,
  base: string,
  { dialogs, Widget }: { dialogs: Dialogs; Widget: WidgetClass },
): Promise<void> {
  const panel = tracker.currentWidget;
  const cell = panel?.content.activeCell;
  if (!panel || cell?.model.type !== "code") return;
  const { path } = panel.context;
  // Others have only what the site has: from a notebook of the reader's own, the cell goes into a new one.
  const address = (await own.isOfSite(path))
    ? `${base}${app(base)}/index.html?path=${encoded(path)}`
    : `${base}lab/index.html`;
  let link: string;
  try {
    link = await linkTo(address, {
      code: withoutNote(cell.model.sharedModel.getSource()),
      below: cell.model.id,
    });
  } catch (error) {
    return dialogs.showErrorMessage("The cell is too long for a link", error as Error);
  }
  try {
    await web.navigator.clipboard!.writeText(link);
    dialogs.Notification.success(
      "A link that holds the code of this cell is copied: paste it where you like.",
      {
        autoClose: 6_000,
      },
    );
  } catch {
    // Without leave for the clipboard, a person copies it by hand.
    await show(link, dialogs, Widget);
  }
}

/** The application that is open: Lab, or the notebook alone. */
const app = (base: string): string =>
  web.location.href.startsWith(`${base}notebooks/`) ? "notebooks" : "lab";

async function show(link: string, { Dialog, showDialog }: Dialogs, Widget: WidgetClass): Promise<void> {
  const field = web.document.createElement("textarea");
  field.value = link;
  field.readOnly = true;
  field.rows = 6;
  field.setAttribute("aria-label", "Link that holds the code of this cell");
  field.onfocus = () => field.select();
  const body = new Widget({ node: field });
  await showDialog({ title: "Copy this link to the cell", body, buttons: [Dialog.okButton()] });
}
