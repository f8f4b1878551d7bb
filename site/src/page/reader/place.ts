import { web } from "../web.js";
import type { NotebookTracker } from "./jupyter.js";

/** The first page reads it: src/front/progress.ts has its form. */
const storeName = "turnwise:course";

/** Remembers which lesson is open, so that the site's first page can offer to go on with it. */
export function keepPlace(tracker: NotebookTracker): void {
  const remember = (): void => {
    const path = tracker.currentWidget?.context.path ?? "";
    const [, last] = /^notebooks\/(\d\d-[^/]+)\.ipynb$/.exec(path) ?? [];
    if (last === undefined) return;
    try {
      const kept = JSON.parse(web.localStorage.getItem(storeName) ?? "{}") as object;
      web.localStorage.setItem(storeName, JSON.stringify({ ...kept, last }));
    } catch {
      // Storage is blocked, or holds something else: the reader finds the lesson in the list.
    }
  };
  tracker.currentChanged.connect(remember);
  remember();
}
