import { everyNotebook } from "./every.js";
import type { NotebookPanel, NotebookTracker } from "./jupyter.js";

/** Whether an output holds a chart, beside which JupyterLab puts the picture that it draws of it. */
const isChart = (data: object): boolean =>
  Object.keys(data).some((type) => type.startsWith("application/vnd.vega"));

/** All of a notebook but the pictures that a page draws by itself. An output that was drawn has its parts in another order. */
const contentOf = (model: NotebookPanel["context"]["model"]): string =>
  JSON.stringify(model.toJSON(), (_, value: unknown) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    const parts = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(isChart(value) ? parts.filter(([type]) => type !== "image/png") : parts);
  });

/**
 * A notebook whose charts were only drawn has nothing to save: JupyterLab would ask before it is closed, and keep a copy, which
 * then hides the teacher's later versions.
 */
export function keepUntouched(tracker: NotebookTracker): void {
  everyNotebook(tracker, (panel) => void watch(panel));
}

async function watch({ context }: NotebookPanel): Promise<void> {
  await context.ready;
  const { model } = context;
  if (model.dirty) return;
  const before = contentOf(model);
  const heard = (_: unknown, { name, newValue }: { name: string; newValue: unknown }): void => {
    if (name !== "dirty" || newValue !== true) return;
    if (contentOf(model) === before) model.dirty = false;
    // From here on it is the reader's.
    else model.stateChanged.disconnect(heard);
  };
  model.stateChanged.connect(heard);
}
