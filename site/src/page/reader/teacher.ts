import { asAddress, type Contents } from "../contents.js";
import type { Dialogs, NotebookPanel, NotebookTracker } from "./jupyter.js";
import type { OwnFiles } from "./own.js";

/** Gives notebooks back the teacher's version: what the reader has of them is removed, and the site's appears again. */
export class TeachersVersion {
  constructor(
    private readonly contents: Contents,
    private readonly tracker: NotebookTracker,
    private readonly own: OwnFiles,
    private readonly dialogs: Dialogs,
  ) {}

  /** Asks, then resets the notebook that is shown. */
  async one(): Promise<void> {
    const panel = this.tracker.currentWidget;
    if (!panel) return;
    const { path } = panel.context;
    if (!(await this.own.isOfSite(path)))
      return this.tell("This notebook is your own", `The site has no other version of ${path}.`);
    if (!panel.context.model.dirty && !(await this.own.has(path)))
      return this.tell("This is the teacher's version", `You have not changed ${path}.`);
    const text =
      `All that you have changed in ${path} is lost. To keep it, cancel and download the notebook first ` +
      "(File, Download).";
    if (await this.asks("Back to the teacher's version?", text, "Reset the notebook"))
      await this.reset([path]);
  }

  /** Asks, then resets all notebooks of the site that the reader has changed. Other files stay. */
  async all(): Promise<void> {
    const paths = new Set(await this.own.changed());
    for (const panel of await this.open())
      if (panel.context.model.dirty && (await this.own.isOfSite(panel.context.path)))
        paths.add(panel.context.path);
    if (paths.size === 0)
      return this.tell("All are the teacher's versions", "You have changed no notebook of this site.");
    const text =
      `All that you have changed in these notebooks is lost: ${[...paths].join(", ")}. To keep it, cancel and choose ` +
      "“Download my files” first. Notebooks and files of your own stay.";
    const many = paths.size === 1 ? "one notebook" : `${paths.size} notebooks`;
    if (await this.asks("All back to the teacher's version?", text, `Reset ${many}`))
      await this.reset([...paths]);
  }

  private async reset(paths: readonly string[]): Promise<void> {
    for (const path of paths) await this.contents.delete(asAddress(path));
    const open = (await this.open()).filter(({ context }) => paths.includes(context.path));
    await Promise.all(open.map(({ context }) => context.revert()));
  }

  private async open(): Promise<NotebookPanel[]> {
    const panels: NotebookPanel[] = [];
    this.tracker.forEach((panel) => panels.push(panel));
    await Promise.all(panels.map(({ context }) => context.ready));
    return panels;
  }

  private async asks(title: string, body: string, label: string): Promise<boolean> {
    const { Dialog, showDialog } = this.dialogs;
    const buttons = [Dialog.cancelButton(), Dialog.warnButton({ label })];
    return (await showDialog({ title, body, buttons })).button.accept;
  }

  private async tell(title: string, body: string): Promise<void> {
    const { Dialog, showDialog } = this.dialogs;
    await showDialog({ title, body, buttons: [Dialog.okButton()] });
  }
}
