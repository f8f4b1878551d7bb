import { web } from "../web.js";
import { everyNotebook } from "./every.js";
import type { NotebookTracker } from "./jupyter.js";

/**
 * Keeps the notebook that JupyterLab shows in the page's address, so that it opens again when the page is loaded once more, and for
 * whoever gets the address. The application takes it out of there when it opens, and notes what was open only some time later.
 */
export function keepAddress(base: string, tracker: NotebookTracker): void {
  if (!web.location.href.startsWith(new URL("lab/", base).href)) return;
  const show = (): void => {
    const address = new URL(web.location.href);
    const path = tracker.currentWidget?.context.path;
    if (path === undefined) address.searchParams.delete("path");
    else address.searchParams.set("path", path);
    const href = address.href.replaceAll("%2F", "/");
    if (href !== web.location.href) web.history.replaceState(web.history.state, "", href);
  };
  tracker.currentChanged.connect(show);
  everyNotebook(tracker, ({ context }) => void context.pathChanged.connect(show));
  // Without one, the address still names what the application is to open.
  if (tracker.currentWidget) show();
}
