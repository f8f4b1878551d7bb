import type { NotebookPanel, NotebookTracker } from "./jupyter.js";

/** Visits every notebook: those that were opened before this plugin was started, and those that come. */
export function everyNotebook(tracker: NotebookTracker, visit: (panel: NotebookPanel) => void): void {
  tracker.forEach(visit);
  tracker.widgetAdded.connect((_, panel) => visit(panel));
}
