import type { Contents, Drive } from "../contents.js";
import type { PageFiles } from "../files.js";
import { followLinks } from "../links.js";
import { web } from "../web.js";
import { keepAddress } from "./address.js";
import { Arrival } from "./arrival.js";
import { downloadOwn } from "./download.js";
import type { CommandPalette, Commands, Dialogs, NotebookTracker, WidgetClass } from "./jupyter.js";
import { OwnFiles } from "./own.js";
import { keepPlace } from "./place.js";
import { openSection } from "./section.js";
import { shareCell } from "./share.js";
import { TeachersVersion } from "./teacher.js";
import { keepUntouched } from "./untouched.js";

/** The address that opened the page, before JupyterLab changes it. */
const opened = web.location.href;

/** Parts of the page that the reader's commands need. */
export interface Surroundings {
  readonly base: string;
  readonly commands: Commands;
  readonly contents: Contents;
  readonly drive: Drive;
  readonly files: PageFiles;
  readonly tracker: NotebookTracker;
  readonly palette: CommandPalette | null;
  readonly dialogs: Dialogs;
  readonly Widget: WidgetClass;
}

/** The commands of a reader's own copy. site/static/reader.json puts them into toolbars and menus. */
export function readersCommands(o: Surroundings): void {
  const { base, commands, contents, drive, files, tracker, palette, dialogs, Widget } = o;
  const own = new OwnFiles(base, files);
  const teacher = new TeachersVersion(contents, tracker, own, dialogs);
  const add = (
    id: string,
    label: string,
    caption: string,
    execute: () => Promise<void>,
    isEnabled = (): boolean => true,
  ): void => {
    const run = (): Promise<void> =>
      execute().catch((error: unknown) =>
        dialogs.showErrorMessage("That did not work", {
          message: error instanceof Error ? error.message : String(error),
        }),
      );
    commands.addCommand(id, { label, caption, execute: run, isEnabled });
    palette?.addItem({ command: id, category: "turnwise" });
  };
  const hasNotebook = (): boolean => tracker.currentWidget !== null;
  add(
    "turnwise:teachers-version",
    "Teacher's Version…",
    "Give this notebook back the teacher's version: what you have changed in it is lost",
    () => teacher.one(),
    hasNotebook,
  );
  add(
    "turnwise:teachers-versions",
    "All Teacher's Versions…",
    "Give all notebooks of the course back the teacher's version",
    () => teacher.all(),
  );
  add(
    "turnwise:download-own",
    "Download My Files",
    "Download all that you have changed or made in this browser, as one file",
    () => downloadOwn(tracker, own, dialogs),
  );
  add(
    "turnwise:share-cell",
    "Share This Cell",
    "Copy a link that holds the code of this cell",
    () => shareCell(tracker, own, base, { dialogs, Widget }),
    () => tracker.currentWidget?.content.activeCell?.model.type === "code",
  );
  tracker.currentChanged.connect(() => commands.notifyCommandChanged());
  const arrival = new Arrival(tracker, own, commands, { dialogs, Widget });
  const look = (address: string): void =>
    void arrival.look(address, new URL(address).searchParams.get("path") ?? undefined);
  web.addEventListener("hashchange", ({ newURL }) => look(newURL));
  look(opened);
  keepAddress(base, tracker);
  keepPlace(tracker);
  openSection(tracker, opened);
  followLinks(base, files, drive, async () => {
    const { context } = tracker.currentWidget ?? {};
    if (context?.model.dirty) await context.save();
  });
  keepUntouched(tracker);
}
