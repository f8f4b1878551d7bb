import { zipSync } from "fflate";
import { web } from "../web.js";
import type { Dialogs, NotebookPanel, NotebookTracker } from "./jupyter.js";
import type { OwnFiles } from "./own.js";

const fileName = "turnwise-files.zip";

/** Downloads all that a reader has changed or made, as one file. */
export async function downloadOwn(tracker: NotebookTracker, own: OwnFiles, dialogs: Dialogs): Promise<void> {
  const unsaved: NotebookPanel[] = [];
  tracker.forEach((panel) => panel.context.model.dirty && unsaved.push(panel));
  await Promise.all(unsaved.map(({ context }) => context.save()));
  const files = await own.all();
  if (files.size === 0) {
    const { Dialog, showDialog } = dialogs;
    const body = "You have changed no notebook and made no file in this browser.";
    await showDialog({ title: "There is nothing to download", body, buttons: [Dialog.okButton()] });
    return;
  }
  const zip = zipSync(Object.fromEntries(files));
  const link = web.document.createElement("a");
  const url = URL.createObjectURL(new Blob([zip as Uint8Array<ArrayBuffer>], { type: "application/zip" }));
  link.href = url;
  link.download = fileName;
  link.click();
  // The browser has the file by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
