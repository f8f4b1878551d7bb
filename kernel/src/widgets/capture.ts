import { DisplayIndex, OutputCollector } from "../protocol/outputs.js";
import type { Output } from "./generated.js";
import { widgetHost } from "./host.js";
import type { Widget } from "./widget.js";

const collectors = new WeakMap<object, OutputCollector>();
const shortestGapMs = 100;

/**
 * Runs code so that everything it prints and displays appears in an output widget.
 *
 * The outputs travel as state of the widget, so that they reach a page even while a loop blocks, and a page that is loaded
 * again. (The protocol's other way, naming a message whose output the page moves, ends when the page learns that the
 * kernel is idle, which must not be delayed.)
 */
export function capture<T>(output: Output, run: () => T): T {
  const known = collectors.get(output) ?? new OutputCollector(new DisplayIndex());
  collectors.set(output, known);
  const widget = output as unknown as Widget<{ outputs: readonly unknown[] }>;
  let sentAt = performance.now();
  const send = (): void => {
    sentAt = performance.now();
    widget.set({ outputs: known.outputs.map((one) => ({ ...one })) });
  };
  try {
    return widgetHost().collect((msgType, content) => {
      known.accept({ header: { msg_type: msgType }, content });
      if (performance.now() - sentAt >= shortestGapMs) send();
    }, run);
  } finally {
    send();
  }
}

/** Empties an output widget; the page shows the old outputs until the next `capture`. */
export function forgetOutputs(output: Output): void {
  collectors.delete(output);
}
